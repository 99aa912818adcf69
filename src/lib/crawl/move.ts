/**
 * Domains go to the stores that own them after a change of the list. A domain that moves is first taken out of the queue of
 * its old store, then copied, then deleted: it is never due in two stores, and a move that was killed is repeated.
 */
import { type Db, onlyRow } from '../db/db.ts'
import type { CrawlStore, CrawlStores } from './stores.ts'

const BATCH = 1_000

interface MoveRow {
  afterDomain: string
  leftBehind: number
  isFinished: boolean
}

export interface MoveReport {
  moved: number
  /** True when every domain is in its own store. */
  isFinished: boolean
}

/** Moves domains until all are in their stores or the signal says stop. */
export async function moveDomains(
  stores: CrawlStores,
  { at, signal, onMoved = () => undefined }: { at: () => Date; signal: AbortSignal; onMoved?: (count: number) => void },
): Promise<MoveReport> {
  let moved = 0
  let isFinished = true
  for (const store of stores.previous) {
    let step: StepReport = { moved: 0, isFinished: false, isStuck: false }
    while (!step.isFinished && !step.isStuck && !signal.aborted) {
      step = await moveStep(stores, store, at())
      moved += step.moved
      onMoved(step.moved)
    }
    isFinished &&= step.isFinished
  }
  return { moved, isFinished }
}

interface StepReport extends MoveReport {
  /** All domains that are left are being read, and move later. */
  isStuck: boolean
}

const MOVE_LOCK = 7_302_651_186

/** One process at a time moves domains away from a store: two would overwrite how far the other came. */
async function moveStep(stores: CrawlStores, from: CrawlStore, at: Date): Promise<StepReport> {
  return from.db.transaction(async (tx) => {
    const [lock] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [MOVE_LOCK])
    return lock?.isMine ? moveLocked(stores, from, at) : { moved: 0, isFinished: false, isStuck: true }
  })
}

/** Its statements are committed one by one, on other connections than the one with the lock. */
async function moveLocked(stores: CrawlStores, from: CrawlStore, at: Date): Promise<StepReport> {
  const moved = await moveMarked(stores, from)
  const list = stores.moveName
  await copySweeps(stores, from)
  // Of an earlier move nothing may be left: the same change of the list may come again.
  await from.db.query('delete from crawl_move where stores <> $1', [list])
  await from.db.query('insert into crawl_move (stores) values ($1) on conflict do nothing', [list])
  const state = onlyRow(
    await from.db.query<MoveRow>(
      `select after_domain as "afterDomain", left_behind as "leftBehind", finished_at is not null as "isFinished"
       from crawl_move where stores = $1`,
      [list],
    ),
  )
  if (state.isFinished) return { moved, isFinished: true, isStuck: false }
  const page = await from.db.query<{ domain: string; isUnderWay: boolean }>(
    `select domain, state = 'queued' as "isUnderWay" from crawl_domain where domain > $1 order by domain limit $2`,
    [state.afterDomain, BATCH],
  )
  const foreign = page.filter(({ domain }) => stores.ownerOf(domain) !== from)
  const marked = await from.db.query(
    `update crawl_domain set is_moving = true where domain = any ($1) and state <> 'queued' and not is_moving returning domain`,
    [foreign.map(({ domain }) => domain)],
  )
  const left = state.leftBehind + foreign.length - marked.length
  const count = moved + (await moveMarked(stores, from))
  const last = page.at(-1)?.domain
  const isPassOver = last === undefined
  await from.db.query(
    `update crawl_move set after_domain = $2, left_behind = $3, moved = moved + $4, finished_at = $5 where stores = $1`,
    [list, last ?? '', isPassOver ? 0 : left, count, isPassOver && left === 0 ? at : null],
  )
  return { moved: count, isFinished: isPassOver && left === 0, isStuck: isPassOver && left > 0 }
}

/** Copies what is marked to its new stores and deletes it here. What a move before this one left behind is taken as well. */
async function moveMarked(stores: CrawlStores, from: CrawlStore): Promise<number> {
  return from.db.transaction(async (tx) => {
    const rows = await tx.query<{ domain: string; row: object; reading: object | null }>(
      `select one.domain, to_jsonb(one) as row, to_jsonb(reading) as reading
       from (select * from crawl_domain where is_moving order by domain limit $1 for update skip locked) one
       left join crawl_reading reading on reading.domain = one.domain`,
      [BATCH],
    )
    for (const [owner, own] of Map.groupBy(rows, ({ domain }) => stores.ownerOf(domain))) {
      if (owner === from)
        await tx.query('update crawl_domain set is_moving = false where domain = any ($1)', [
          own.map(({ domain }) => domain),
        ])
      else await copyRows(owner.db, own)
    }
    const gone = rows.map(({ domain }) => domain).filter((domain) => stores.ownerOf(domain) !== from)
    await tx.query('delete from crawl_reading where domain = any ($1)', [gone])
    await tx.query('delete from crawl_domain where domain = any ($1)', [gone])
    return gone.length
  })
}

/** A row that is there was copied before, or added since: it stays, and of two readings the newer one counts. */
async function copyRows(db: Db, rows: ReadonlyArray<{ row: object; reading: object | null }>): Promise<void> {
  await db.query(
    `insert into crawl_domain as kept
     select one.domain, one.sweep, one.state, one.due_at, one.added_at, one.queued_at, null, one.reading_id, one.deaths,
       one.outcome, one.read_at, one.fresh_until, false
     from jsonb_populate_recordset(null::crawl_domain, $1) one order by one.domain
     on conflict (domain) do update
       set outcome = excluded.outcome, read_at = excluded.read_at, fresh_until = excluded.fresh_until
       where kept.read_at is null or kept.read_at < excluded.read_at`,
    [JSON.stringify(rows.map(({ row }) => row))],
  )
  await db.query(
    `insert into crawl_reading as kept
     select * from jsonb_populate_recordset(null::crawl_reading, $1) one order by one.domain
     on conflict (domain) do update
       set reading_id = excluded.reading_id, outcome = excluded.outcome, model_version = excluded.model_version,
         resolved_at = excluded.resolved_at, expires_at = excluded.expires_at, answer = excluded.answer
       where kept.resolved_at < excluded.resolved_at`,
    [JSON.stringify(rows.flatMap(({ reading }) => reading ?? []))],
  )
}

async function copySweeps(stores: CrawlStores, from: CrawlStore): Promise<void> {
  const sweeps = await from.db.query<{ row: object }>('select to_jsonb(crawl_sweep) as row from crawl_sweep')
  for (const { db } of stores.current.filter((store) => store !== from)) {
    await db.query(
      `insert into crawl_sweep select * from jsonb_populate_recordset(null::crawl_sweep, $1) on conflict do nothing`,
      [JSON.stringify(sweeps.map(({ row }) => row))],
    )
  }
}
