/**
 * Everything that customers do at once: known and new domains, searches, profiles, feeds, watchlists, sign-ins and agents,
 * while watched companies change and their watchers are notified. Requests are sent when they are due, whatever became of
 * those before, at rising rates, until the service does not keep up. Two API processes, a worker and a follower, a durable
 * PostgreSQL and the simulated web share one machine with the generator.
 */

import { getFootprint } from '../../rig/processes.ts'
import { round } from '../../rig/statistics.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { settleDeliveries } from './mixed/changes.ts'
import { climb, nameLimit } from './mixed/knee.ts'
import { openStage, type Stage } from './mixed/stage.ts'
import { measureStep, type Step } from './mixed/step.ts'
import { tableOfCores, tableOfParts, tableOfSteps } from './mixed/tables.ts'

const FULL = { companies: 100_000, accounts: 40, knownDomains: 2_000, newDomains: 4_000 }
const SHORT = { companies: 5_000, accounts: 10, knownDomains: 200, newDomains: 200 }
/** A service runs at this share of the knee, for there are busier minutes than the one that was planned for. */
export const WORKING_SHARE = 0.7
const AT_WORKING_SHARE = { warmUpMs: 3_000, measuredMs: 20_000, seed: 7 }
const SHORT_STEPS = [
  { perSecond: 15, warmUpMs: 1_000, measuredMs: 5_000, seed: 1 },
  { perSecond: 40, warmUpMs: 1_000, measuredMs: 5_000, seed: 2 },
]
const DELIVERIES_MS_MAX = 30_000

export const benchMixed: NamedRun = {
  about: 'all that customers do at once, at rising rates: the knee, and the time of each part',
  proof: {
    title: 'Everything at once',
    about:
      'Known domains (55 %), searches, profiles, job status, feeds, watchlists, usage, agents, sign-ins and ' +
      'new domains (2.5 %), over 100,000 companies of which some change. The rate rises to the knee: the ' +
      'last at which 99 % are answered within 2 s with a p99 of at most 500 ms and a queue that does not ' +
      'grow. Two API processes, a worker, a follower, PostgreSQL, the simulated web and the generator share ' +
      'two cores.',
    figures: {
      knee_per_second: { label: 'Knee, requests a second' },
      p50_ms: { label: 'Reads at 70 % of the knee, p50', unit: 'ms' },
      p99_ms: { label: 'Reads at 70 % of the knee, p99', unit: 'ms', atMost: 500 },
      cpu_ms_per_request: { label: 'CPU for a request of the mix, with all it causes', unit: 'ms' },
      cpu_ms_api: { label: '… of it the API processes', unit: 'ms' },
      cpu_ms_worker: { label: '… of it worker and follower', unit: 'ms' },
      cpu_ms_postgres: { label: '… of it PostgreSQL', unit: 'ms' },
      errors: { label: 'Wrong answers, broken requests and lost deliveries', atMost: 0 },
    },
  },
  short: {
    errors: { atMost: 0 },
    answered_share: { atLeast: 0.99 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const { say } = options
  await using stage = await openStage(options.short ? SHORT : FULL, say)
  return options.short ? await runShort(stage, say) : await runFull(stage, say)
}

async function runShort(stage: Stage, say: (line: string) => void): Promise<RunReport> {
  const steps: Step[] = []
  for (const plan of SHORT_STEPS) {
    steps.push(await measureStep(stage, plan))
    sayStep(say, steps.at(-1))
  }
  const deliveries = await settleDeliveries(stage, DELIVERIES_MS_MAX)
  const last = steps.at(-1)
  return {
    answered_share: Math.min(...steps.map(({ answeredShare }) => answeredShare)),
    errors: countErrors(steps) + steps.reduce((sum, { busy }) => sum + busy, 0) + deliveries.deliveries_lost,
    offered_per_second: last?.offeredPerSecond,
    ...presentTimes(last),
    rss_mb: readMemory(stage),
    ...deliveries,
  }
}

async function runFull(stage: Stage, say: (line: string) => void): Promise<RunReport> {
  const found = await climb(stage, (step) => sayStep(say, step))
  const { steps, knee } = found
  const working = await measureStep(stage, { ...AT_WORKING_SHARE, perSecond: knee.perSecond * WORKING_SHARE })
  sayStep(say, working)
  const deliveries = await settleDeliveries(stage, DELIVERIES_MS_MAX)
  const errors = countErrors([...steps, working]) + working.busy + deliveries.deliveries_lost
  const tables = [
    'Rates, with the CPU for each answered request in ms:',
    tableOfSteps([...steps, working]),
    'Cores taken at the knee:',
    tableOfCores(knee),
    `By part, at ${Math.round(working.perSecond)} requests a second:`,
    tableOfParts(working),
  ].join('\n\n')
  say(tables)
  return {
    knee_per_second: Math.round(knee.perSecond),
    ...presentTimes(working),
    errors,
    limited_by: nameLimit(found),
    ...deliveries,
    generator_cores: working.cores.find(({ name }) => name === 'generator')?.share,
    rss_mb: readMemory(stage),
    ok: errors === 0,
    versions: { PostgreSQL: await readVersion(stage) },
  }
}

/** A refusal as busy beyond the knee is what should happen there, and no error; below it no rate has any. */
function countErrors(steps: readonly Step[]): number {
  return steps.reduce((sum, { errors }) => sum + errors, 0)
}

function presentTimes(step: Step | undefined): Record<string, number> {
  if (!step) return {}
  const { api, worker, postgres } = step.cpuMsPerRequest
  return {
    p50_ms: step.p50Ms,
    p99_ms: step.p99Ms,
    cpu_ms_per_request: round(api + worker + postgres, 2),
    cpu_ms_api: api,
    cpu_ms_worker: worker,
    cpu_ms_postgres: postgres,
  }
}

function readMemory({ processes }: Stage): Record<string, number> {
  const ours = processes.filter(({ role }) => role === 'api' || role === 'worker')
  return Object.fromEntries(ours.map(({ name, pid }) => [name, Math.round(getFootprint(pid).rssMb)]))
}

async function readVersion({ app }: Stage): Promise<string> {
  const [row] = await app.db.query<{ server_version: string }>('show server_version')
  return row?.server_version ?? 'unknown'
}

function sayStep(say: (line: string) => void, step: Step | undefined): void {
  if (!step) return
  const { api, worker, postgres, generator } = step.cpuMsPerRequest
  const trouble = step.sent.find((sent) => sent.trouble !== null)?.trouble
  const figures = [
    `${step.offeredPerSecond}/s offered, ${step.reachedPerSecond}/s answered`,
    `p50 ${step.p50Ms} ms, p99 ${step.p99Ms} ms`,
    `CPU-ms api ${api}, worker ${worker}, postgres ${postgres}, generator ${generator}`,
    `machine ${Math.round(step.machineBusyShare * 100)} %`,
  ]
  say([...figures, ...step.objections, ...(trouble ? [trouble] : [])].join('; '))
}
