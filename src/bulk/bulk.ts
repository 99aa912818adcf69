import type { KeyMode } from '../accounts/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db } from '../lib/db/db.ts'
import { OUTCOMES } from '../resolver/index.ts'

export const STATES = ['waiting', 'running', ...OUTCOMES, 'failed', 'invalid', 'duplicate', 'cancelled'] as const
export type RowState = (typeof STATES)[number]

/** Many domains requested together, and their progress. */
export interface BulkJob {
  id: string
  name: string | null
  status: 'running' | 'paused' | 'completed' | 'cancelled'
  pausedReason: string | null
  rowCount: number
  /** Rows by state; together they are the row count. */
  counts: Record<RowState, number>
  creditsSpent: number
  creditsMax: number
  createdAt: Date
  finishedAt: Date | null
  /** At the pace of the last minute; null while no row has ended in it. */
  etaSeconds: number | null
}

interface BulkRow extends Omit<BulkJob, 'counts' | 'creditsSpent' | 'etaSeconds'> {
  runningSince: Date
  /** By state: how many, how many of them were charged, how many ended of late. */
  states: Record<string, [count: number, charged: number, recent: number]>
}

const PACE_SECONDS = 60

// One statement, so that status and counts are of one moment.
const SELECT_BULK = `select bulk.id, bulk.name, bulk.status, bulk.paused_reason as "pausedReason",
    bulk.row_count as "rowCount", bulk.credits_max as "creditsMax", bulk.created_at as "createdAt",
    bulk.running_since as "runningSince", bulk.finished_at as "finishedAt", counted.states
  from bulk cross join lateral (
    select jsonb_object_agg(state, jsonb_build_array(count, charged, recent)) as states from (
      select state, count(*) as count, count(*) filter (where bulk_row.charged) as charged,
        count(*) filter (where ended_at > $3) as recent
      from bulk_row where bulk_id = bulk.id group by state
    ) by_state
  ) counted`

/** An account has bulk jobs in live mode alone: they read real sites. */
export interface BulkOwner {
  accountId: string
  mode: KeyMode
}

export async function getBulk(db: Db, ask: BulkOwner & { id: string; at: Date }): Promise<BulkJob> {
  if (ask.mode === 'test') throw bulkNotFound()
  const [row] = await db.query<BulkRow>(
    `${SELECT_BULK} where bulk.account_id = $1 and bulk.expires_at > $2 and bulk.id = $4`,
    [ask.accountId, ask.at, addSeconds(ask.at, -PACE_SECONDS), ask.id],
  )
  if (!row) throw bulkNotFound()
  return toBulk(row, ask.at)
}

export function bulkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such bulk job, or it is not yours. Bulk jobs are stored for 30 days.',
  )
}

/** The newest first. */
export async function listBulkJobs(
  db: Db,
  page: BulkOwner & { at: Date; limit: number; offset: number },
): Promise<{ bulkJobs: BulkJob[]; hasMore: boolean }> {
  if (page.mode === 'test') return { bulkJobs: [], hasMore: false }
  const rows = await db.query<BulkRow>(
    `${SELECT_BULK} where bulk.account_id = $1 and bulk.expires_at > $2
     order by bulk.created_at desc, bulk.id desc limit $4 offset $5`,
    [page.accountId, page.at, addSeconds(page.at, -PACE_SECONDS), page.limit + 1, page.offset],
  )
  return { bulkJobs: rows.slice(0, page.limit).map((row) => toBulk(row, page.at)), hasMore: rows.length > page.limit }
}

function toBulk(row: BulkRow, at: Date): BulkJob {
  const counts = Object.fromEntries(STATES.map((state) => [state, row.states[state]?.[0] ?? 0]))
  const sum = (index: 1 | 2) => Object.values(row.states).reduce((total, numbers) => total + numbers[index], 0)
  const { states: _states, runningSince: _since, ...bulk } = row
  const etaSeconds = estimate(row, sum(2), at)
  return { ...bulk, counts: counts as Record<RowState, number>, creditsSpent: sum(1), etaSeconds }
}

function estimate({ status, states, runningSince: since }: BulkRow, recent: number, at: Date): number | null {
  if (status !== 'running' || recent === 0) return null
  const left = (states['waiting']?.[0] ?? 0) + (states['running']?.[0] ?? 0)
  const seconds = Math.min(PACE_SECONDS, Math.max(1, (at.getTime() - since.getTime()) / 1_000))
  return Math.ceil((left * seconds) / recent)
}
