import type { KeyMode } from '../accounts/index.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Db } from '../lib/db/db.ts'
import { isRefundedSql } from '../resolution/index.ts'
import { OUTCOMES } from '../resolver/index.ts'
import { JOIN_DECISION, STATE_NOW } from './decided-rows.ts'
import type { BulkSource } from './source.ts'

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
  /** The file that the rows come from. */
  source: BulkSource | null
  /** At the pace of the last minute; null while no row has ended in it. */
  etaSeconds: number | null
}

interface BulkRow extends Omit<BulkJob, 'counts' | 'creditsSpent' | 'etaSeconds'> {
  runningSince: Date
  /** By state: how many, how many of them cost a credit that was not refunded, how many ended of late. */
  states: Record<string, [count: number, charged: number, recent: number]>
}

const PACE_SECONDS = 60

/** SQL for whether the account paid for a row and got the credit back: the row is shown as free. */
export const IS_REFUNDED = isRefundedSql({
  account: 'bulk.account_id',
  domain: 'bulk_row.domain',
  company: 'bulk_row.company_number',
})

// One statement, so that status and counts are of one moment. Rows are counted for the chosen jobs alone.
const selectBulk = (chosen: string) => `select bulk.id, bulk.name, bulk.status, bulk.paused_reason as "pausedReason",
    bulk.row_count as "rowCount", bulk.credits_max as "creditsMax", bulk.created_at as "createdAt",
    bulk.running_since as "runningSince", bulk.finished_at as "finishedAt", bulk.source, counted.states
  from (${chosen}) bulk cross join lateral (
    select jsonb_object_agg(state, jsonb_build_array(count, charged, recent)) as states from (
      select ${STATE_NOW} as state, count(*) as count,
        count(*) filter (where bulk_row.charged and not ${IS_REFUNDED}) as charged, count(*) filter (where ended_at > $3) as recent
      from bulk_row ${JOIN_DECISION} where bulk_id = bulk.id group by 1
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
    selectBulk('select * from bulk where account_id = $1 and expires_at > $2 and id = $4'),
    [ask.accountId, ask.at, addSeconds(ask.at, -PACE_SECONDS), ask.id],
  )
  if (!row) throw bulkNotFound()
  return toBulk(row, ask.at)
}

/** Throws `not_found` as `getBulk` does. It counts no rows, which for a large job takes a tenth of a second. */
export async function assertBulk(db: Db, ask: BulkOwner & { id: string; at: Date }): Promise<void> {
  if (ask.mode === 'test') throw bulkNotFound()
  const found = await db.query('select from bulk where account_id = $1 and expires_at > $2 and id = $3', [
    ask.accountId,
    ask.at,
    ask.id,
  ])
  if (found.length === 0) throw bulkNotFound()
}

export function bulkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such bulk job, or it is not yours. Bulk jobs are stored for 30 days.',
  )
}

/** The newest first; with `text`, those whose name or id has it. */
export async function listBulkJobs(
  db: Db,
  page: BulkOwner & { at: Date; limit: number; offset: number; text?: string | undefined },
): Promise<{ bulkJobs: BulkJob[]; hasMore: boolean }> {
  if (page.mode === 'test') return { bulkJobs: [], hasMore: false }
  const rows = await db.query<BulkRow>(
    `${selectBulk(`select * from bulk where account_id = $1 and expires_at > $2
       and ($6::text is null or strpos(lower(coalesce(name, id)), lower($6)) > 0)
     order by created_at desc, id desc limit $4 offset $5`)} order by bulk.created_at desc, bulk.id desc`,
    [page.accountId, page.at, addSeconds(page.at, -PACE_SECONDS), page.limit + 1, page.offset, page.text ?? null],
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
