import type { Random } from '../../../rig/random.ts'
import type { Cast } from '../../../rig/requests/cast.ts'
import { validValue } from '../../../rig/requests/valid-value.ts'

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
export function rpcMessage(random: Random, cast: Cast): object {
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
