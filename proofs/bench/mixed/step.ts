/** Sends the mix at one rate for some seconds and measures it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { latencyOf, type Sent, sendWhenDue } from '../../../rig/load.ts'
import { quantile, round } from '../../../rig/statistics.ts'
import { drawMix, type PartRequest } from './parts.ts'
import { type Stage, WATCHERS_EACH } from './stage.ts'
import { countJobs, ROLES, type Role, readUsage, type Usage } from './usage.ts'

export type PartSent = Sent<PartRequest>

export interface StepPlan {
  perSecond: number
  warmUpMs: number
  measuredMs: number
  seed: number
}

type Figures = ReturnType<typeof summarise>

export interface Step extends Figures {
  /** Reasons against the rate; empty where the service keeps up. */
  objections: string[]
}

/** For each request, how many of the watched companies change. */
const CHANGES_SHARE = 0.02
/** A request in forty names a new domain, and a change is a job for each who watches. */
const JOBS_SHARE = 0.025 + CHANGES_SHARE * WATCHERS_EACH
const IN_TIME_MS = 2_000
const P99_MS_MAX = 500
const ANSWERED_SHARE_MIN = 0.99
/** The queue may rise by what comes in so many seconds, or by a few, before it counts as growing. */
const QUEUE_GROWTH = { seconds: 2, jobs: 10 }

export async function measureStep(stage: Stage, plan: StepPlan): Promise<Step> {
  const ended: PartSent[] = []
  const durationMs = plan.warmUpMs + plan.measuredMs
  const measured = await underLoad(
    stage,
    { ...plan, durationMs },
    (sent) => ended.push(sent),
    () => measure(stage, plan),
  )
  const figures = summarise(stage, plan, { ...measured, ended })
  return { ...figures, objections: findObjections(figures) }
}

/** Sends requests and makes changes at this rate, and runs `meanwhile`. Where one of them fails, all end. */
export async function underLoad<Result>(
  stage: Stage,
  plan: { perSecond: number; durationMs: number; seed: number },
  onEnd: (sent: PartSent) => void,
  meanwhile: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { perSecond, durationMs } = plan
  const stop = new AbortController()
  const { signal } = stop
  const sending = sendWhenDue(stage.sender, drawMix(stage.subjects), { ...plan, signal }, onEnd)
  const changing = stage.changes.makeOverTime({ perSecond: perSecond * CHANGES_SHARE, durationMs }, signal)
  const looking = meanwhile(signal)
  try {
    const [result] = await Promise.all([looking, sending, changing])
    return result
  } finally {
    stop.abort()
    await Promise.allSettled([looking, sending, changing])
  }
}

interface Measured {
  before: Usage
  after: Usage
  ready: number[]
}

async function measure(stage: Stage, { warmUpMs, measuredMs }: StepPlan): Promise<Measured> {
  await sleep(warmUpMs)
  const before = readUsage(stage.processes)
  const ready: number[] = []
  const endAtMs = before.atMs + measuredMs
  while (performance.now() < endAtMs) {
    ready.push((await countJobs(stage.app)).ready)
    await sleep(Math.min(1_000, Math.max(0, endAtMs - performance.now())))
  }
  return { before, after: readUsage(stage.processes), ready }
}

function summarise(
  stage: Stage,
  { perSecond }: StepPlan,
  { before, after, ready, ended }: Measured & { ended: PartSent[] },
) {
  const sent = ended.filter(({ dueAtMs }) => dueAtMs >= before.atMs && dueAtMs < after.atMs)
  const seconds = (after.atMs - before.atMs) / 1_000
  const right = ended.filter(({ fate }) => fate === 'right')
  const reached = right.filter(({ endedAtMs }) => endedAtMs >= before.atMs && endedAtMs < after.atMs).length
  const inTime = sent.filter((each) => each.fate === 'right' && each.endedAtMs - each.dueAtMs <= IN_TIME_MS).length
  const latencies = sent.flatMap((each) => (each.fate === 'right' && each.request.part.isRead ? latencyOf(each) : []))
  const cpuMs = stage.processes.map((_, index) => (after.cpuMs[index] ?? 0) - (before.cpuMs[index] ?? 0))
  const ofRole = (role: Role) =>
    cpuMs.reduce((sum, ms, index) => sum + (stage.processes[index]?.role === role ? ms : 0), 0)
  return {
    perSecond: round(perSecond),
    sent,
    offeredPerSecond: round(sent.length / seconds),
    /** Right answers that came within the measured time. */
    reachedPerSecond: round(reached / seconds),
    answeredShare: round(inTime / Math.max(1, sent.length), 4),
    p50Ms: round(quantile(latencies, 0.5)),
    p99Ms: round(quantile(latencies, 0.99)),
    /** Wrong responses, and requests that broke off; also those of the warm-up, for no time excuses them. */
    errors: ended.filter(({ fate }) => fate === 'wrong' || fate === 'broken').length,
    /** Refusals because there was too much to do. */
    busy: ended.filter(({ fate }) => fate === 'busy').length,
    cpuMsPerRequest: Object.fromEntries(
      ROLES.map((role) => [role, round(ofRole(role) / Math.max(1, reached), 2)]),
    ) as Record<Role, number>,
    /** By process, of one core. */
    cores: stage.processes.map(({ name }, index) => ({ name, share: round((cpuMs[index] ?? 0) / seconds / 1_000, 2) })),
    /** The share of all cores that was used, by any program. */
    machineBusyShare: busyShare(before, after),
    /** Ready jobs, once a second. */
    ready,
  }
}

function busyShare({ machine: before }: Usage, { machine: after }: Usage): number {
  return round((after.busyMs - before.busyMs) / Math.max(1, after.totalMs - before.totalMs), 2)
}

function findObjections(step: Figures): string[] {
  const third = Math.max(1, Math.floor(step.ready.length / 3))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const growth = mean(step.ready.slice(-third)) - mean(step.ready.slice(0, third))
  const jobsPerSecond = step.perSecond * JOBS_SHARE
  const isGrowing = growth > Math.max(QUEUE_GROWTH.jobs, QUEUE_GROWTH.seconds * jobsPerSecond)
  return [
    ...(step.answeredShare < ANSWERED_SHARE_MIN ? [`${round(step.answeredShare * 100, 1)} % answered in time`] : []),
    ...(step.errors + step.busy > 0 ? [`${step.errors} errors, ${step.busy} refused as busy`] : []),
    ...(step.p99Ms > P99_MS_MAX ? [`p99 of ${Math.round(step.p99Ms)} ms`] : []),
    ...(isGrowing ? [`the queue grew by ${Math.round(growth)} jobs`] : []),
  ]
}
