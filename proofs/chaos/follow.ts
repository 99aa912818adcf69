/**
 * Changes pour through the streams while every fault is on and followers are killed with `kill -9`. Afterwards the
 * register must equal the simulator's, officers, owners and their statements included, and every signal must be there, once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SIMULATED_REST_KEY, type SimulatedCompaniesHouse } from '../../rig/companies-house/index.ts'
import { openStage } from '../../rig/stage.ts'
import type { App } from '../../src/app.ts'
import { toLondonDate } from '../../src/lib/clock.ts'
import { parseProfile } from '../../src/register/details/company-from-profile.ts'
import { findCompany } from '../../src/register/index.ts'
import { recordQueuedChanges } from '../../src/signals/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { compareParts, createOwners, firstOwnerOf, firstStatementOf, importOwners } from './follow/parts.ts'
import {
  compareSignals,
  createHouse,
  type FollowedUrls,
  importBaseline,
  SEED,
  startFollower,
  untilCaughtUp,
  warmUp,
} from './follow/register.ts'
import { RandomChanges } from './follow/register-changes.ts'

const FULL = { changes: 10_000, kills: 20, companies: 400 }
const SHORT = { changes: 1_200, kills: 5, companies: 60 }
/** Connections end after seconds instead of 24 hours, heartbeats come five times a second. */
const QUICK_DAY = { heartbeatMs: 200, connectionLifeMs: 4_000 }

export const chaosFollow: NamedRun = {
  about: 'the register followed through every fault and kill -9: nothing missing, nothing twice',
  proof: {
    title: 'The register, followed',
    about:
      'Companies and their parts change on a simulated register, whose streams are dropped, delayed, ' +
      'repeated, cut in half and refused, while followers and workers are killed. Afterwards every company, ' +
      'officer and owner is compared with the register, and each change with its signals.',
    figures: {
      changes: { label: 'changes' },
      kills: { label: 'processes killed' },
      differing_companies: { label: 'companies that differ', atMost: 0 },
      officers_and_owners: { label: 'officers and owners compared' },
      differing_officers_and_owners: { label: 'of them different', atMost: 0 },
      signals_expected: { label: 'signals expected' },
      signals_missing: { label: 'signals missing', atMost: 0 },
      signals_twice: { label: 'signals twice', atMost: 0 },
      seconds: { label: 'time', unit: 's' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const size = options.short ? SHORT : FULL
  await using house = createHouse(size.companies, QUICK_DAY, createOwners)
  const urls = await house.listen()
  await using stage = await openStage()
  await importBaseline(stage.app, urls.bulkUrl)
  await importOwners(stage.app, urls.bulkUrl)
  return await changeAndCompare(stage.app, house, { ...urls, databaseUrl: stage.app.config.databaseUrl }, size)
}

async function changeAndCompare(
  app: App,
  house: SimulatedCompaniesHouse,
  urls: FollowedUrls,
  size: typeof FULL,
): Promise<RunReport> {
  const startedAt = Date.now()
  const changes = new RandomChanges(house, {
    today: toLondonDate(new Date()),
    seed: SEED,
    firstOwnerOf,
    firstStatementOf,
  })
  const followers = [await startFollower(urls), await startFollower(urls)]
  await warmUp(app, house, changes)
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
      await followers.shift()?.kill()
      followers.push(await startFollower(urls))
    }
  }
  house.faults.clear()
  await untilCaughtUp(app, house)
  await Promise.all(followers.map((follower) => follower.stop()))
  await recordQueuedChanges(app)
  const differing = await findDifferences(app, house, urls.restUrl)
  const parts = await findPartDifferences(app, house, urls.restUrl)
  const signals = await compareSignals(app, changes.expected)
  return {
    changes: size.changes,
    kills: size.kills,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    differing_companies: differing.length,
    officers_and_owners: parts.compared,
    differing_officers_and_owners: parts.differing.length,
    ...signals,
    examples:
      [...differing.slice(0, 3), ...parts.differing.slice(0, 3), ...signals.examples.slice(0, 6)].join('; ') || 'none',
    ok:
      differing.length === 0 &&
      parts.compared > 0 &&
      parts.differing.length === 0 &&
      signals.signals_missing === 0 &&
      signals.signals_twice === 0,
  }
}

const COMPARED = [
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
] as const

/** Returns the companies whose row is not what the register's REST API shows. */
async function findDifferences(app: App, house: SimulatedCompaniesHouse, restUrl: string): Promise<string[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${SIMULATED_REST_KEY}:`).toString('base64')}` }
  const differing: string[] = []
  for (const number of house.companyNumbers()) {
    const shown = parseProfile(await (await fetch(new URL(`/company/${number}`, restUrl), { headers })).json())
    const ours = await findCompany(app.db, number)
    for (const field of COMPARED) {
      const [own, theirs] = [JSON.stringify(ours?.[field]), JSON.stringify(shown?.[field])]
      if (own !== theirs) differing.push(`${number} ${field}: ${own} is not ${theirs}`)
    }
    if (shown?.address.line1?.toUpperCase() !== ours?.address.line1?.toUpperCase()) differing.push(`${number} address`)
  }
  return differing
}

async function findPartDifferences(app: App, house: SimulatedCompaniesHouse, restUrl: string) {
  const all = { compared: 0, differing: [] as string[] }
  for (const number of house.companyNumbers()) {
    const { compared, differing } = await compareParts(app, { house, number, restUrl })
    all.compared += compared
    all.differing.push(...differing)
  }
  return all
}
