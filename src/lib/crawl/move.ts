/**
 * Domains go to the stores that own them after a change of the list. A domain that moves is first taken out of the queue of
 * its old store, then copied, then deleted: it is never due in two stores, and a move that was killed is repeated.
 */
import { addSeconds } from '../clock.ts'
import { type Db, onlyRow } from '../db/db.ts'
import { isPassingFailure, isTooLong } from '../db/failures.ts'
import { NEXT_DUE } from './due-domains.ts'
import type { CrawlStore, CrawlStores } from './stores.ts'

const BATCH = 1_000

export interface MoveReport {
  moved: number
  /** True when every domain is in its own store. */
  isFinished: boolean
  /** Stores that did not answer, or took nothing: their domains move later. */
  away: string[]
  /** Stores from which another process moves domains at this moment. */
  busy: string[]
}

interface MoveOptions {
  at: () => Date
  signal: AbortSignal
  /** Also goes through stores that no list names as former ones, and through those that a move has finished. */
  isThorough?: boolean
  /** Called with the sum so far. */
  onMoved?: (moved: number) => void
}

/** One call of a move. */
interface Moving extends Required<MoveOptions> {
  stores: CrawlStores
  /** Nothing more is tried with these. */
  away: Set<CrawlStore>
  busy: Set<CrawlStore>
  moved: number
}

/** Moves domains until all are in their stores or the signal says stop. A store that is away stops no other. */
export async function moveDomains(
  stores: CrawlStores,
  { isThorough = false, onMoved = () => undefined, ...options }: MoveOptions,
): Promise<MoveReport> {
  const moving: Moving = { stores, ...options, isThorough, onMoved, away: new Set(), busy: new Set(), moved: 0 }
  let isFinished = true
  for (const store of stores.all) {
    const isPassed = isThorough || stores.previous.includes(store)
    try {
      await moveMarked(moving, store)
      isFinished &&= !isPassed || (await passThrough(moving, store))
    } catch (error) {
      if (!isPassing(error)) throw error
      moving.away.add(store)
    }
  }
  const toNames = (of: Set<CrawlStore>) => [...of].map(({ name }) => name)
  const [away, busy] = [toNames(moving.away), toNames(moving.busy)]
  return { moved: moving.moved, isFinished: isFinished && away.length === 0, away, busy }
}

/** A statement that took too long may succeed when there is less to wait for. */
function isPassing(error: unknown): boolean {
  return isPassingFailure(error) || isTooLong(error)
}

async function passThrough(moving: Moving, store: CrawlStore): Promise<boolean> {
  let isNew = moving.isThorough
  while (!moving.signal.aborted) {
    const step = await moveStep(moving, store, isNew)
    isNew = false
    if (step.isFinished || step.isStuck) return step.isFinished
  }
  return false
}

interface StepReport {
  isFinished: boolean
  /** All domains that are left are being read, or their store is away: they move later. */
  isStuck: boolean
}

const MOVE_LOCK = 7_302_651_186
/** Longer than a step takes. A process that is frozen loses the lock then. */
const STEP_MAX = '150s'

