/** A simulated register, its followers, and how far they are. */
import { join } from 'node:path'
import {
  type NewCompany,
  SIMULATED_REST_KEY,
  SIMULATED_STREAM_KEY,
  SimulatedCompaniesHouse,
} from '../../../rig/companies-house/index.ts'
import { type Program, startFile } from '../../../rig/program.ts'
import { databaseSettings } from '../../../rig/settings.ts'
import { until } from '../../../rig/until.ts'
import type { App } from '../../../src/app.ts'
import { openDownload } from '../../../src/lib/web/download.ts'
import { importSnapshot, openSnapshotFile, STREAM_NAMES, silentProgress } from '../../../src/register/index.ts'
import { recordQueuedChanges } from '../../../src/signals/index.ts'

export const SEED = 20_261_115

/**
 * Creates so many companies, with the owners that `createOwners` returns for a number; `stream` says how long its
 * connections live and how often they send a heartbeat.
 */
export function createHouse(
  companies: number,
  stream: { heartbeatMs: number; connectionLifeMs: number },
  createOwners?: (number: string) => NonNullable<NewCompany['pscs']>,
): SimulatedCompaniesHouse {
  const list = Array.from({ length: companies }, (_, index) => {
    const number = String(10_000_000 + index)
    return {
      number,
      name: `CHAOS COMPANY ${index} LIMITED`,
      incorporatedOn: '2015-03-01',
      address: { address_line_1: '1 Old Road', locality: 'York', postal_code: 'YO1 1AA' },
      pscs: createOwners?.(number) ?? [],
    }
  })
  return SimulatedCompaniesHouse.fromCompanies(list, {
    seed: SEED,
    rest: { limit: { requests: 1_000_000, windowMs: 300_000 } },
    stream: { ...stream, connectionsPerKeyMax: 50 },
    imageDelayMs: null,
  })
}

export async function importBaseline(app: App, bulkUrl: string): Promise<void> {
  const index = await (await fetch(new URL('/en_output.html', bulkUrl))).text()
  const name = /BasicCompanyDataAsOneFile[\w-]*\.zip/.exec(index)?.[0] ?? ''
  const file = await openSnapshotFile(new URL(`/${name}`, bulkUrl).href, openDownload)
  await importSnapshot(app, file, silentProgress)
  await file.close()
  await recordQueuedChanges(app)
}

export interface FollowedUrls {
  restUrl: string
  streamUrl: string
  databaseUrl: string
}

export function startFollower({ restUrl, streamUrl, databaseUrl }: FollowedUrls): Promise<Program> {
  return startFile([join(import.meta.dirname, 'follower-process.ts')], {
    ...databaseSettings(databaseUrl),
    SIMULATED: 'register',
    REGISTER_REST_URL: restUrl,
    REGISTER_REST_KEY: SIMULATED_REST_KEY,
    REGISTER_STREAM_URL: streamUrl,
    REGISTER_STREAM_KEYS: SIMULATED_STREAM_KEY,
    LOG_LEVEL: 'silent',
  })
}

const WARM_UP_CHANGES = 100

/** Makes an event on each stream before the trouble begins: a stream without one has no timepoint to resume from. */
export async function warmUp(app: App, house: SimulatedCompaniesHouse, changes: { makeOne(): void }): Promise<void> {
  const areFollowed = async () => {
    const rows = await app.db.query(
      'select name from register_stream where lease_until > now() and current_until is not null',
    )
    return rows.length === STREAM_NAMES.length
  }
  await until(areFollowed, 'the streams were not followed')
  for (let made = 0; made < WARM_UP_CHANGES; made += 1) changes.makeOne()
  await untilCaughtUp(app, house)
}

export async function untilCaughtUp(app: App, house: SimulatedCompaniesHouse): Promise<void> {
  await until(async () => {
    const rows = await app.db.query<{ name: (typeof STREAM_NAMES)[number]; timepoint: number | null }>(
      'select name, timepoint from register_stream',
    )
    return rows.every(({ name, timepoint }) => timepoint !== null && timepoint >= house.headOf(name))
  }, 'the followers did not catch up')
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
