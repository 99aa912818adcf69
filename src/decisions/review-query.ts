/** Pages of an account's list: filtered, searched, in one of five orders, and counted. */
import { DomainError } from '../errors.ts'
import type { Db } from '../lib/db/db.ts'
import { parseCompanyNumber } from '../register/index.ts'
import { type EntryRow, type ReviewEntry, SELECT_ENTRY, toEntry } from './review-list.ts'

export const REVIEW_SORTS = ['surest', 'least_sure', 'newest', 'oldest', 'domain'] as const
export type ReviewSort = (typeof REVIEW_SORTS)[number]

export interface ReviewFilter {
  accountId: string
  status: 'open' | 'decided'
  domain?: string | undefined
  /** The beginning of a domain, a part of a candidate's name, or a candidate's number. */
  text?: string | undefined
  confidenceMin?: number | undefined
  confidenceMax?: number | undefined
  /** Only domains of this bulk job of the account. */
  bulkId?: string | undefined
  /** The resolver's word for the kind of doubt. */
  situation?: string | undefined
  /** Days of London on which a review was added or, if it is decided, decided; both included. */
  from?: string | undefined
  to?: string | undefined
}

export interface ReviewQuery extends ReviewFilter {
  /** The surest first by default; of those decided, the newest. */
  sort?: ReviewSort | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

/** A position in the list: the confidence, the time in milliseconds or the domain that orders an item, and its id. */
export const REVIEW_CURSOR = /^[a-z\d.-]{1,253}_rev_\w{27}$/

interface Order {
  by: string
  /** SQL for the entries after the one with this key and id. */
  after: (key: string, id: string) => string
  cursor: RegExp
  /** The type of the key, and the value of a cursor as the database takes it. */
  type: string
  read: (key: string) => unknown
  keyOf: (row: EntryRow) => string
}

const BY_CONFIDENCE = {
  cursor: /^(\d(?:\.\d{1,16})?(?:e-(?:\d|[12]\d|3[0-7]))?)_(rev_\w{27})$/,
  type: 'real',
  read: (key: string) => key,
  keyOf: ({ confidence }: EntryRow) => String(confidence),
}
const BY_TIME = {
  cursor: /^(\d{13})_(rev_\w{27})$/,
  type: 'timestamptz',
  read: (key: string) => new Date(Number(key)),
}

/** An order and its reverse read one index, forwards and backwards. */
function findOrder(sort: ReviewSort, status: ReviewFilter['status']): Order {
  const time = status === 'open' ? 'i.created_at' : 'i.updated_at'
  const keyOf = ({ createdAt, updatedAt }: EntryRow) => String((status === 'open' ? createdAt : updatedAt).getTime())
  const falling = (column: string) => ({
    by: `${column} desc, i.id`,
    after: (key: string, id: string) => `${column} <= ${key} and (${column} < ${key} or i.id > ${id})`,
  })
  const rising = (column: string) => ({
    by: `${column}, i.id desc`,
    after: (key: string, id: string) => `${column} >= ${key} and (${column} > ${key} or i.id < ${id})`,
  })
  switch (sort) {
    case 'surest':
      return { ...BY_CONFIDENCE, ...falling('i.confidence') }
    case 'least_sure':
      return { ...BY_CONFIDENCE, ...rising('i.confidence') }
    case 'newest':
      return { ...BY_TIME, ...falling(time), keyOf }
    case 'oldest':
      return { ...BY_TIME, ...rising(time), keyOf }
    case 'domain':
      return {
        ...rising('i.domain'),
        cursor: /^([a-z\d.-]{1,253})_(rev_\w{27})$/,
        type: 'text',
        read: (key) => key,
        keyOf: ({ domain }) => domain,
      }
  }
}

export async function listReviewPage(
  db: Db,
  query: ReviewQuery,
): Promise<{ entries: ReviewEntry[]; nextCursor: string | null }> {
  const { status, limit, offset, cursor, sort = status === 'open' ? 'surest' : 'newest' } = query
  const order = findOrder(sort, status)
  const { asked, values, put } = toConditions(query)
  if (cursor !== undefined) {
    const [, key, id] = order.cursor.exec(cursor) ?? []
    if (key === undefined || id === undefined) throw otherOrder()
    asked.push(`(${order.after(put(order.read(key), order.type), put(id, 'text'))})`)
  }
  const rows = await db.query<EntryRow>(
    `${SELECT_ENTRY} where ${asked.join(' and ')}
     order by ${order.by} limit ${put(limit + 1, 'int')} offset ${put(offset, 'int')}`,
    values,
  )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { entries: shown.map(toEntry), nextCursor: last ? `${order.keyOf(last)}_${last.id}` : null }
}

/** A condition is in the statement only where it is asked for, so that each statement has a plan of its own. */
function toConditions(filter: ReviewFilter) {
  const values: unknown[] = [filter.accountId]
  const put = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const { domain, text, confidenceMin, confidenceMax, bulkId, situation, from, to, status } = filter
  const asked = ['i.account_id = $1', `i.state = '${status === 'open' ? 'open' : 'decided'}'`]
  const day = status === 'open' ? 'i.created_at' : 'i.updated_at'
  if (domain !== undefined) asked.push(`i.domain = ${put(domain, 'text')}`)
  if (situation !== undefined) asked.push(`i.situation = ${put(situation, 'text')}`)
  if (confidenceMin !== undefined) asked.push(`i.confidence >= ${put(confidenceMin, 'real')}`)
  if (confidenceMax !== undefined) asked.push(`i.confidence <= ${put(confidenceMax, 'real')}`)
  if (from !== undefined) asked.push(`${day} >= ${startOf(put(from, 'date'))}`)
  if (to !== undefined) asked.push(`${day} < ${startOf(`${put(to, 'date')} + 1`)}`)
  if (bulkId !== undefined) {
    asked.push(`i.domain in (select line.domain from bulk_row line join bulk on bulk.id = line.bulk_id
      where line.bulk_id = ${put(bulkId, 'text')} and bulk.account_id = $1)`)
  }
  const wanted = text?.trim().toLowerCase() ?? ''
  if (wanted !== '') {
    const words = put(wanted, 'text')
    const number = put(parseCompanyNumber(wanted), 'text')
    asked.push(`(starts_with(i.domain, ${words}) or strpos(i.candidate_names, ${words}) > 0
      or ${number} = any (i.candidate_numbers))`)
  }
  return { asked, values, put }
}

const startOf = (day: string) => `(${day})::timestamp at time zone 'Europe/London'`

function otherOrder(): DomainError {
  const message = 'belongs to a list in another order; leave it out to start again'
  return new DomainError('invalid_request', `cursor ${message}.`, { errors: [{ field: 'cursor', message }] })
}

/** Counting ends here: a longer list is "100,000 or more". */
const COUNTED_MAX = 100_000

export interface ReviewCounts {
  /** All open ones of the account. */
  open: number
  decidedToday: number
  /** As many as fit the filter. */
  total: number
}

/** Counts the list for the person who works through it. `today` is the day in London. */
export async function countReviews(db: Db, filter: ReviewFilter, today: string): Promise<ReviewCounts> {
  const { asked, values, put } = toConditions(filter)
  const counted = (conditions: string) =>
    `(select count(*)::int from (select from review_item i where ${conditions} limit ${COUNTED_MAX}) one)`
  const [row] = await db.query<ReviewCounts>(
    `select ${counted(`i.account_id = $1 and i.state = 'open'`)} as open,
       ${counted(`i.account_id = $1 and i.state = 'decided' and i.updated_at >= ${startOf(put(today, 'date'))}`)} as "decidedToday",
       ${counted(asked.join(' and '))} as total`,
    values,
  )
  return row ?? { open: 0, decidedToday: 0, total: 0 }
}

interface AlikeAsk {
  accountId: string
  /** The review that the others are compared with. */
  exceptId: string
  limit: number
}

/** Returns open reviews whose best candidate is one of these companies, the surest first. */
export async function listByBestCandidate(
  db: Db,
  { accountId, exceptId, limit, numbers }: AlikeAsk & { numbers: readonly string[] },
): Promise<ReviewEntry[]> {
  const rows = await db.query<EntryRow>(
    `${SELECT_ENTRY} where i.account_id = $1 and i.state = 'open' and i.candidate_numbers[1] = any ($2) and i.id <> $3
     order by i.confidence desc, i.id limit $4`,
    [accountId, numbers, exceptId, limit],
  )
  return rows.map(toEntry)
}

/** Returns open reviews with the same kind of doubt, the surest first. */
export async function listByDoubt(
  db: Db,
  { accountId, exceptId, limit, situation }: AlikeAsk & { situation: string },
): Promise<ReviewEntry[]> {
  const rows = await db.query<EntryRow>(
    `${SELECT_ENTRY} where i.account_id = $1 and i.state = 'open' and i.situation = $2 and i.id <> $3
     order by i.confidence desc, i.id limit $4`,
    [accountId, situation, exceptId, limit],
  )
  return rows.map(toEntry)
}