/** One process at a time goes through a store: two would overwrite how far the other came. */
async function moveStep(moving: Moving, from: CrawlStore, isNew: boolean): Promise<StepReport> {
  return from.db.transaction(async (tx) => {
    await tx.query(`set local idle_in_transaction_session_timeout = '${STEP_MAX}'`)
    const [lock] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [MOVE_LOCK])
    if (lock?.isMine) return moveLocked(moving, from, isNew)
    moving.busy.add(from)
    return { isFinished: false, isStuck: true }
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
async function moveLocked(moving: Moving, from: CrawlStore, isNew: boolean): Promise<StepReport> {
  const { stores, away } = moving
  const [list, at] = [stores.moveName, moving.at()]
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
  if (state.isFinished) return { isFinished: true, isStuck: false }
  const page = await from.db.query<{ domain: string }>(
    'select domain from crawl_domain where domain > $1 order by domain limit $2',
    [state.afterDomain, BATCH],
  )
  const foreign = page.map(({ domain }) => domain).filter((domain) => stores.ownerOf(domain) !== from)
  await findAway(moving, foreign)
  // Nothing is marked for a store that is away: what is here stays due here.
  const movable = foreign.filter((domain) => !away.has(stores.ownerOf(domain)))
  const marked = await from.db.query(
    `update crawl_domain set is_moving = true where domain = any ($1) and state <> 'queued' and not is_moving returning domain`,
    [movable],
  )
  const [met, left] = [state.met + foreign.length, state.leftBehind + foreign.length - marked.length]
  const moved = await moveMarked(moving, from)
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
  return { isFinished, isStuck: isPassOver && (left > 0 || away.size > 0) }
}

/** No customer waits for a move. */
const ASK_MS = 5_000

/** Each owner is asked before the first domain is marked for it. */
async function findAway({ stores, away }: Moving, domains: readonly string[]): Promise<void> {
  for (const owner of new Set(domains.map((domain) => stores.ownerOf(domain)))) {
    if (away.has(owner)) continue
    const rows = await stores.ask(owner, (db) => db.query('select from crawl_move limit 1'), ASK_MS)
    if (!rows) away.add(owner)
  }
}

/**
 * Copies what is marked to its new stores and deletes it here. What a move before this one left behind is taken as well. Returns how
 * many have moved.
 */
async function moveMarked(moving: Moving, from: CrawlStore): Promise<number> {
  const before = moving.moved
  let [after, isMore] = ['', true]
  while (isMore && !moving.signal.aborted) {
    const rows = await listMarked(from, after)
    moving.moved += await moveRows(moving, from, rows)
    moving.onMoved(moving.moved)
    after = rows.at(-1)?.domain ?? after
    isMore = rows.length === BATCH
  }
  return moving.moved - before
}

interface MarkedRow {
  domain: string
  /** Changes with the row. */
  version: string
  row: object
  reading: object | null
}

/** They are not locked: nothing is queued for what is marked, and one that changes is copied again. */
function listMarked(from: CrawlStore, after: string): Promise<MarkedRow[]> {
  return from.db.query<MarkedRow>(
    `select one.domain, one.xmin::text as version, to_jsonb(one) as row, to_jsonb(reading) as reading
     from crawl_domain one left join crawl_reading reading on reading.domain = one.domain
     where one.is_moving and one.domain > $2 order by one.domain limit $1`,
    [BATCH, after],
  )
}

async function moveRows(moving: Moving, from: CrawlStore, rows: readonly MarkedRow[]): Promise<number> {
  const lists = await from.db.query<{ row: object }>('select to_jsonb(crawl_sweep) as row from crawl_sweep')
  let moved = 0
  for (const [owner, own] of Map.groupBy(rows, ({ domain }) => moving.stores.ownerOf(domain))) {
    if (owner === from) {
      const domains = own.map(({ domain }) => domain)
      await from.db.query('update crawl_domain set is_moving = false where domain = any ($1)', [domains])
    } else if (await isCopied(moving, owner, own, lists)) moved += await removeCopied(from, own)
  }
  return moved
}

/** False when the store is away: the rows stay marked, because it may have got them. */
async function isCopied(
  { away, at }: Moving,
  owner: CrawlStore,
  rows: readonly MarkedRow[],
  lists: ReadonlyArray<{ row: object }>,
): Promise<boolean> {
  if (away.has(owner)) return false
  try {
    await copyLists(owner.db, lists, at())
    await copyRows(owner.db, rows)
    return true
  } catch (error) {
    if (!isPassing(error)) throw error
    away.add(owner)
    return false
  }
}

/** A row that changed since it was read stays, and is copied again. */
async function removeCopied({ db }: CrawlStore, rows: readonly MarkedRow[]): Promise<number> {
  return db.transaction(async (tx) => {
    const gone = await tx.query<{ domain: string }>(
      `delete from crawl_domain one using unnest($1::text[], $2::text[]) copied (domain, version)
       where one.domain = copied.domain and one.xmin::text = copied.version returning one.domain`,
      [rows.map(({ domain }) => domain), rows.map(({ version }) => version)],
    )
    await tx.query('delete from crawl_reading where domain = any ($1)', [gone.map(({ domain }) => domain)])
    return gone.length
  })
}

/** The lists come with their domains, or these would never be queued. Their rate is measured from here on; a pause stays. */
async function copyLists(db: Db, lists: ReadonlyArray<{ row: object }>, at: Date): Promise<void> {
  await db.query(
    `insert into crawl_sweep as kept (name, is_paused, ahead, started_at, resumed_at)
     select name, is_paused, ahead, started_at, $2 from jsonb_populate_recordset(null::crawl_sweep, $1) order by name
     on conflict (name) do update set is_paused = true where excluded.is_paused and not kept.is_paused`,
    [JSON.stringify(lists.map(({ row }) => row)), at],
  )
}

/**
 * A row that is there was copied before, or added since. It stays, and is read as often as any list asked for; of two readings the newer
 * one counts, and one that is due earlier and was not read since.
 */
async function copyRows(db: Db, rows: readonly MarkedRow[]): Promise<void> {
  await db.query(
    `insert into crawl_domain as kept (domain, sweep, every_days, state, due_at, added_at, queued_at, reading_id, deaths, outcome,
       read_at, fresh_until)
     select domain, sweep, every_days, state, due_at, added_at, queued_at, reading_id, deaths, outcome, read_at, fresh_until
     from jsonb_populate_recordset(null::crawl_domain, $1) one order by one.domain
     on conflict (domain) do update
       set every_days = least(kept.every_days, excluded.every_days),
         due_at = case when ${IS_READ_SINCE} then coalesce(kept.due_at, ${NEXT_DUE('kept.read_at', 'excluded.every_days')})
                  else least(kept.due_at, excluded.due_at) end,
         sweep = case when ${IS_WANTED_SINCE} then excluded.sweep else kept.sweep end,
         added_at = case when ${IS_WANTED_SINCE} then excluded.added_at else kept.added_at end,
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
const IS_READ_SINCE = `coalesce(kept.read_at >= coalesce(excluded.due_at, '-infinity'), false)`
const IS_WANTED_SINCE = `excluded.state = 'waiting' and excluded.added_at > kept.added_at and not ${IS_READ_SINCE}`
