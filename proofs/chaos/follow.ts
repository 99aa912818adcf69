/**
 * Changes pour through the streams while every fault is on and followers are killed with `kill -9`. Afterwards the
 * register must equal the simulator's, and every signal must be there, once.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SIMULATED_REST_KEY, SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../../rig/companies-house/index.ts'
import { withScratchDatabase } from '../../rig/scratch-database.ts'
import { benchEnvironment, openBenchApp } from '../../rig/stage.ts'
import type { App } from '../../src/app.ts'
import { toLondonDate } from '../../src/lib/clock.ts'
import { parseProfile } from '../../src/register/details/company-from-profile.ts'
import {
  findCompany,
  importSnapshot,
  openSnapshotFile,
  STREAM_NAMES,
  silentProgress,
} from '../../src/register/index.ts'
import { recordQueuedChanges } from '../../src/signals/index.ts'
import type { ChaosOptions, ChaosReport } from './main.ts'
import { RandomChanges } from './register-changes.ts'

const CATCH_UP_MS = 120_000
const SEED = 20_261_115
/** Connections end after seconds instead of 24 hours, heartbeats come five times a second. */
const QUICK_DAY = { heartbeatMs: 200, connectionLifeMs: 4_000 }
const WARM_UP_CHANGES = 100

export async function chaosFollow(options: ChaosOptions): Promise<ChaosReport> {
  const size = options.short
    ? { changes: 1_200, kills: 5, companies: 60 }
    : { changes: 10_000, kills: 20, companies: 400 }
  const house = createHouse(size.companies, QUICK_DAY)
  const urls = await house.listen()
  try {
    return await withScratchDatabase(async (databaseUrl) => {
      const bench = await openBenchApp(databaseUrl)
      try {
        await importBaseline(bench.app, urls.bulkUrl)
        return await run(bench.app, house, { ...urls, databaseUrl }, size)
      } finally {
        await bench.close()
      }
    })
  } finally {
    await house.close()
  }
}

/** Of so many made-up companies; `stream` says how long its connections live and how often they are heard of. */
export function createHouse(
  companies: number,
  stream: { heartbeatMs: number; connectionLifeMs: number },
): SimulatedCompaniesHouse {
  const list = Array.from({ length: companies }, (_, index) => ({
    number: String(10_000_000 + index),
    name: `CHAOS COMPANY ${index} LIMITED`,
    incorporatedOn: '2015-03-01',
    address: { address_line_1: '1 Old Road', locality: 'York', postal_code: 'YO1 1AA' },
  }))
  return SimulatedCompaniesHouse.fromCompanies(list, {
    seed: SEED,
    rest: { limit: { requests: 1_000_000, windowMs: 300_000 } },
    stream: { ...stream, connectionsPerKeyMax: 50 },
    imageDelayMs: null,
  })
}

export async function importBaseline(app: App, bulkUrl: string): Promise<void> {
  const today = toLondonDate(new Date())
  const index = await (await fetch(new URL('/en_output.html', bulkUrl))).text()
  const name = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0] ?? `BasicCompanyDataAsOneFile-${today}.zip`
  const file = await openSnapshotFile(new URL(`/${name}`, bulkUrl).href, async (url) => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`the bulk file answered ${response.status}`)
    return Readable.from([Buffer.from(await response.arrayBuffer())])
  })
  await importSnapshot(app, file, silentProgress)
  await file.close()
  await recordQueuedChanges(app)
}

export interface Place {
  restUrl: string
  streamUrl: string
  databaseUrl: string
}

