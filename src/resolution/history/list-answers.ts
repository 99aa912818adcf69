/** The answers that an account got: newest first, or those whose domain or company begins with a text. */
import {
  joinOwnDecision,
  OWN_DECISION,
  type OwnDecision,
  type OwnDecisionRow,
  toOwnDecision,
} from '../../decisions/index.ts'
import type { Database, Db } from '../../lib/db/db.ts'
import type { Outcome } from '../../resolver/index.ts'
import { isRefundedSql } from '../money/payments.ts'
import type { AnswerOrigin } from '../request/job-store.ts'

/** One answer in the history of an account. */
export interface HistoryEntry {
  resolutionId: string
  domain: string
  outcome: Outcome
  /** Null where none was matched, and after a refund. */
  companyNumber: string | null
  /** As the register had it when the answer was given. */
  companyName: string | null
  confidence: number | null
  origin: AnswerOrigin
  /** When the account got it first. */
  answeredAt: Date
  /** The credit was given back, so the match is closed. */
  isRefunded: boolean
  /** The account's own decision that replaces it today. */
  decision: OwnDecision | null
}

export interface HistoryFilter {
  /** The beginning of a domain. */
  domain?: string | undefined
  /** The beginning of a company's name or number. */
  company?: string | undefined
  outcome?: Outcome | undefined
  origin?: AnswerOrigin | undefined
  /** Days of London, both included. */
  from?: string | undefined
  to?: string | undefined
}

/** The position after an entry: its sort key, which is empty for a list by time, then its time and id. */
export interface HistoryPosition {
  key: string
  answeredAt: Date
  resolutionId: string
}

interface HistoryAsk extends HistoryFilter {
  accountId: string
  limit: number
  after?: HistoryPosition | undefined
}

export interface HistoryPage {
  entries: HistoryEntry[]
  /** Null on the last page. */
  next: HistoryPosition | null
}

/** Lists, filters and searches have indexes of their own, which also have what the other filters need. */
export async function listAnswers(db: Database, ask: HistoryAsk): Promise<HistoryPage> {
  const { limit } = ask
  const { text, values, isFiltered } = toStatement(ask)
  // The values decide which index finds the page soonest.
  const rows = isFiltered ? await planForValues(db, text, values) : await db.query<PageRow>(text, values)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next = last ? { key: last.key, answeredAt: last.answeredAt, resolutionId: last.resolutionId } : null
  return { entries: shown.map(({ key: _key, ...row }) => toEntry(row)), next }
}

type PageRow = EntryRow & { key: string }

async function planForValues(db: Database, text: string, values: unknown[]): Promise<PageRow[]> {
  return db.transaction(async (tx) => {
    await tx.query('set local plan_cache_mode = force_custom_plan')
    return tx.query<PageRow>(text, values)
  })
}

/** Sorts after every text that begins alike. */
const LAST_CHARACTER = '\u{10FFFF}'
const NUMBER = /^(?:[a-z]{1,2}\d{2,7}|\d{4,8})$/i

type SortKey = 'domain' | 'company_key' | 'company_number'

/** Returns what is searched for in which column. The first of them sorts; without any, the list is by time. */
function listSearches({ domain, company }: HistoryFilter): Array<[column: SortKey, text: string]> {
  const [site, name] = [domain?.trim() ?? '', company?.trim() ?? '']
  const searches: Array<[SortKey, string]> = [
    ['domain', site],
    [NUMBER.test(name) ? 'company_number' : 'company_key', name],
  ]
  return searches.filter(([, text]) => text !== '')
}

/** The database makes small letters of what is searched for, by the same rule by which it made the column. */
const FOLD: Record<SortKey, string> = { domain: 'lower', company_key: 'lower', company_number: 'upper' }

const beginsWith = (column: SortKey, first: string, last: string) =>
  `${column} >= ${FOLD[column]}(${first}) and ${column} < ${FOLD[column]}(${last})`

/**
 * A condition is in the statement only where it is asked for: one plan serves all values of a statement, and a plan for
 * conditions that may be absent cannot use them to find the page in an index. Days are always in it, so that there are few texts.
 */
function toStatement(ask: HistoryAsk): { text: string; values: unknown[]; isFiltered: boolean } {
  const { accountId, limit, outcome, origin, from = '-infinity', to = 'infinity', after } = ask
  const values: unknown[] = [accountId, limit + 1, from, to]
  const put = (value: unknown, type: 'text' | 'timestamptz') => `$${values.push(value)}::${type}`
  const asked: string[] = []
  if (outcome !== undefined) asked.push(`outcome = ${put(outcome, 'text')}`)
  if (origin !== undefined) asked.push(`origin = ${put(origin, 'text')}`)
  const searches = listSearches(ask)
  for (const [column, text] of searches) {
    asked.push(beginsWith(column, put(text, 'text'), put(text + LAST_CHARACTER, 'text')))
  }
  const key = searches[0]?.[0] ?? null
  const isFiltered = asked.length > 0
  if (after) {
    const older = `(at, resolution_id) < (${put(after.answeredAt, 'timestamptz')}, ${put(after.resolutionId, 'text')})`
    asked.push(key === null ? older : isAfter(key, put(after.key, 'text'), older))
  }
  return { text: toText(key, asked), values, isFiltered }
}

