/**
 * Measures the cost of the product's own functions while the tables behind them grow tenfold, and tenfold again. A curve
 * whose largest size would take too long to load stops at the one before. The measured connection does not wait for the disk at its
 * commits: that takes as long at every size, and would hide what grows.
 */

import { executeSql, querySql } from '../../rig/postgres.ts'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { databaseSettings } from '../../rig/settings.ts'
import { openStage } from '../../rig/stage.ts'
import { markdownTable, round } from '../../rig/statistics.ts'
import { loadConfig } from '../../src/config.ts'
import { openConnection } from '../../src/lib/db/connection.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type Cost, type Curve, type Effort, type GrowthWorld, measureCost } from './growth/curve.ts'
import { COMPANY_SEARCH, CURVES } from './growth/curves.ts'

interface Plan {
  curves: readonly Curve[]
  sizes: readonly number[]
  effort: Effort
  /** A size that would take longer to load is left out. */
  loadSecondsMax: number
  /** The CPU of a call may grow by this, from the fewest rows to the most. */
  growthMax: number
}

/** For a thousand times as many rows. The height of an index grows by a half. */
const GROWTH_MAX = 2
const FULL: Plan = {
  curves: CURVES,
  sizes: [10_000, 100_000, 1_000_000, 10_000_000],
  effort: { warmUp: 200, operations: 1_000 },
  loadSecondsMax: 600,
  growthMax: GROWTH_MAX,
}
const SHORT: Plan = {
  // A register takes the longest to load, and the search has a short benchmark of its own.
  curves: CURVES.filter((curve) => curve !== COMPANY_SEARCH),
  sizes: [1_000, 10_000, 100_000],
  effort: { warmUp: 30, operations: 100 },
  loadSecondsMax: 25,
  // A hundred calls on a busy machine; what reads a table would grow a hundredfold.
  growthMax: 5,
}
/** A page of the feed is promised within this, for a list of any length. */
const FEED_P99_MS_MAX = 50
/** Below, most of the time is for what is the same at every size. */
const PREDICTABLE_ROWS = 10_000
const TEMPLATE = 'growth_template'

export const benchGrowth: NamedRun = {
  about: 'what calls cost as the tables behind them grow from 10,000 rows to 10,000,000, the signal feed among them',
  proof: {
    title: 'How cost grows with what is stored',
    about:
      'Tables are filled from ten thousand rows to ten million, and at each size the product’s own ' +
      'functions are called from one connection. Growth is the CPU of a call at the largest size over that ' +
      'at the smallest; what reads a whole table would grow a thousandfold. All tables fit into memory. WAL ' +
      'grows more than the rest: in a large table a write is more often the first to a page since a ' +
      'checkpoint, and such a page is logged whole.',
    figures: {
      ...Object.fromEntries(
        CURVES.map(({ name, does }) => [`${name}_growth`, { label: `${does}: growth`, unit: '×', atMost: GROWTH_MAX }]),
      ),
      feed_p99_ms: { label: 'a page of the feed, p99 at the largest size', unit: 'ms', atMost: FEED_P99_MS_MAX },
    },
  },
  short: {
    // CPU of a call with 100,000 rows over that with 1,000: 1.2 to 2.6 measured on busy machines, 100 if a table were read.
    worst_growth: { atMost: 5 },
    // For ordinary lists and the longest, on the first page, deep in the feed and for a rare type.
    feed_p99_ms: { atMost: 50 },
  },
  run,
}

interface Point extends Cost {
  rows: number
  bytesPerRow: number
}

async function run(options: RunOptions): Promise<RunReport> {
  const plan = options.short ? SHORT : FULL
  await using database = await ScratchDatabase.open()
  const { url } = database
  await executeSql(url, `create database ${TEMPLATE}`)
  await migrateDatabase(loadConfig(databaseSettings(urlOf(url, TEMPLATE))), createLog({ level: 'error' }))
  const measured: Array<{ curve: Curve; points: Point[] }> = []
  for (const curve of plan.curves) measured.push({ curve, points: await measureCurve(url, curve, plan, options) })
  const server = onlyRow(await querySql<{ server_version: string }>(url, 'show server_version'))
  options.say(`\n${toTable(measured)}`)
  const growths = measured.map(({ curve, points }) => [`${curve.name}_growth`, growthOf(points, 'cpuMs')] as const)
  const feedP99Ms = measured.find(({ curve }) => curve.name === 'feed')?.points.at(-1)?.p99Ms ?? Number.NaN
  const waits = measured.map(({ curve, points }) => [`${curve.name}_p50_growth`, growthOf(points, 'p50Ms')])
  return {
    ok: growths.every(([, growth]) => growth <= plan.growthMax) && feedP99Ms <= FEED_P99_MS_MAX,
    ...Object.fromEntries(growths),
    worst_growth: Math.max(...growths.map(([, growth]) => growth)),
    feed_p99_ms: round(feedP99Ms),
    ...Object.fromEntries(waits),
    versions: { PostgreSQL: server.server_version },
    details: toTable(measured.map(({ curve, points }) => ({ curve, points: endsOf(points) }))),
  }
}

