/** Adds an example to every property, parameter, body and response of the OpenAPI document, from one table of values. */
import { type ErrorCode, isRetryable } from '../../../errors.ts'
import { ERRORS } from '../errors.ts'
import { BY_FORMAT, VALUES } from './values.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  pattern?: string
  examples?: unknown[]
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

interface Operation {
  operationId?: string
  parameters?: Array<{ name: string; schema?: Schema; example?: unknown }>
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, Answered>
}

interface Answered {
  description?: string
  content?: Record<string, Media>
}

export interface ExampleDocument {
  components?: { schemas?: Record<string, Schema>; examples?: Record<string, unknown> }
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
}

const DEPTH_MAX = 30

/** Writes the examples into the document. Returns the names that have none. */
export function addExamples(document: ExampleDocument, docsUrl: string): string[] {
  const maker = new ExampleMaker(document)
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) maker.describe(schema, name)
  for (const items of [document.paths, document.webhooks]) {
    for (const operation of Object.values(items ?? {}).flatMap((item) => Object.values(item))) {
      describeOperation(maker, operation)
    }
  }
  const text = JSON.stringify(document)
  const used = listErrors(docsUrl).filter(([code]) => text.includes(`"#/components/examples/${code}"`))
  if (used.length > 0) document.components = { ...document.components, examples: Object.fromEntries(used) }
  return [...maker.missing].sort()
}

function describeOperation(maker: ExampleMaker, operation: Operation): void {
  const owner = operation.operationId ?? ''
  for (const parameter of operation.parameters ?? []) {
    if (parameter.schema) parameter.example = maker.valueOf(parameter.schema, parameter.name, owner)
  }
  describeContent(maker, operation.requestBody?.content, owner)
  leaveOut(operation.requestBody?.content, INSTEAD_OF_OTHERS[owner] ?? [])
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (Number(status) < 400) describeContent(maker, response.content, owner)
    else if (!describeErrors(response)) describeContent(maker, response.content, `${owner} ${status}`)
  }
}

function describeContent(maker: ExampleMaker, content: Record<string, Media> | undefined, owner: string): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (!media.schema || !type.endsWith('json') || !isStructured(media.schema)) continue
    maker.describe(media.schema, owner)
    media.example = maker.valueOf(media.schema, '', owner)
  }
}

/** Members that are sent instead of others, by operation: a body with all of them would be refused. */
const INSTEAD_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  createBulk: ['file_id', 'columns', 'sheet', 'header_rows', 'table'],
  importCompanies: ['companies', 'bulk_id'],
  markSignals: ['through'],
  withdrawDecisions: ['ids'],
}

function leaveOut(content: Record<string, Media> | undefined, names: readonly string[]): void {
  for (const media of Object.values(content ?? {})) {
    if (typeof media.example !== 'object' || media.example === null) continue
    media.example = Object.fromEntries(Object.entries(media.example).filter(([name]) => !names.includes(name)))
  }
}

/** A page or a file is no structure, and has no example. */
const isStructured = ({ $ref, type, properties, anyOf, oneOf, allOf }: Schema) =>
  ($ref ?? properties ?? anyOf ?? oneOf ?? allOf) !== undefined || type === 'object' || type === 'array'

/** Each code that a response may have is an example of it. Returns false where it is no error of the usual shape. */
function describeErrors({ description = '', content = {} }: Answered): boolean {
  const codes = [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code).filter((code) => code in ERRORS)
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  const refused = Object.values(content).filter(({ schema }) => schema?.$ref?.endsWith('/Error'))
  if (codes.length === 0 || refused.length === 0) return false
  for (const media of refused) media.examples = examples
  return true
}

/** Returns an example of each error, for all responses to refer to. */
function listErrors(docsUrl: string): Array<readonly [ErrorCode, { summary: string; value: object }]> {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleError(code, docsUrl) }] as const)
}