const ON_DAYS = `at >= $3::date::timestamp at time zone 'Europe/London'
      and at < ($4::date + 1)::timestamp at time zone 'Europe/London'`

/** The first part is for the index, which has the keys in ascending order and the times of each in descending order. */
const isAfter = (key: SortKey, last: string, older: string) => `${key} >= ${last} and (${key} > ${last} or ${older})`

/** The page first: decisions and refunds are looked up for its entries alone. */
const toText = (key: SortKey | null, asked: readonly string[]) => `with page as materialized (
    select resolution_id, at, ${key ?? `''`} as key from account_answer
    where ${['account_id = $1', ON_DAYS, ...asked].join(' and ')}
    order by ${key === null ? '' : `${key}, `}at desc, resolution_id desc limit $2
  )
  select page.key, ${ENTRY} from page
  join account_answer entry on entry.account_id = $1 and entry.resolution_id = page.resolution_id ${OWN}
  order by page.key, page.at desc, page.resolution_id desc`

const FACT = { domain: 'entry.domain', company: 'entry.company_number' }

const ENTRY = `entry.resolution_id as "resolutionId", entry.domain, entry.outcome, entry.company_number as "companyNumber",
  entry.company_name as "companyName", entry.confidence, entry.origin, entry.at as "answeredAt",
  ${isRefundedSql({ account: 'entry.account_id', ...FACT })} as "isRefunded",
  ${OWN_DECISION} as decision`
const OWN = joinOwnDecision({ account: 'entry.account_id', ...FACT })

type EntryRow = Omit<HistoryEntry, 'decision'> & { decision: OwnDecisionRow | null }

function toEntry({ decision, ...row }: EntryRow): HistoryEntry {
  const entry = { ...row, decision: toOwnDecision(decision) }
  return row.isRefunded ? { ...entry, companyNumber: null, companyName: null, confidence: null } : entry
}

/** Null when the answer is not in the history of the account. */
export async function findEntry(
  db: Db,
  { accountId, resolutionId }: { accountId: string; resolutionId: string },
): Promise<HistoryEntry | null> {
  const [row] = await db.query<EntryRow>(
    `select ${ENTRY} from account_answer entry ${OWN} where entry.account_id = $1 and entry.resolution_id = $2`,
    [accountId, resolutionId],
  )
  return row ? toEntry(row) : null
}

const READINGS_MAX = 50

/** Returns all answers about one domain that the account got, newest first. */
export async function listReadings(
  db: Db,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<HistoryEntry[]> {
  const rows = await db.query<EntryRow>(
    `select ${ENTRY} from account_answer entry ${OWN}
     where entry.account_id = $1 and entry.domain = $2
     order by entry.at desc, entry.resolution_id desc limit ${READINGS_MAX}`,
    [accountId, domain],
  )
  return rows.map(toEntry)
}

/** Returns the newest answer about each domain that the account had at a given time, in the order of the domains. */
export async function listAnswersAt(
  db: Db,
  accountId: string,
  asked: ReadonlyArray<{ domain: string; at: Date }>,
): Promise<Array<string | null>> {
  if (asked.length === 0) return []
  const rows = await db.query<{ id: string | null }>(
    `select (
       select resolution_id from account_answer where account_id = $1 and domain = asked.domain and at <= asked.at
       order by at desc limit 1
     ) as id
     from unnest($2::text[], $3::timestamptz[]) with ordinality asked (domain, at, row) order by asked.row`,
    [accountId, asked.map(({ domain }) => domain), asked.map(({ at }) => at)],
  )
  return rows.map(({ id }) => id)
}

/** Rules on keeping records of customers ask for five years, and the sixth is for the end of the last one. */
const HISTORY_DAYS = 2_192
const DELETED_MAX = 10_000

/** Deletes entries that are too old, and links that ended 90 days ago; call again for more. */
export async function forgetOldHistory(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from account_answer where (account_id, resolution_id) in (
       select account_id, resolution_id from account_answer
       where at < $1::timestamptz - interval '${HISTORY_DAYS} days' limit ${DELETED_MAX})`,
    [at],
  )
  await db.query(
    `delete from share_link where id in (
       select id from share_link where expires_at < $1::timestamptz - interval '90 days' limit ${DELETED_MAX})`,
    [at],
  )
}
