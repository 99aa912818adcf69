/**
 * The knee of the mix, of another release and of this one, on the same machine in the same run: they climb alternately, one
 * at a time, from the same rate, with the same generator. The other release runs on one PostgreSQL server, as it did; this
 * one with a replica and two crawl databases beside it.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../rig/child.ts'
import { median, round } from '../../rig/statistics.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'
import { takeRelease } from '../chaos/deploy/releases.ts'
import type { ClimbQuestion, ClimbReport } from './knee/climb-process.ts'
import { isDisturbed } from './mixed/knee.ts'
import { tableOfCores, tableOfSteps } from './mixed/tables.ts'

/** The last release before replicas, partitions and crawl databases. */
const OLD_COMMIT = '52883ad'
const ROOT = join(import.meta.dirname, '../..')
/** The generator: the other release gets it from this one. */
const GENERATOR = ['proofs/bench/mixed', 'proofs/bench/knee']
const CLIMB_PROCESS = 'proofs/bench/knee/climb-process.ts'
const FULL = { companies: 100_000, accounts: 40, knownDomains: 2_000, newDomains: 6_000 }
const SHORT = { companies: 5_000, accounts: 10, knownDomains: 200, newDomains: 200 }
const SHORT_PER_SECOND = 40
const PLAN = { firstPerSecond: 200, factor: 1.4, halvings: 2 }
const ROUNDS = 2
const MINUTE_MS = 60_000
const RATIO_GOAL = 1.5

export const KNEE_PROOF: Proof = {
  title: 'The knee against the release before replicas',
  about:
    'The mix of “Everything at once” climbs to its knee on an older release and on this one, alternately, one at a time, with ' +
    'the same generator, requests, data and first rate. The older one runs on one PostgreSQL server, this one on a primary ' +
    'with a replica and two crawl databases, in the same number of API processes and workers. All of them share the same ' +
    'cores, so that the replica adds no machine here and costs what it replays: the knee is decided by the CPU for a request. ' +
    'Figures are medians of the climbs.',
  figures: {
    knee_old: { label: 'Knee of the older release, requests a second' },
    knee_new: { label: 'Knee of this release, requests a second' },
    knee_ratio: { label: 'This release over the older one', atLeast: RATIO_GOAL },
    cpu_ms_old: { label: 'CPU for a request at the knee, older release', unit: 'ms' },
    cpu_ms_new: { label: 'CPU for a request at the knee, this release', unit: 'ms' },
    errors: { label: 'Wrong answers and broken requests at rates that held', atMost: 0 },
    deliveries_lost_old: { label: 'Lost deliveries, older release' },
    deliveries_lost_new: { label: 'Lost deliveries, this release', atMost: 0 },
    disturbed_steps: { label: 'Steps beside which other programs took a tenth of the machine or more' },
    limited_by: { label: 'What is at its limit beyond the knee of this release' },
  },
}

interface Contestant {
  name: string
  root: string
  hasServers: boolean
  climbs: ClimbReport[]
}

export async function benchKnee(options: RunOptions): Promise<RunReport> {
  using release = takeRelease(options.commit ?? OLD_COMMIT)
  for (const folder of GENERATOR) cpSync(join(ROOT, folder), join(release.root, folder), { recursive: true })
  const old: Contestant = { name: `old (${release.commit})`, root: release.root, hasServers: false, climbs: [] }
  const present: Contestant = { name: 'new', root: ROOT, hasServers: true, climbs: [] }
  const plain: Contestant = { name: 'new on one server', root: ROOT, hasServers: false, climbs: [] }
  const contestants = [old, present, ...(options.plain ? [plain] : [])]
  await alternate(contestants, options)
  const errors = contestants.reduce((sum, one) => sum + sumOf(one, (climb) => climb.errors), 0)
  const details = contestants.map(describe).join('\n\n')
  options.say(details)
  return {
    knee_old: kneeOf(old),
    knee_new: kneeOf(present),
    knee_ratio: round(kneeOf(present) / kneeOf(old), 2),
    ...(options.plain ? { knee_new_one_server: kneeOf(plain) } : {}),
    knees: Object.fromEntries(contestants.map(({ name, climbs }) => [name, climbs.map(({ knee }) => knee.perSecond)])),
    ...presentCpu('old', old),
    ...presentCpu('new', present),
    ...(options.plain ? presentCpu('one_server', plain) : {}),
    errors,
    deliveries_lost_old: sumOf(old, ({ deliveriesLost }) => deliveriesLost),
    deliveries_lost_new: sumOf(present, ({ deliveriesLost }) => deliveriesLost),
    disturbed_steps: contestants.reduce((sum, one) => sum + sumOf(one, countDisturbed), 0),
    limited_by: present.climbs.at(-1)?.limitedBy,
    limited_by_old: old.climbs.at(-1)?.limitedBy,
    ok: errors === 0,
    details,
  }
}

