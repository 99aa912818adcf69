/** The shapes of the Reconciliation Service API 0.2, written down from its specification; only what it demands. */
const text = { type: 'string' }
const thing = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text, description: text } }
const type = { anyOf: [text, { type: 'object', required: ['id'], properties: { id: text, name: text } }] }
const template = { type: 'string', pattern: String.raw`\{\{id\}\}` }
const servicePath = { type: 'object', properties: { service_url: text, service_path: text } }

export const MANIFEST = {
  type: 'object',
  required: ['versions', 'name', 'identifierSpace', 'schemaSpace'],
  properties: {
    versions: { type: 'array', items: text, contains: { const: '0.2' } },
    name: text,
    identifierSpace: { ...text, format: 'uri' },
    schemaSpace: { ...text, format: 'uri' },
    defaultTypes: { type: 'array', uniqueItems: true, items: thing },
    view: { type: 'object', required: ['url'], properties: { url: template } },
    preview: {
      type: 'object',
      required: ['url', 'width', 'height'],
      properties: { url: template, width: { type: 'integer' }, height: { type: 'integer' } },
    },
    suggest: { type: 'object', properties: { entity: servicePath, property: servicePath, type: servicePath } },
    extend: {
      type: 'object',
      properties: {
        propose_properties: servicePath,
        property_settings: {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'label', 'name'],
            properties: { type: { const: 'number' }, label: text, name: text, default: { type: 'number' } },
          },
        },
      },
    },
    batchSize: { type: 'integer' },
  },
}

const candidate = {
  type: 'object',
  required: ['id', 'name', 'score'],
  properties: {
    id: text,
    name: text,
    description: text,
    score: { type: 'number' },
    match: { type: 'boolean' },
    type: { type: 'array', items: type },
    features: {
      type: 'array',
      items: { type: 'object', properties: { id: text, value: { type: ['boolean', 'number'] } } },
    },
  },
}

export const RESULT_BATCH = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['result'],
    properties: { result: { type: 'array', items: candidate } },
  },
}

const cell = (member: string, schema: object) => ({
  type: 'object',
  required: [member],
  properties: { [member]: schema },
  additionalProperties: false,
})

export const EXTENSION = {
  type: 'object',
  required: ['meta', 'rows'],
  properties: {
    meta: { type: 'array', items: thing },
    rows: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: {
            oneOf: [
              cell('str', text),
              cell('int', { type: 'integer' }),
              cell('float', { type: 'number' }),
              cell('date', { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?$` }),
            ],
          },
        },
      },
    },
  },
}

export const SUGGESTIONS = {
  type: 'object',
  required: ['result'],
  properties: {
    result: {
      type: 'array',
      items: { ...thing, properties: { ...thing.properties, notable: { type: 'array', items: type } } },
    },
  },
}

export const PROPOSAL = {
  type: 'object',
  required: ['properties'],
  properties: { type: text, limit: { type: 'integer' }, properties: { type: 'array', items: thing } },
}
