/**
 * Domains go to the stores that own them after a change of the list. A domain that moves is first taken out of the queue of
 * its old store, then copied, then deleted: it is never due in two stores, and a move that was killed is repeated.
 */
import { addSeconds } from '../clock.ts'
import { type Db, onlyRow } from '../db/db.ts'
import { isPassingFailure } from '../db/failures.ts'
import type { CrawlStore, CrawlStores } from './stores.ts'

const BATCH = 1_000

export interface MoveReport {
  moved: number
  /** True when every domain is in its own store. */
  isFinished: boolean
  /** Stores that did not answer: their domains move later. */
  away: string[]
}

interface MoveOptions {
  at: () => Date
  signal: AbortSignal
  /** Also goes through stores that no list names as former ones, and through those that a move has finished. */
  isThorough?: boolean
}

/** Moves domains until all are in their stores or the signal says stop. A store that is away stops no other. */
export async function moveDomains(
  stores: CrawlStores,
  { at, signal, isThorough = false }: MoveOptions,
): Promise<MoveReport> {
  const report: MoveReport = { moved: 0, isFinished: true, away: [] }
  for (const store of stores.all) {
    const isPassed = isThorough || stores.previous.includes(store)
    try {
      report.moved += await moveMarked(stores, store)
      const isFinished = !isPassed || (await passThrough(stores, store, { at, signal, isThorough }, report))
      report.isFinished &&= isFinished
    } catch (error) {
      if (!isPassingFailure(error)) throw error
      report.isFinished = false
      report.away.push(store.name)
    }
  }
  return report
}

async function passThrough(
  stores: CrawlStores,
  store: CrawlStore,
  { at, signal, isThorough }: Required<MoveOptions>,
  report: MoveReport,
): Promise<boolean> {
  let isNew = isThorough
  while (!signal.aborted) {
    const step = await moveStep(stores, store, { at: at(), isNew })
    isNew = false
    report.moved += step.moved
    if (step.isFinished || step.isStuck) return step.isFinished
  }
  return false
}

interface StepReport {
  moved: number
  isFinished: boolean
  /** All domains that are left are being read, or their store is away: they move later. */
  isStuck: boolean
}

const MOVE_LOCK = 7_302_651_186

interface StepOptions {
  at: Date
  /** Begins a pass, whatever was finished before. */
  isNew: boolean
}

/** One process at a time moves domains away from a store: two would overwrite how far the other came. */
async function moveStep(stores: CrawlStores, from: CrawlStore, options: StepOptions): Promise<StepReport> {
  return from.db.transaction(async (tx) => {
    // The transaction only holds the lock, as long as the step takes.
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    const [lock] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [MOVE_LOCK])
    return lock?.isMine ? moveLocked(stores, from, options) : { moved: 0, isFinished: false, isStuck: true }
  })
}

interface MoveRow {
  afterDomain: string
  met: number
  leftBehind: number
  isFinished: boolean
}

/** A finished move is looked through again after this: a process with the old list may have added domains since. */
const FINISHED_SECONDS = 3_600

/** Its statements are committed one by one, on other connections than the one with the lock. */
async function moveLocked(stores: CrawlStores, from: CrawlStore, { at, isNew }: StepOptions): Promise<StepReport> {
  const list = stores.moveName
  // Of an earlier move nothing may be left: the same change of the list may come again.
  await from.db.query('delete from crawl_move where stores <> $1 or $2 or finished_at < $3', [
    list,
    isNew,
    addSeconds(at, -FINISHED_SECONDS),
  ])
  await from.db.query('insert into crawl_move (stores) values ($1) on conflict do nothing', [list])
  const state = onlyRow(
    await from.db.query<MoveRow>(
      `select after_domain as "afterDomain", met, left_behind as "leftBehind", finished_at is not null as "isFinished"
       from crawl_move where stores = $1`,
      [list],
    ),
  )
  if (state.isFinished) return { moved: 0, isFinished: true, isStuck: false }
  const page = await from.db.query<{ domain: string }>(
    'select domain from crawl_domain where domain > $1 order by domain limit $2',
    [state.afterDomain, BATCH],
  )
  const foreign = page.map(({ domain }) => domain).filter((domain) => stores.ownerOf(domain) !== from)
  const isHere = await findAnswering(stores, from, foreign)
  const movable = foreign.filter((domain) => isHere.has(stores.ownerOf(domain)))
  const marked = await from.db.query(
    `update crawl_domain set is_moving = true where domain = any ($1) and state <> 'queued' and not is_moving returning domain`,
    [movable],
  )
  const [met, left] = [state.met + foreign.length, state.leftBehind + foreign.length - marked.length]
  const moved = await moveMarked(stores, from)
  const isPassOver = page.length < BATCH
  const isFinished = isPassOver && met === 0
  await from.db.query(
    `update crawl_move set after_domain = $2, met = $3, left_behind = $4, moved = moved + $5, finished_at = $6
     where stores = $1`,
    [
      list,
      isPassOver ? '' : (page.at(-1)?.domain ?? ''),
      isPassOver ? 0 : met,
      isPassOver ? 0 : left,
      moved,
      isFinished ? at : null,
    ],
  )
  return { moved, isFinished, isStuck: isPassOver && left > 0 }
}

