import type { Random } from '../../../rig/random.ts'
import type { Cast, Customer } from '../../../rig/requests/cast.ts'
import type { Operation, Parameter } from '../../../rig/requests/operations.ts'
import { validValue } from '../../../rig/requests/valid-value.ts'

/** A request while it can still be changed part by part. */
export interface Draft {
  operation: Operation
  method: string
  /** By the name in the template; written into the path as they stand. */
  path: Map<string, string>
  /** Kept as they will stand in the address. */
  query: Array<[name: string, value: string]>
  pathSuffix: string
  headers: Record<string, string | string[]>
  mediaType: string | null
  body: unknown
  /** Sent instead of the body. */
  rawBody: string | Buffer | null
  /** Written into the body in the place of one value. */
  rawValue: string | null
}

export interface Written {
  path: string
  headers: Record<string, string | string[]>
  body: string | Buffer | null
}

/** Where `rawValue` goes. */
export const RAW = '@@raw@@'

export function draftRequest(random: Random, operation: Operation, cast: Cast): Draft {
  const at = (where: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === where)
  const mediaTypes = Object.keys(operation.bodies)
  const mediaType = mediaTypes.length > 0 ? random.pick(mediaTypes) : null
  const customer = random.pick(ENDING.has(operation.id) ? cast.leaving : cast.customers)
  const value = (parameter: Parameter) => toText(validValue(random, cast, parameter.schema, parameter.name))
  return {
    operation,
    method: operation.method,
    path: new Map(at('path').map((parameter) => [parameter.name, pathValue(random, operation, cast, parameter)])),
    query: at('query')
      .filter(() => random.isTrue(0.5))
      .map((parameter) => [parameter.name, encodeText(value(parameter))]),
    pathSuffix: '',
    headers: { ...addressOf(random), ...credentialOf(random, operation, customer), ...manners(random, operation) },
    mediaType,
    body: mediaType === null ? undefined : draftBody(random, operation, cast, mediaType),
    rawBody: null,
    rawValue: null,
  }
}

function draftBody(random: Random, operation: Operation, cast: Cast, mediaType: string): unknown {
  if (operation.id === 'callAgentEndpoint') return rpcMessage(random, cast)
  if (mediaType === 'text/csv') return `domain\n${cast.domains.slice(0, 1 + random.below(5)).join('\n')}\n`
  return validValue(random, cast, operation.bodies[mediaType] ?? {})
}

function pathValue(random: Random, { template }: Operation, cast: Cast, { name, schema }: Parameter): string {
  const known = cast.ids.pick(random, template, name)
  if (known !== null && random.isTrue(0.85)) return encodeText(known)
  return encodeText(toText(validValue(random, cast, schema, name)))
}

/** Operations that end a customer's key or session. */
const ENDING = new Set(['rotateApiKey', 'changePassword'])

/** From one of many addresses, as behind a proxy: limits per address have tests of their own. */
function addressOf(random: Random): Record<string, string> {
  return { 'x-forwarded-for': `10.${random.below(250)}.${random.below(250)}.${random.below(250)}` }
}

function credentialOf(random: Random, { host, id }: Operation, customer: Customer): Record<string, string> {
  const chance = random.next()
  if (chance < 0.06) return {}
  if (host === 'site') return { cookie: `session=${customer.token}` }
  if (ENDING.has(id) || /Connections?$/.test(id)) return { authorization: `Bearer ${customer.token}` }
  if (chance < 0.5) return { 'x-api-key': customer.key }
  if (chance < 0.7) return { 'x-api-key': customer.testKey }
  return id.startsWith('enrich') || id.startsWith('partner') || id === 'callAgentEndpoint'
    ? { 'x-api-key': customer.key }
    : { authorization: `Bearer ${customer.token}` }
}

function manners(random: Random, { id }: Operation): Record<string, string> {
  const headers: Record<string, string> = {}
  if (id === 'callAgentEndpoint') headers['accept'] = 'application/json, text/event-stream'
  if (random.isTrue(0.08)) headers['idempotency-key'] = `key-${random.below(500)}`
  return headers
}

export function writeDown(draft: Draft): Written {
  const { operation, headers } = draft
  const path = operation.template.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.path.get(name) ?? name)
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&')
  const isSent = draft.mediaType !== null || draft.rawBody !== null
  const body = isSent ? (draft.rawBody ?? bodyText(draft)) : null
  if (draft.mediaType && body !== null) headers['content-type'] = draft.mediaType
  return { path: `${path}${draft.pathSuffix}${query === '' ? '' : `?${query}`}`, headers, body }
}

export function bodyText({ body, mediaType, rawValue }: Draft): string {
  if (typeof body === 'string' && mediaType === 'text/csv') return body
  if (mediaType?.startsWith('application/x-www-form-urlencoded') && typeof body === 'object' && body !== null) {
    return Object.entries(body)
      .map(([name, value]) => `${encodeText(name)}=${encodeText(toText(value))}`)
      .join('&')
  }
  const text = JSON.stringify(body) ?? 'null'
  return rawValue === null ? text : text.replace(`"${RAW}"`, () => rawValue)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Like `encodeURIComponent`, which refuses half a surrogate pair. */
export function encodeText(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : encodeURIComponent(text.toWellFormed()) + '%ed%a0%80'
}

const TOOLS: Record<string, readonly string[]> = {
  check_job: ['job_id', 'wait_seconds'],
  find_company_behind_domain: ['domain', 'max_age_days', 'wait_seconds'],
  find_company_website: ['company_number', 'refresh', 'wait_seconds'],
  get_account: [],
  get_company: ['company_number'],
  list_company_signals: ['company_number', 'limit'],
  list_watched_signals: ['limit'],
  search_companies: ['name', 'postcode', 'page'],
  unwatch_company: ['company_number'],
  watch_company: ['company_number'],
}

const OTHER_METHODS = ['tools/list', 'ping', 'resources/list', 'resources/templates/list', 'prompts/list', 'initialize']

/** Returns a message of the Model Context Protocol, which the document leaves open. */
function rpcMessage(random: Random, cast: Cast): object {
  const id = random.below(1_000)
  if (random.isTrue(0.25)) return { jsonrpc: '2.0', id, method: random.pick(OTHER_METHODS), params: {} }
  const name = random.pick(Object.keys(TOOLS))
  const names = TOOLS[name] ?? []
  const input = names.map((member) => [member, toolInput(random, cast, member)])
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: Object.fromEntries(input) } }
}

function toolInput(random: Random, cast: Cast, member: string): unknown {
  if (member === 'job_id') return cast.ids.pick(random, '', 'job_id') ?? 'job_none'
  if (member === 'refresh') return false
  if (member === 'wait_seconds') return 1
  if (member === 'page' || member === 'limit' || member === 'max_age_days') return 1 + random.below(3)
  return validValue(random, cast, { type: 'string' }, member)
}
