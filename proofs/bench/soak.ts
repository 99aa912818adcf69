/**
 * The mix of `bench -- mixed` for half an hour at a rate that the service keeps up with, to show growth: memory and open
 * handles of every process, the queue, connections, and response times.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { latencyOf } from '../../rig/load.ts'
import { markdownTable, median, quantile, round } from '../../rig/statistics.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type SettledDeliveries, settleDeliveries } from './mixed/changes.ts'
import { countNewDomains } from './mixed/parts.ts'
import { EARLY, LATE, ownProcesses, ratioOf, type Sample, type Span, takeSample, within } from './mixed/samples.ts'
import { openStage, type Stage } from './mixed/stage.ts'
import { type PartSent, underLoad } from './mixed/step.ts'
import { WORKING_SHARE } from './mixed.ts'

const MIXED_RECORD = join(import.meta.dirname, '../../docs/proof/mixed.json')
const FULL = { companies: 100_000, accounts: 40, knownDomains: 2_000 }
const SHORT = { companies: 5_000, accounts: 10, knownDomains: 200 }
const MINUTES = 30
const SHORT_RUN = { perSecond: 20, durationMs: 20_000, sampleMs: 2_000 }
const SAMPLE_MS = 10_000
const MINUTE_MS = 60_000
/** Chance may ask for some more than the average. */
const NEW_DOMAINS_MARGIN = { factor: 1.2, more: 100 }
const DELIVERIES_MS_MAX = 30_000
const TROUBLES_SHOWN = 3

const LIMITED_BY =
  'two cores carry the service, PostgreSQL, the simulated web and the generator. While anything else runs beside them, ' +
  'as some of the rows below show, requests pile up, and the generator drops those beyond 256 under way'

export const benchSoak: NamedRun = {
  about: 'the same mix for --minutes 30 at --rate N: memory, handles, queues and times stay flat',
  proof: {
    title: 'Half an hour without growth',
    about:
      'The mix of “Everything at once” for 30 minutes at 70 % of its knee. A ratio is the median of the ' +
      'last five minutes over that of minutes 5 to 10, of the process that grew most: 1 is flat.',
    figures: {
      rate_per_second: { label: 'Requests a second' },
      minutes: { label: 'Minutes' },
      requests: { label: 'Requests' },
      memory_ratio: { label: 'Memory, late over early', atMost: 1.2 },
      handles_ratio: { label: 'Open handles, late over early', atMost: 1.1 },
      p99_ratio: { label: 'p99 of reads by the minute, late over early', atMost: 1.5 },
      p99_ms: { label: 'p99 of all reads', unit: 'ms', atMost: 500, limitedBy: LIMITED_BY },
      queue_depth_max: { label: 'Ready jobs, most at once' },
      queue_depth_end: { label: 'Ready jobs at the end', atMost: 50 },
      answered_share: { label: 'Answered rightly', atLeast: 0.999, limitedBy: LIMITED_BY },
      errors: {
        label: 'Wrong answers, broken or refused requests and lost deliveries',
        atMost: 0,
        limitedBy: LIMITED_BY,
      },
    },
  },
  run,
}

interface SoakPlan {
  perSecond: number
  durationMs: number
  sampleMs: number
}

async function run(options: RunOptions): Promise<RunReport> {
  const { say } = options
  const plan = options.short ? SHORT_RUN : planOf(options)
  const requests = (plan.perSecond * plan.durationMs) / 1_000
  const newDomains = Math.ceil(countNewDomains(requests) * NEW_DOMAINS_MARGIN.factor) + NEW_DOMAINS_MARGIN.more
  await using stage = await openStage({ ...(options.short ? SHORT : FULL), newDomains }, say)
  const soaked = await soak(stage, plan, say)
  const deliveries = await settleDeliveries(stage, DELIVERIES_MS_MAX)
  const report = summarise(stage, plan, soaked, deliveries)
  say(tableOverTime(stage, plan, soaked))
  return report
}

function planOf({ rate, minutes = MINUTES }: RunOptions): SoakPlan {
  const perSecond = rate ?? readWorkingRate()
  return { perSecond, durationMs: minutes * MINUTE_MS, sampleMs: Math.min(SAMPLE_MS, minutes * 1_000) }
}

/** Returns a share of the knee that `bench -- mixed` recorded. */
function readWorkingRate(): number {
  const record = existsSync(MIXED_RECORD) ? (JSON.parse(readFileSync(MIXED_RECORD, 'utf8')) as MixedRecord) : null
  const knee = record?.figures.find(({ figure }) => figure === 'knee_per_second')?.value
  if (typeof knee !== 'number') throw new Error('No knee is recorded: run `bench -- mixed --record`, or give --rate N.')
  return Math.round(knee * WORKING_SHARE)
}

interface MixedRecord {
  figures: Array<{ figure: string; value: number | string }>
}

type Soaked = Awaited<ReturnType<typeof soak>>