/** No further round begins after `--minutes`. */
async function alternate(contestants: readonly Contestant[], options: RunOptions): Promise<void> {
  const minutesMax = options.minutes ?? Number.POSITIVE_INFINITY
  const startedAtMs = performance.now()
  const isInTime = () => performance.now() - startedAtMs < minutesMax * MINUTE_MS
  for (let count = 0; count < (options.short ? 1 : ROUNDS) && (count === 0 || isInTime()); count += 1) {
    for (const contestant of contestants) contestant.climbs.push(await climbOnce(contestant, options))
  }
}

async function climbOnce({ name, root, hasServers }: Contestant, options: RunOptions): Promise<ClimbReport> {
  const question: ClimbQuestion = {
    size: options.short ? SHORT : FULL,
    plan: { ...PLAN, firstPerSecond: options.rate ?? PLAN.firstPerSecond },
    hasServers,
    ...(options.short ? { onlyPerSecond: SHORT_PER_SECOND } : {}),
  }
  await using child = await startChild(join(root, CLIMB_PROCESS))
  const report = await child.ask<ClimbReport>(question)
  options.say(`${name}: ${report.steps.map(({ perSecond, objections }) => sayRate(perSecond, objections)).join(', ')}`)
  return report
}

function sayRate(perSecond: number, objections: readonly string[]): string {
  return objections.length === 0 ? `${perSecond} held` : `${perSecond} not (${objections.join(', ')})`
}

function sumOf({ climbs }: Contestant, toCount: (climb: ClimbReport) => number): number {
  return climbs.reduce((sum, climb) => sum + toCount(climb), 0)
}

function countDisturbed({ steps }: ClimbReport): number {
  return steps.filter(isDisturbed).length
}

function kneeOf({ climbs }: Contestant): number {
  return Math.round(medianOf(climbs, ({ knee }) => knee.perSecond))
}

/** Returns the mean of the two in the middle where their number is even. */
function medianOf(climbs: readonly ClimbReport[], toValue: (climb: ClimbReport) => number): number {
  const values = climbs.map(toValue)
  return (median(values) - median(values.map((value) => -value))) / 2
}

function presentCpu(name: string, { climbs }: Contestant): Record<string, number> {
  const of = (role: 'api' | 'worker' | 'postgres') => medianOf(climbs, ({ knee }) => knee.cpuMsPerRequest[role])
  return {
    [`cpu_ms_${name}`]: round(of('api') + of('worker') + of('postgres'), 2),
    [`cpu_ms_${name}_api`]: round(of('api'), 2),
    [`cpu_ms_${name}_worker`]: round(of('worker'), 2),
    [`cpu_ms_${name}_postgres`]: round(of('postgres'), 2),
  }
}

function describe({ name, climbs }: Contestant): string {
  return climbs
    .flatMap(({ knee, steps, limitedBy }, index) => [
      `Climb ${index + 1}, ${name}: rates, with the CPU for each answered request in ms`,
      tableOfSteps(steps),
      `Cores taken at the knee; beyond it the limit is ${limitedBy}`,
      tableOfCores(knee),
    ])
    .join('\n\n')
}
