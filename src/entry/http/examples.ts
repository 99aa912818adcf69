/** Writes the examples that a test has recorded from the service (docs/examples.json) into the OpenAPI document. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type ErrorCode, isRetryable } from '../../errors.ts'
import { lazy } from '../../lib/lazy.ts'
import { ERRORS } from './errors.ts'

interface Recorded {
  operations: Record<string, { parameters: Record<string, string>; body?: unknown; responses: Record<string, unknown> }>
  webhooks: Record<string, { headers: Record<string, string>; body: unknown }>
  errors: Partial<Record<ErrorCode, object>>
}

interface Media {
  schema?: { $ref?: string }
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

interface Parameter {
  name: string
  schema?: { type?: string | string[] }
  example?: unknown
}

interface Operation {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, Media> }
  responses?: Record<string, { description?: string; content?: Record<string, Media> }>
}

export interface ExampleDocument {
  components?: { examples?: Record<string, unknown> }
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
}

export function addExamples(document: ExampleDocument, config: Pick<Config, 'baseUrl' | 'siteUrl'>): void {
  const recorded = readRecorded(config)
  const named = new Set<string>()
  for (const operation of Object.values(document.paths ?? {}).flatMap((item) => Object.values(item))) {
    const example = recorded.operations[operation.operationId ?? '']
    setRequest(operation, example?.parameters ?? {}, example?.body)
    for (const [status, { description = '', content }] of Object.entries(operation.responses ?? {})) {
      const media = content?.['application/json']
      if (!media) continue
      const codes = media.schema?.$ref?.endsWith('/Error') ? listCodes(description) : []
      for (const code of codes) named.add(code)
      if (codes.length > 0) media.examples = Object.fromEntries(codes.map((code) => [code, { $ref: `${PATH}${code}` }]))
      else setExample(media, example?.responses[status])
    }
  }
  for (const [name, item] of Object.entries(document.webhooks ?? {})) {
    const { headers = {}, body } = recorded.webhooks[name] ?? {}
    for (const operation of Object.values(item)) setRequest(operation, headers, body)
  }
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => named.has(code))
  if (codes.length === 0) return
  const examples = codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleError(code, config) }])
  document.components = { ...document.components, examples: Object.fromEntries(examples) }
}

const PATH = '#/components/examples/'

/** Each code that a response may have is in its description. */
const listCodes = (description: string): string[] =>
  [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code).filter((code) => code in ERRORS)

function setRequest({ parameters = [], requestBody }: Operation, sent: Record<string, string>, body: unknown): void {
  for (const parameter of parameters) {
    const text = sent[parameter.name] ?? sent[parameter.name.toLowerCase()]
    if (text !== undefined) parameter.example = isNumber(parameter) ? Number(text) : text
  }
  const media = requestBody?.content?.['application/json']
  if (media) setExample(media, body)
}

function setExample(media: Media, example: unknown): void {
  if (example !== undefined) media.example = example
}

const isNumber = ({ schema }: Parameter): boolean =>
  [schema?.type].flat().some((type) => type === 'integer' || type === 'number')

/** Returns the body of an error as a caller gets it. One that is not recorded has its title for a detail. */
export function exampleError(code: ErrorCode, config: Pick<Config, 'baseUrl' | 'siteUrl'>): object {
  const recorded = readRecorded(config).errors
  if (recorded[code]) return recorded[code]
  const { title, status } = ERRORS[code]
  const { request_id } = { ...recorded.not_found } as { request_id?: string }
  const type = new URL(`/docs/errors/${code}`, config.siteUrl).href
  return { type, title, status, detail: `${title}.`, code, request_id, retryable: isRetryable(code) }
}

const readText = lazy(() => readFileSync(join(import.meta.dirname, '../../../docs/examples.json'), 'utf8'))

/** The addresses in it are this service's own. */
function readRecorded({ baseUrl, siteUrl }: Pick<Config, 'baseUrl' | 'siteUrl'>): Recorded {
  const text = readText()
    .replaceAll('https://api.example.com', baseUrl.origin)
    .replaceAll('https://app.example.com', siteUrl.origin)
  return JSON.parse(text) as Recorded
}
