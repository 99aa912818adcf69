import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument } from '../../../rig/requests/operations.ts'
import type { FindingKind } from './findings.ts'
import { SCRIPT_MARK } from './hostile-values.ts'
import type { FuzzRequest } from './mutations.ts'

export interface FuzzResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface Fault {
  kind: FindingKind
  detail: string
}

/** Statuses of a request that reaches no operation. */
const EVERYWHERE = new Set([400, 404, 405, 408, 413, 414, 415, 417, 431])
/** A change to one of these may lead to another operation, or to none. */
const REROUTING = new Set(['method', 'path', 'path value', 'path and headers'])
const SECURITY_HEADERS = ['x-content-type-options', 'referrer-policy', 'x-request-id', 'content-security-policy']
/** Words that are only in our own stack traces, programs and database. */
const INNER_WORDS =
  /node_modules|\n\s+at |\.ts:\d|at or near|invalid input syntax|violates \w+[- ]?\w* constraint|duplicate key value|invalid byte sequence|out of range for type|ZodError|TypeError|RangeError|SyntaxError|Cannot read prop|Maximum call stack|is not a function/

export type Check = (request: FuzzRequest, response: FuzzResponse) => Fault[]

/** Compares responses with the OpenAPI document, and with what is promised of every response. */
export function createCheck(document: ApiDocument): Check {
  const ajv = new Ajv2020({ strict: false })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' })
  const compiled = new Map<string, ValidateFunction | null>()
  const schemaAt = (pointer: string[]) => {
    const key = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const known = compiled.get(key)
    if (known !== undefined) return known
    const validate = ajv.getSchema(`openapi#/${key}`) ?? null
    compiled.set(key, validate)
    return validate
  }
  const matches = (pointer: string[], body: unknown): string | null => {
    const validate = schemaAt(pointer)
    if (!validate) return `there is no schema at ${pointer.join(' ')}`
    return validate(body) ? null : ajv.errorsText(validate.errors)
  }

  return (request, response) => {
    const faults = checkAny(response)
    if (response.status >= 500 || request.method === 'HEAD' || request.method === 'OPTIONS') return faults
    const { operation } = request
    const isRerouted = request.mutations.some((name) => REROUTING.has(name))
    const documented = operation.answers?.[String(response.status)]
    const mediaType = String(response.headers['content-type'] ?? '').split(';')[0] ?? ''
    if (operation.id === 'callAgentEndpoint' && isOfTheProtocol(response.status, mediaType)) return faults
    if (!documented) {
      if (operation.answers && !isRerouted && !EVERYWHERE.has(response.status))
        faults.push({ kind: 'undocumented status', detail: String(response.status) })
      if (mediaType !== 'application/json' || response.status < 400 || operation.answers === null) return faults
      const wrong = matches(['components', 'schemas', 'Error'], JSON.parse(response.text))
      if (wrong !== null && operation.id !== 'callAgentEndpoint')
        faults.push({ kind: 'schema mismatch', detail: wrong })
      return faults
    }
    if (isRerouted || response.status === 302) return faults
    if (mediaType !== 'application/json') {
      if (!documented.content?.[mediaType] && !isFile(mediaType))
        faults.push({ kind: 'schema mismatch', detail: `${response.status} came as ${mediaType}` })
      return faults
    }
    const pointer = ['paths', operation.template, operation.method.toLowerCase(), 'responses', String(response.status)]
    const body = parseJson(response.text)
    const wrong = body === undefined ? 'no JSON' : matches([...pointer, 'content', 'application/json', 'schema'], body)
    if (wrong !== null) faults.push({ kind: 'schema mismatch', detail: `${response.status}: ${wrong}` })
    return faults
  }
}

/** The agent endpoint's description adds to the schemas: notifications are accepted, responses may be streams. */
function isOfTheProtocol(status: number, mediaType: string): boolean {
  return status === 202 || (status === 200 && mediaType === 'text/event-stream')
}

/** Files and pages have tests of their own. */
function isFile(mediaType: string): boolean {
  return ['text/html', 'text/csv', 'application/x-ndjson', 'application/jsonl'].includes(mediaType)
}

function checkAny({ status, headers, text }: FuzzResponse): Fault[] {
  const faults: Fault[] = []
  if (status === 503 && headers['retry-after'] !== undefined) faults.push({ kind: 'busy', detail: '503' })
  else if (status >= 500) faults.push({ kind: 'server error', detail: String(status) })
  const missing = SECURITY_HEADERS.filter((name) => headers[name] === undefined)
  if (missing.length > 0) faults.push({ kind: 'header missing', detail: `${status}: ${missing.join(', ')}` })
  const contentType = String(headers['content-type'] ?? '')
  const inner = contentType.includes('javascript') ? null : INNER_WORDS.exec(text)
  if (inner) faults.push({ kind: 'inner words', detail: inner[0] })
  if (contentType.startsWith('text/html') && text.includes(SCRIPT_MARK))
    faults.push({ kind: 'script on a page', detail: SCRIPT_MARK })
  if (contentType.startsWith('application/json') && text !== '' && parseJson(text) === undefined)
    faults.push({ kind: 'schema mismatch', detail: 'no JSON' })
  return faults
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
