/** Which feature owns which table, who else may read it and why, and what the code does in fact. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProduct, ROOT, readSources, type Source } from './sources.ts'

/** The owner writes a table and defines what its rows mean. */
export const OWNERS: Record<string, string> = {
  account: 'accounts',
  account_answer: 'resolution',
  api_key: 'accounts',
  audit_anchor: 'evidence',
  audit_anchored: 'accounts',
  audit_chain: 'accounts',
  audit_event: 'accounts',
  audit_stream: 'webhooks',
  blocked_pair: 'decisions',
  bulk: 'bulk',
  bulk_cells: 'bulk',
  bulk_file: 'bulk',
  bulk_mapping: 'bulk',
  bulk_row: 'bulk',
  company: 'register',
  company_figures: 'register',
  company_item: 'register',
  company_list: 'signals',
  company_list_member: 'signals',
  company_link: 'resolution',
  company_name: 'register',
  company_part: 'register',
  psc: 'register',
  person_removal: 'register',
  withheld_person: 'register',
  withheld_salt: 'register',
  connection: 'oauth',
  credit_balance: 'credits',
  credit_hold: 'credits',
  ended_session: 'accounts',
  erased_evidence: 'evidence',
  evidence_certificate: 'evidence',
  evidence_key: 'evidence',
  evidence_record: 'evidence',
  familiar_address: 'accounts',
  idempotency_key: 'entry',
  incident: 'incidents',
  incident_update: 'incidents',
  instant_signal: 'signals',
  known_domain: 'resolution',
  ledger_entry: 'credits',
  name_token: 'register',
  list_calendar: 'signals',
  list_email: 'signals',
  notification_setting: 'signals',
  oauth_payload: 'oauth',
  one_time_token: 'accounts',
  outgoing_turn: 'lib',
  page_body: 'page-archive',
  page_capture: 'page-archive',
  page_removal: 'page-archive',
  paid_fact: 'resolution',
  paid_subject: 'resolution',
  partitioning: 'lib',
  rate_bucket: 'lib',
  refund_request: 'review',
  register_change: 'register',
  register_document_budget: 'register',
  register_load_piece: 'register',
  register_rest_budget: 'register',
  register_snapshot: 'register',
  register_stream: 'register',
  resolution: 'resolution',
  resolution_job: 'resolution',
  resolution_work: 'resolution',
  review_decision: 'decisions',
  review_item: 'decisions',
  saved_view: 'accounts',
  schema_migration: 'lib',
  search_rebuild: 'register',
  search_touched: 'register',
  second_reader_answer: 'second-reader',
  second_reader_day: 'second-reader',
  second_reader_measure: 'second-reader',
  share_link: 'resolution',
  signal: 'signals',
  signal_mark: 'signals',
  signal_sweep: 'signals',
  signing_key: 'accounts',
  site_claim: 'resolution',
  spending_cap: 'credits',
  spending_day: 'credits',
  sweep: 'resolution',
  sweep_domain: 'resolution',
  sweep_reading: 'resolution',
  usage_day: 'credits',
  watch: 'signals',
  watch_note: 'signals',
  watched_signal: 'signals',
  watchlist: 'signals',
  webhook_attempt: 'webhooks',
  webhook_delivery: 'webhooks',
  webhook_destination: 'webhooks',
  webhook_event: 'webhooks',
  website_check: 'resolution',
  website_check_walk: 'resolution',
  website_search: 'resolution',
}

interface Allowance {
  /** The folder that may use the tables. */
  by: string
  tables: readonly string[]
  because: string
}

