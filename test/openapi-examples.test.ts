/** Examples of the API: every property, parameter, body and error has one, and each is valid. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../src/entry/http/errors.ts'
import { addExamples, type ExampleDocument } from '../src/entry/http/examples/add-examples.ts'

type Operation = NonNullable<ExampleDocument['paths']>[string][string] & { operationId: string }
type Schema = NonNullable<NonNullable<ExampleDocument['components']>['schemas']>[string]

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, Schema>; examples: Record<string, { value: object }> }
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'doc', components: document.components })
const errorsOf = (schema: object, value: unknown): string[] => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')
  const validate = ajv.compile(JSON.parse(text) as object)
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Every property of a schema, however deep, with a name to find it by. */
function listProperties(schema: unknown, path: string): Array<{ path: string; schema: Schema }> {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'examples' || key === 'example') return []
    if (key !== 'properties' || Array.isArray(value)) return listProperties(value, path)
    const properties = Object.entries(value as Record<string, Schema>)
    return properties.flatMap(([name, property]) => [
      { path: `${path}.${name}`, schema: property },
      ...listProperties(property, `${path}.${name}`),
    ])
  })
}

describe('examples', () => {
  test('every property has one, and it is valid', () => {
    const properties = [
      ...listProperties(document.components.schemas, 'schemas'),
      ...operations.flatMap((operation) => listProperties(operation, operation.operationId)),
    ]
    expect(properties.length).toBeGreaterThan(1_000)
    const without = properties.filter(({ schema }) => !schema.$ref && !schema.examples)
    expect(without.map(({ path }) => path)).toEqual([])
    const wrong = properties.flatMap(({ path, schema: { examples = [], ...schema } }) =>
      examples.flatMap((example) => errorsOf(schema, example).map((error) => `${path}: ${error}`)),
    )
    expect(wrong).toEqual([])
  })

  test('every parameter, body and answer has one, and it is valid', () => {
    const problems = operations.flatMap(({ operationId, parameters = [], requestBody, responses = {} }) => {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      const media = contents.flatMap((content) =>
        Object.entries(content ?? {}).filter(([type]) => type.endsWith('json')),
      )
      const ofMedia = media.flatMap(([, { schema, example, examples }]) => {
        // A response without a body.
        if (!schema || examples || schema.type === 'null') return []
        return example === undefined ? ['a body has no example'] : errorsOf(schema, example)
      })
      const ofParameters = parameters.flatMap(({ name, schema, example }) =>
        example === undefined
          ? [`${name} has no example`]
          : errorsOf(schema ?? {}, example).map((error) => `${name}${error}`),
      )
      return [...ofMedia, ...ofParameters].map((problem) => `${operationId}: ${problem}`)
    })
    expect(problems).toEqual([])
  })

  test('every error has one, and it is valid', () => {
    const named = new Set<string | undefined>(
      [...JSON.stringify(document.paths).matchAll(/#\/components\/examples\/(\w+)/g)].map(([, code]) => code),
    )
    expect(Object.keys(document.components.examples).sort()).toEqual(
      [...named].toSorted((one = '', other = '') => (one < other ? -1 : 1)),
    )
    expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining([...named]))
    const error = document.components.schemas['Error'] ?? {}
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      expect([code, errorsOf(error, value)]).toEqual([code, []])
    }
    const refused = operations.flatMap(({ operationId, responses = {} }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => Number(status) >= 400 && content)
        .map(([status, { content = {} }]) => ({ at: `${operationId} ${status}`, media: Object.values(content) })),
    )
    const without = refused.filter(({ media }) => !media.every(({ examples, example }) => examples ?? example))
    expect(without.map(({ at }) => at)).toEqual([])
  })

  test('a name without a value is found', () => {
    const planted: ExampleDocument = {
      components: { schemas: { Thing: { type: 'object', properties: { never_heard_of: { type: 'string' } } } } },
    }
    expect(addExamples(planted, 'https://app.example.com/docs')).toEqual(['Thing.never_heard_of'])
  })
})