/** Nothing is marked for a store that is away: what is here stays due here. */
async function findAnswering(
  stores: CrawlStores,
  from: CrawlStore,
  domains: readonly string[],
): Promise<Set<CrawlStore>> {
  const owners = new Set(domains.map((domain) => stores.ownerOf(domain)))
  const answering = new Set<CrawlStore>()
  for (const owner of owners) {
    const rows = owner === from ? null : await stores.ask(owner, (db) => db.query('select from crawl_move limit 1'))
    if (rows) answering.add(owner)
  }
  return answering
}

/** Copies what is marked to its new stores and deletes it here. What a move before this one left behind is taken as well. */
async function moveMarked(stores: CrawlStores, from: CrawlStore): Promise<number> {
  let [moved, after, isMore] = [0, '', true]
  while (isMore) {
    const page = await moveMarkedPage(stores, from, after)
    moved += page.moved
    after = page.last ?? after
    isMore = page.count === BATCH
  }
  return moved
}

interface MarkedRow {
  domain: string
  row: object
  reading: object | null
}

async function moveMarkedPage(stores: CrawlStores, from: CrawlStore, after: string) {
  return from.db.transaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    const rows = await tx.query<MarkedRow>(
      `select one.domain, to_jsonb(one) as row, to_jsonb(reading) as reading
       from (select * from crawl_domain where is_moving and domain > $2 order by domain limit $1 for update skip locked) one
       left join crawl_reading reading on reading.domain = one.domain`,
      [BATCH, after],
    )
    const sweeps = await tx.query<{ row: object }>('select to_jsonb(crawl_sweep) as row from crawl_sweep')
    const lists = sweeps.map(({ row }) => row)
    let moved = 0
    for (const [owner, own] of Map.groupBy(rows, ({ domain }) => stores.ownerOf(domain))) {
      const domains = own.map(({ domain }) => domain)
      if (owner === from) {
        await tx.query('update crawl_domain set is_moving = false where domain = any ($1)', [domains])
      } else if (await isCopied(owner, own, lists)) {
        await tx.query('delete from crawl_reading where domain = any ($1)', [domains])
        await tx.query('delete from crawl_domain where domain = any ($1)', [domains])
        moved += domains.length
      }
    }
    return {
      moved,
      count: rows.length,
      last: rows
        .map(({ domain }) => domain)
        .sort()
        .at(-1),
    }
  })
}

/** False when the store is away: the rows stay marked, because it may have got them. */
async function isCopied(owner: CrawlStore, rows: readonly MarkedRow[], sweeps: readonly object[]): Promise<boolean> {
  try {
    await copyRows(owner.db, rows, sweeps)
    return true
  } catch (error) {
    if (isPassingFailure(error)) return false
    throw error
  }
}

/**
 * A row that is there was copied before, or added since: it stays, and of two readings the newer one counts. The lists come with
 * their domains, or they would never be queued.
 */
async function copyRows(db: Db, rows: readonly MarkedRow[], sweeps: readonly object[]): Promise<void> {
  await db.query(
    `insert into crawl_sweep select * from jsonb_populate_recordset(null::crawl_sweep, $1) on conflict do nothing`,
    [JSON.stringify(sweeps)],
  )
  await db.query(
    `insert into crawl_domain as kept (domain, sweep, every_days, state, due_at, added_at, queued_at, reading_id, deaths, outcome,
       read_at, fresh_until)
     select domain, sweep, every_days, state, due_at, added_at, queued_at, reading_id, deaths, outcome, read_at, fresh_until
     from jsonb_populate_recordset(null::crawl_domain, $1) one order by one.domain
     on conflict (domain) do update
       set every_days = least(kept.every_days, excluded.every_days), due_at = coalesce(kept.due_at, excluded.due_at),
         outcome = case when ${IS_NEWER} then excluded.outcome else kept.outcome end,
         fresh_until = case when ${IS_NEWER} then excluded.fresh_until else kept.fresh_until end,
         read_at = greatest(kept.read_at, excluded.read_at)`,
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

const IS_NEWER = 'coalesce(excluded.read_at > kept.read_at, excluded.read_at is not null)'