/** Uses by other features. What is not here goes through a function of the owner. */
export const ALLOWED: readonly Allowance[] = [
  {
    by: 'signals',
    tables: ['account'],
    because: 'one statement opens a calendar by the secret in its address, unless its account is disabled',
  },
  {
    by: 'signals',
    tables: ['company'],
    because: 'one statement shows a page of a watchlist with the names of its companies',
  },
  {
    by: 'signals',
    tables: ['webhook_destination'],
    because: 'one statement feeds all watchers of a signal and finds the few among them that have a destination',
  },
  {
    by: 'resolution',
    tables: ['company'],
    because: 'one statement reads all callbacks of an answer with the present names of their companies',
  },
  {
    by: 'resolution',
    tables: ['watch', 'watchlist'],
    because: 'the walk over watched companies costs one step into the index for each, however many accounts watch it',
  },
  {
    by: 'resolution',
    tables: ['account'],
    because: 'the statement that reads a known answer chooses it by the account’s setting on the second reader',
  },
  {
    by: 'bulk',
    tables: ['company'],
    because: 'one statement searches and sorts the rows of a bulk job by the names of the companies that people chose',
  },
  {
    by: 'decisions',
    tables: ['resolution'],
    because: 'the statement that puts a domain on a list also writes what the list is searched by',
  },
  {
    by: 'decisions',
    tables: ['bulk', 'bulk_row'],
    because: 'one statement reads a page of the list that has only the domains of a bulk job',
  },
  {
    by: 'oauth',
    tables: ['account'],
    because: 'one statement finds a token with its connection and its account, so that a new password ends it at once',
  },
  {
    by: 'evidence',
    tables: ['audit_event'],
    because:
      'one statement compares all records with the entries of their making, and finds what is in one of the two alone',
  },
  {
    by: 'privacy',
    tables: Object.keys(OWNERS).filter((table) => OWNERS[table] !== 'register'),
    because: 'an export and an erasure reach every row about an account',
  },
]

export interface ForeignUse {
  file: string
  table: string
  owner: string
  isWrite: boolean
}

export function listTables(): string[] {
  const schema = readFileSync(join(ROOT, 'schema.sql'), 'utf8')
  return [...schema.matchAll(/^create (?:unlogged )?table ([a-z_]+) \(/gm)].map((match) => match[1] ?? '')
}

/** Returns each use of a table by a file outside the folder that owns it. Fixtures count, tests do not. */
export function listForeignUses(sources: readonly Pick<Source, 'file' | 'text'>[] = readSources()): ForeignUse[] {
  const tables = new Set(listTables())
  const uses = new Map<string, ForeignUse>()
  for (const { file, text } of sources.filter(isProduct)) {
    const folder = file.split('/')[1] ?? ''
    const sql = readSql(text)
    for (const [, verb = '', table = ''] of [
      ...sql.matchAll(USES),
      ...(sql.includes('from ${table}') ? text.matchAll(LISTED) : []),
    ]) {
      const owner = OWNERS[table]
      if (!tables.has(table) || owner === folder) continue
      const isWrite = verb === 'into' || verb === 'update' || new RegExp(`delete from (?:${table}\\b|\\$\\{)`).test(sql)
      const key = `${file} ${table}`
      uses.set(key, { file, table, owner: owner ?? 'nobody', isWrite: isWrite || (uses.get(key)?.isWrite ?? false) })
    }
  }
  return [...uses.values()]
}

const USES = /\b(from|join|into|update|using)\s+(?:only\s+)?([a-z_]+)\b/g
/** A table in a list from which statements are made: `['watchlist', …`. */
const LISTED = /^ +(\[)'([a-z_]+)', /gm

/** Returns the uses that no allowance covers. */
export function listForbiddenUses(uses: readonly ForeignUse[]): ForeignUse[] {
  return uses.filter(
    ({ file, table, isWrite }) =>
      !ALLOWED.some(
        ({ by, tables }) => file.startsWith(`src/${by}/`) && tables.includes(table) && (!isWrite || by === 'privacy'),
      ),
  )
}

/** Returns the texts of a program that are SQL, without its comments. */
export function readSql(text: string): string {
  const texts = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').match(/`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'/g) ?? []
  return texts.filter((one) => /\b(?:select|insert into|update|delete from|join)\b/.test(one)).join('\n')
}
