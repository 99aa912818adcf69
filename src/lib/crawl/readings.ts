/** The readings of a crawl store: the newest of each domain, kept while it is fresh. Their content means nothing here. */
import type { Db } from '../db/db.ts'
import type { CrawlStores } from './stores.ts'

export interface CrawlReading<Answer> {
  id: string
  domain: string
  outcome: string
  modelVersion: string
  resolvedAt: Date
  expiresAt: Date
  answer: Answer
}

type ReadingRow = Omit<CrawlReading<unknown>, 'answer'> & { answer: unknown }

const COLUMNS = `reading_id as id, domain, outcome, model_version as "modelVersion", resolved_at as "resolvedAt",
  expires_at as "expiresAt", answer`

/** Keeps a reading unless a newer one of the domain is there. */
export async function putReading(db: Db, reading: CrawlReading<object>): Promise<void> {
  const { domain, id, outcome, modelVersion, resolvedAt, expiresAt, answer } = reading
  await db.query(
    `insert into crawl_reading as kept (domain, reading_id, outcome, model_version, resolved_at, expires_at, answer)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (domain) do update
       set reading_id = excluded.reading_id, outcome = excluded.outcome, model_version = excluded.model_version,
         resolved_at = excluded.resolved_at, expires_at = excluded.expires_at, answer = excluded.answer
       where kept.resolved_at < excluded.resolved_at`,
    [domain, id, outcome, modelVersion, resolvedAt, expiresAt, toStored(answer)],
  )
}

export async function findReading<Answer>(db: Db, domain: string): Promise<CrawlReading<Answer> | null> {
  const [row] = await db.query<ReadingRow>(`select ${COLUMNS} from crawl_reading where domain = $1`, [domain])
  return row ? { ...row, answer: fromStored(row.answer) as Answer } : null
}

/** Asks the domain's store, and during a move the one before it. Null also when they do not answer in time. */
export async function findInStores<Answer>(stores: CrawlStores, domain: string): Promise<CrawlReading<Answer> | null> {
  const previous = stores.findPreviousOwner(domain)
  for (const store of [stores.ownerOf(domain), ...(previous ? [previous] : [])]) {
    const reading = await stores.ask(store, (db) => findReading<Answer>(db, domain))
    if (reading) return reading
  }
  return null
}

/** Removes the domain's reading unless it is newer than `until`. */
export async function removeReading(db: Db, { domain, until }: { domain: string; until: Date }): Promise<void> {
  await db.query('delete from crawl_reading where domain = $1 and resolved_at <= $2', [domain, until])
}

const EXPIRED_MAX = 1_000

export async function removeExpired(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from crawl_reading where domain in (
       select domain from crawl_reading where expires_at <= $1 order by expires_at limit $2 for update skip locked)`,
    [at, EXPIRED_MAX],
  )
}

const TIME = '$time'

/** JSON has no times. A text that looks like one must stay a text, so times are marked. */
export function toStored(answer: object): string {
  return JSON.stringify(answer, function (this: Record<string, unknown>, key, value: unknown) {
    const original = this[key]
    return original instanceof Date ? { [TIME]: original.toISOString() } : value
  })
}

export function fromStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromStored)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === TIME) return new Date(String(only[1]))
  return Object.fromEntries(entries.map(([key, each]) => [key, fromStored(each)]))
}
