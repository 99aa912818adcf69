/**
 * `GET /v1/signals` as the database sees it: `listFeed` for watchlists of 10, 1,000 and 50,000 companies, on the first page,
 * deep in the feed and for a rare type, at two sizes of the tables.
 */
import { openStage } from '../../rig/stage.ts'
import { quantile, round, timed } from '../../rig/statistics.ts'
import type { App } from '../../src/app.ts'
import { listFeed } from '../../src/signals/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import { LIST_SIZES, type ListSize, populate, RARE_TYPE } from './feed/population.ts'

const PAGE = 50
const P99_MS_MAX = 50
/** Of the time, when there is many times as much in the tables: 2.9 for ten times, measured on a busy machine. */
const GROWTH_MAX = 4
const LISTS_MAX = 300
/** Of the 3.5 that companies have on average. */
const DEEP_PER_COMPANY = 2

interface Plan {
  /** Of the tables, smaller and larger; a unit is 100,000 watches and 200,000 signals. */
  units: [smaller: number, larger: number]
  /** Readings of each kind for each size of list. */
  readings: number
}

const FULL: Plan = { units: [10, 100], readings: 1_000 }
const DEFAULT: Plan = { units: [1, 3], readings: 120 }
const SHORT: Plan = { units: [1, 2], readings: 100 }

const KINDS = ['first', 'deep', 'rare'] as const
type Kind = (typeof KINDS)[number]

type PerSize<Value> = Record<ListSize, Value>
type Times = PerSize<Record<Kind, number[]>>

export async function benchFeed(options: RunOptions): Promise<RunReport> {
  const plan = options.full ? FULL : options.short ? SHORT : DEFAULT
  await using stage = await openStage()
  const { databaseUrl } = stage.app.config
  const [smaller, larger] = plan.units
  await populate(databaseUrl, smaller, options.say)
  const before = await readFeeds(stage.app, plan, options)
  const { watches, signals, feedRows } = await populate(databaseUrl, larger, options.say)
  const after = await readFeeds(stage.app, plan, options)
  return {
    ...compare(before, after),
    watches,
    signals,
    feed_rows: feedRows,
    table_growth: larger / smaller,
  }
}

interface List {
  accountId: string
  /** A signal far from the feed's beginning; null where there are fewer. */
  deepCursor: string
}

async function readFeeds(app: App, plan: Plan, options: RunOptions): Promise<Times> {
  const times: Times = perSize(() => ({ first: [], deep: [], rare: [] }))
  const lists = await Promise.all(LIST_SIZES.map(async (size) => ({ size, drawn: await drawLists(app, size) })))
  // The first readings plan the statements and fill the caches.
  for (const isWarmUp of [true, false]) {
    for (let reading = 0; reading < (isWarmUp ? plan.readings / 5 : plan.readings); reading += 1) {
      // Alternating, so that a slow moment of the machine hits all of them.
      for (const { size, drawn } of lists) {
        for (const kind of KINDS) {
          const [ms] = await timed(() => readOnce(app, drawn[reading % drawn.length] as List, kind))
          if (!isWarmUp) times[size][kind].push(ms)
        }
      }
    }
  }
  for (const size of LIST_SIZES) {
    const shown = KINDS.map((kind) => `${kind} ${at(times[size][kind], 0.5)} / ${at(times[size][kind], 0.99)}`)
    options.say(`list of ${size}, p50 / p99 ms: ${shown.join(', ')}`)
  }
  return times
}

function readOnce(app: App, { accountId, deepCursor }: List, kind: Kind) {
  return listFeed(app.db, {
    accountId,
    mode: 'live',
    limit: PAGE,
    offset: 0,
    ...(kind === 'deep' ? { cursor: deepCursor } : {}),
    ...(kind === 'rare' ? { signalType: RARE_TYPE } : {}),
  })
}

async function drawLists(app: App, size: ListSize): Promise<List[]> {
  const lists = await app.db.query<List>(
    `select account_id as "accountId", (
       select 'sig_' || signal_id from watched_signal where watchlist_id = id
       order by detected_at desc, signal_id desc offset $1 * ${DEEP_PER_COMPANY} limit 1) as "deepCursor"
     from (select account_id, id from watchlist where used = $1 order by hashint4(id) limit $2) list`,
    [size, LISTS_MAX],
  )
  return lists.filter(({ deepCursor }) => deepCursor !== null)
}

function compare(before: Times, after: Times): RunReport {
  const worst = (times: Times, size: ListSize, share: number) =>
    Math.max(...KINDS.map((kind) => at(times[size][kind], share)))
  const all = (times: Times, size: ListSize) => KINDS.flatMap((kind) => times[size][kind])
  const byKind = (size: ListSize, share: number) =>
    Object.fromEntries(KINDS.map((kind) => [kind, at(after[size][kind], share)]))
  const p99 = perSize((size) => worst(after, size, 0.99))
  // By the median: the slowest of a hundred is what else the machine did.
  const growths = LIST_SIZES.map((size) => at(all(after, size), 0.5) / at(all(before, size), 0.5))
  const growth = round(Math.max(...growths), 2)
  const worstP99 = Math.max(...Object.values(p99))
  return {
    ok: worstP99 <= P99_MS_MAX && growth <= GROWTH_MAX,
    p99_ms: p99,
    worst_p99_ms: worstP99,
    growth,
    p50_ms: perSize((size) => byKind(size, 0.5)),
    p99_ms_by_kind: perSize((size) => byKind(size, 0.99)),
    smaller_p99_ms: perSize((size) => worst(before, size, 0.99)),
  }
}

function perSize<Value>(valueOf: (size: ListSize) => Value): PerSize<Value> {
  return Object.fromEntries(LIST_SIZES.map((size) => [size, valueOf(size)])) as PerSize<Value>
}

function at(values: readonly number[], share: number): number {
  return round(quantile(values, share), 2)
}