/** Measures in a new database and drops it afterwards. */
async function measureCurve(server: string, curve: Curve, plan: Plan, options: RunOptions): Promise<Point[]> {
  const database = `growth_${curve.name}`
  await executeSql(server, `create database ${database} template ${TEMPLATE}`)
  try {
    await using world = await openWorld(urlOf(server, database))
    const points: Point[] = []
    let [rows, loadSeconds] = [0, 0]
    for (const size of plan.sizes) {
      const expected = loadSeconds * (size / Math.max(1, rows))
      if (rows >= PREDICTABLE_ROWS && expected > plan.loadSecondsMax) {
        options.say(`${curve.name}: ${size} rows would take ${Math.round(expected)} s to load`)
        break
      }
      const startedAtMs = performance.now()
      const operation = await curve.grow(world, { from: rows, to: size })
      // A table that settled long ago: nothing is left for the first reader to tidy up.
      await world.client.query('vacuum analyze')
      await world.client.query('checkpoint')
      loadSeconds = (performance.now() - startedAtMs) / 1_000
      rows = size
      const bytesPerRow = (await readBytes(world, curve)) / rows
      const cost = await measureCost(world, operation, plan.effort)
      points.push({ rows, bytesPerRow, ...cost })
      options.say(`${curve.name}: ${rows} rows in ${loadSeconds.toFixed(1)} s, ${cost.p50Ms.toFixed(2)} ms`)
    }
    return points
  } finally {
    await executeSql(server, `drop database ${database}`)
  }
}

async function openWorld(url: string): Promise<GrowthWorld & AsyncDisposable> {
  const client = await openConnection(url)
  const settings = { synchronous_commit: 'off', work_mem: '512MB', maintenance_work_mem: '1GB' }
  for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`)
  const unhurried = `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}`
  const stage = await openStage({ databaseUrl: unhurried, settings: { DATABASE_CONNECTIONS_MAX: '2' } })
  const close = async () => {
    await stage[Symbol.asyncDispose]()
    await client.end()
  }
  return { url, app: stage.app, client, [Symbol.asyncDispose]: close }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = database
  return url.href
}

async function readBytes({ client }: GrowthWorld, { tables }: Curve): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    // A table with partitions has no bytes of its own.
    `select sum(pg_total_relation_size(relation)) as bytes from unnest($1::text[]) name cross join lateral (
       select name::regclass as relation union select relid from pg_partition_tree(name::regclass)) part`,
    [tables],
  )
  return Number(onlyRow(rows).bytes)
}

function growthOf(points: readonly Point[], figure: 'cpuMs' | 'p50Ms'): number {
  return round((points.at(-1)?.[figure] ?? 0) / (points[0]?.[figure] ?? 1), 2)
}

function endsOf(points: readonly Point[]): Point[] {
  return points.filter((_, index) => index === 0 || index === points.length - 1)
}

function toTable(measured: ReadonlyArray<{ curve: Curve; points: Point[] }>): string {
  const number = (value: number, digits = 0) => value.toLocaleString('en-GB', { maximumFractionDigits: digits })
  const lines = measured.flatMap(({ curve, points }) =>
    points.map(({ rows, p50Ms, cpuMs, buffers, walBytes, bytesPerRow }, index) => [
      index === 0 ? curve.does : '',
      `${number(rows)} ${curve.rows}`,
      number(p50Ms, 2),
      number(cpuMs, 2),
      ...[buffers, walBytes, bytesPerRow].map((value) => number(value)),
    ]),
  )
  const head = ['What is done', 'with', 'p50, ms', 'PostgreSQL CPU, ms', 'pages', 'WAL, bytes', 'stored bytes a row']
  return markdownTable(head, lines)
}