async function soak(stage: Stage, plan: SoakPlan, say: (line: string) => void) {
  const startedAtMs = performance.now()
  const latencies: number[][] = []
  const counted = { requests: 0, right: 0, troubles: [] as string[] }
  const minuteMs = Math.min(MINUTE_MS, plan.durationMs / 10)
  const count = (sent: PartSent) => {
    counted.requests += 1
    if (sent.fate === 'right') counted.right += 1
    else if (counted.troubles.length < TROUBLES_SHOWN) counted.troubles.push(sent.trouble ?? sent.fate)
    const minute = Math.floor((sent.dueAtMs - startedAtMs) / minuteMs)
    if (sent.fate === 'right' && sent.request.part.isRead) (latencies[minute] ??= []).push(latencyOf(sent))
  }
  const samples: Sample[] = []
  await underLoad(stage, { ...plan, seed: 5 }, count, async (signal) => {
    while (performance.now() < startedAtMs + plan.durationMs && !signal.aborted) {
      await sleep(plan.sampleMs)
      samples.push(await takeSample(stage, startedAtMs))
      sayMoment(say, counted.requests, samples.at(-1))
    }
  })
  // The times of each minute's reads.
  const minutes = latencies.map((times, minute) => {
    return { share: ((minute + 0.5) * minuteMs) / plan.durationMs, p99Ms: quantile(times, 0.99) }
  })
  return { ...counted, samples, minutes, p99Ms: quantile(latencies.flat(), 0.99) }
}

function sayMoment(say: (line: string) => void, requests: number, sample: Sample | undefined): void {
  if (!sample) return
  const memory = sample.footprints.map(({ rssMb }) => Math.round(rssMb)).join('/')
  const { ready, active } = sample.queue
  say(`${Math.round(sample.atMs / 1_000)} s: ${requests} requests, ${memory} MB, ${ready} ready, ${active} active`)
}

function summarise(stage: Stage, plan: SoakPlan, soaked: Soaked, deliveries: SettledDeliveries): RunReport {
  const { samples, minutes, requests, right } = soaked
  const during = (span: Span) => within(samples, span, ({ atMs }) => atMs / plan.durationMs)
  const worst = (read: (sample: Sample, index: number) => number) =>
    Math.max(
      ...ownProcesses(stage).map((_, index) => {
        const of = (span: Span) => during(span).map((sample) => read(sample, index))
        return ratioOf(of(EARLY), of(LATE))
      }),
    )
  const p99s = (span: Span) => within(minutes, span, ({ share }) => share).map(({ p99Ms }) => p99Ms)
  const errors = requests - right + deliveries.deliveries_lost
  return {
    rate_per_second: plan.perSecond,
    minutes: round(plan.durationMs / MINUTE_MS, 2),
    requests,
    memory_ratio: worst((sample, index) => sample.footprints[index]?.rssMb ?? 0),
    handles_ratio: worst((sample, index) => sample.footprints[index]?.handles ?? 0),
    p99_ratio: ratioOf(p99s(EARLY), p99s(LATE)),
    p99_ms: round(soaked.p99Ms),
    queue_depth_max: Math.max(...samples.map(({ queue }) => queue.ready)),
    queue_depth_end: samples.at(-1)?.queue.ready ?? 0,
    pool_waiting_max: Math.max(...samples.map(({ poolWaiting }) => poolWaiting)),
    database_connections_max: Math.max(...samples.map(({ databaseConnections }) => databaseConnections)),
    ...deliveries,
    answered_share: round(right / Math.max(1, requests), 5),
    errors,
    examples: soaked.troubles.join('; ') || 'none',
    ok: errors === 0,
  }
}

const ROWS = 6

function tableOverTime(stage: Stage, plan: SoakPlan, { samples, minutes }: Soaked): string {
  const own = ownProcesses(stage).map(({ name }) => name)
  const head = ['Minutes', ...own.map((name) => `${name} MB`), ...own.map((name) => `${name} handles`)]
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const span = { from: row / ROWS, to: (row + 1) / ROWS }
    const taken = within(samples, span, ({ atMs }) => atMs / plan.durationMs)
    const middle = (read: (sample: Sample) => number) => Math.round(median(taken.map(read)))
    const minute = (share: number) => round((share * plan.durationMs) / MINUTE_MS)
    return [
      `${minute(span.from)}–${minute(span.to)}`,
      ...own.map((_name, process) => middle(({ footprints }) => footprints[process]?.rssMb ?? 0)),
      ...own.map((_name, process) => middle(({ footprints }) => footprints[process]?.handles ?? 0)),
      Math.max(0, ...taken.map(({ queue }) => queue.ready)),
      Math.max(0, ...taken.map(({ queue }) => queue.active)),
      Math.max(0, ...taken.map(({ poolWaiting }) => poolWaiting)),
      middle(({ databaseConnections }) => databaseConnections),
      round(median(within(minutes, span, ({ share }) => share).map(({ p99Ms }) => p99Ms))),
    ]
  })
  const rest = ['Ready jobs, most', 'At work, most', 'Waiting for a connection, most', 'Connections', 'p99 ms']
  return markdownTable([...head, ...rest], rows)
}
