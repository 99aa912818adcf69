/** The readings of a crawl store: the newest of each domain, kept while it is fresh. Their content means nothing here. */
import type { Db } from '../db/db.ts'

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

export async function findReading<Answer>(db: Db, domain: string): Promise<CrawlReading<Answer> | null> {
  const [row] = await db.query<ReadingRow>(`select ${COLUMNS} from crawl_reading where domain = $1`, [domain])
  return row ? { ...row, answer: fromStored(row.answer) as Answer } : null
}

/** Takes one member out of the reading of a domain. Returns how many readings had it. */
export async function removeMember(db: Db, { domain, member }: { domain: string; member: string }): Promise<number> {
  const changed = await db.query(
    'update crawl_reading set answer = answer - $2 where domain = $1 and answer ? $2 returning domain',
    [domain, member],
  )
  return changed.length
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