async function run(
  app: App,
  house: SimulatedCompaniesHouse,
  place: Place,
  size: { changes: number; kills: number },
): Promise<ChaosReport> {
  const startedAt = Date.now()
  const changes = new RandomChanges(house, { today: toLondonDate(new Date()), seed: SEED })
  const followers = [await startFollower(place), await startFollower(place)]
  await untilFollowed(app)
  // A stream without a single event has no place to come back to, so each gets one before the trouble begins.
  for (let made = 0; made < WARM_UP_CHANGES; made += 1) changes.makeOne()
  await untilCaughtUp(app, house)
  house.faults.stream.delayMs = 20
  house.faults.stream.set({
    drop: { probability: 0.002 },
    delay: { probability: 0.005 },
    halfLine: { probability: 0.002 },
    splitLine: { probability: 0.01 },
    duplicate: { probability: 0.05 },
    repeat: { probability: 0.05 },
    refuse: { probability: 0.1 },
    answer429: { probability: 0.05 },
    answer500: { probability: 0.1 },
    answer502: { probability: 0.05 },
    answer503: { probability: 0.05 },
  })
  const killEvery = Math.floor(size.changes / (size.kills + 1))
  for (let made = 1; made <= size.changes; made += 1) {
    changes.makeOne()
    if (made % 20 === 0) await sleep(15)
    if (made % killEvery === 0 && made / killEvery <= size.kills) {
      const victim = followers.shift()
      victim?.kill('SIGKILL')
      followers.push(await startFollower(place))
    }
  }
  house.faults.clear()
  await untilCaughtUp(app, house)
  for (const follower of followers) follower.kill('SIGTERM')
  await recordQueuedChanges(app)
  const differing = await findDifferences(app, house, place.restUrl)
  const signals = await compareSignals(app, changes.expected)
  return {
    changes: size.changes,
    kills: size.kills,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    differing_companies: differing.length,
    ...signals,
    examples: [...differing.slice(0, 3), ...signals.examples.slice(0, 6)].join('; ') || 'none',
    ok: differing.length === 0 && signals.signals_missing === 0 && signals.signals_twice === 0,
  }
}

export async function startFollower(place: Place): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'follower-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...benchEnvironment(place.databaseUrl),
      SIMULATED: 'register',
      REGISTER_REST_URL: place.restUrl,
      REGISTER_REST_KEY: SIMULATED_REST_KEY,
      REGISTER_STREAM_URL: place.streamUrl,
      REGISTER_STREAM_KEYS: SIMULATED_STREAM_KEY,
      LOG_LEVEL: 'silent',
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`a follower ended with ${code}`)))
  })
  child.removeAllListeners('exit')
  return child
}

export async function untilFollowed(app: App): Promise<void> {
  await until(async () => {
    const rows = await app.db.query(
      'select name from register_stream where lease_until > now() and current_until is not null',
    )
    return rows.length === STREAM_NAMES.length
  }, 'the streams were not followed')
}

export async function untilCaughtUp(app: App, house: SimulatedCompaniesHouse): Promise<void> {
  await until(async () => {
    const rows = await app.db.query<{ name: (typeof STREAM_NAMES)[number]; timepoint: number | null }>(
      'select name, timepoint from register_stream',
    )
    return rows.every(({ name, timepoint }) => timepoint !== null && timepoint >= house.headOf(name))
  }, 'the followers did not catch up')
}

async function until(condition: () => Promise<boolean>, problem: string): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(problem)
    await sleep(100)
  }
}

/** Companies whose row is not what the register's REST API shows. */
async function findDifferences(app: App, house: SimulatedCompaniesHouse, restUrl: string): Promise<string[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${SIMULATED_REST_KEY}:`).toString('base64')}` }
  const differing: string[] = []
  for (const number of house.companyNumbers()) {
    const shown = parseProfile(await (await fetch(new URL(`/company/${number}`, restUrl), { headers })).json())
    const ours = await findCompany(app.db, number)
    for (const field of [
      'name',
      'status',
      'statusDetail',
      'accountsLastMadeUp',
      'accountsType',
      'accountsNextDue',
      'confirmationLastMadeUp',
      'confirmationNextDue',
      'sicCodes',
      'previousNames',
    ] as const) {
      if (JSON.stringify(shown?.[field]) !== JSON.stringify(ours?.[field]))
        differing.push(`${number} ${field}: ${JSON.stringify(ours?.[field])} is not ${JSON.stringify(shown?.[field])}`)
    }
    if (shown?.address.line1?.toUpperCase() !== ours?.address.line1?.toUpperCase()) differing.push(`${number} address`)
  }
  return differing
}

export async function compareSignals(app: App, expected: ReadonlyMap<string, number>) {
  const rows = await app.db.query<{ key: string; count: number }>(
    `select company_number || ' ' || signal_type as key, count(*)::int as count from signal group by 1`,
  )
  const found = new Map(rows.map((row) => [row.key, row.count]))
  const keys = new Set([...expected.keys(), ...found.keys()])
  let missing = 0
  let twice = 0
  const examples: string[] = []
  for (const key of keys) {
    const difference = (found.get(key) ?? 0) - (expected.get(key) ?? 0)
    if (difference !== 0) examples.push(`${key}: ${found.get(key) ?? 0} instead of ${expected.get(key) ?? 0}`)
    if (difference < 0) missing -= difference
    else twice += difference
  }
  const total = [...expected.values()].reduce((sum, count) => sum + count, 0)
  return { signals_expected: total, signals_missing: missing, signals_twice: twice, examples }
}