/** Returns the body of an error as a caller gets it. */
export function exampleError(code: ErrorCode, docsUrl: string): object {
  const { title, status } = ERRORS[code]
  const request = { request_id: VALUES['request_id'], retryable: isRetryable(code) }
  return { type: `${docsUrl}/errors/${code}`, title, status, detail: `${title}.`, code, ...request }
}

class ExampleMaker {
  readonly missing = new Set<string>()
  readonly #schemas: Record<string, Schema>
  readonly #described = new Set<Schema>()

  constructor({ components }: ExampleDocument) {
    this.#schemas = components?.schemas ?? {}
  }

  /** Writes an example to every property of a schema, however deep. */
  describe(schema: Schema, owner: string): void {
    if (this.#described.has(schema)) return
    this.#described.add(schema)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const value = this.valueOf(property, name, owner)
      if (!property.$ref && value !== undefined) property.examples = [value]
      this.describe(property, owner)
    }
    for (const part of partsOf(schema)) this.describe(part, owner)
  }

  /** Returns the example for a schema that has this name in its owner; undefined where there is none. */
  valueOf(schema: Schema, name: string, owner: string, depth = 0): unknown {
    if (depth > DEPTH_MAX) return undefined
    if (schema.$ref) return VALUES[`${owner}.${name}`] ?? this.#valueOfReference(schema.$ref, name, depth)
    for (const key of [`${owner}.${name}`, name]) {
      if (key in VALUES && fits(schema, VALUES[key])) return VALUES[key]
    }
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum.find((one) => one !== null)
    const variants = schema.anyOf ?? schema.oneOf
    if (variants) {
      const [first] = variants.filter(({ type }) => type !== 'null')
      return first ? this.valueOf(first, name, owner, depth + 1) : null
    }
    return this.#valueOfType(schema, name, owner, depth)
  }

  #valueOfReference(reference: string, name: string, depth: number): unknown {
    const target = reference.split('/').at(-1) ?? ''
    const schema = this.#schemas[target]
    return schema ? this.valueOf(schema, schema.properties ? '' : name, target, depth + 1) : undefined
  }

  #valueOfType(schema: Schema, name: string, owner: string, depth: number): unknown {
    const type = typeOf(schema)
    if (type === 'boolean') return true
    if (type === 'array') {
      const item = schema.items && this.valueOf(schema.items, name, owner, depth + 1)
      return item === undefined ? [] : [item]
    }
    if (type === 'object' || schema.properties) {
      const members = Object.entries(schema.properties ?? {}).map(([key, property]) => [
        key,
        this.valueOf(property, key, owner, depth + 1),
      ])
      return Object.fromEntries(members.filter(([, value]) => value !== undefined))
    }
    if (schema.format && schema.format in BY_FORMAT) return BY_FORMAT[schema.format]
    if (type !== undefined) this.missing.add(`${owner}.${name}`)
    return undefined
  }
}

function partsOf(schema: Schema): Schema[] {
  const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  const parts = [...anyOf, ...oneOf, ...allOf]
  if (items) parts.push(items)
  if (typeof additionalProperties === 'object') parts.push(additionalProperties)
  return parts
}

function typeOf({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

/** Whether a value of the table can be meant: the same name has another type elsewhere. */
function fits(schema: Schema, value: unknown): boolean {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return variants.some((variant) => fits(variant, value))
  if (schema.const !== undefined) return schema.const === value
  if (schema.enum) return schema.enum.includes(value)
  const types = [schema.type ?? []].flat()
  if (value === null) return types.includes('null')
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => !schema.items || fits(schema.items, one))
  if (typeof value === 'number') {
    const isKind = types.includes('number') || (types.includes('integer') && Number.isInteger(value))
    return isKind && value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value)
  }
  if (typeof value === 'string') {
    const isFormat = !schema.format || !(schema.format in FORMATS) || (FORMATS[schema.format]?.test(value) ?? true)
    return types.includes('string') && isFormat && (!schema.pattern || new RegExp(schema.pattern, 'u').test(value))
  }
  return types.includes(typeof value)
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T/,
  uri: /^https?:/,
  email: /@/,
}
