/** The two loads that are compared: deliveries until the last of them is recorded, and the same requests by bare undici. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getTimes } from '../../../rig/processes.ts'
import { syntheticSignal } from '../../../rig/synthetic-signal.ts'
import { until } from '../../../rig/until.ts'
import type { Arrival, SentRequest } from '../../../rig/web-process.ts'
import { type NewSignal, raiseSignals } from '../../../src/signals/index.ts'
import type { BareLoad } from './bare-sender.ts'
import { type Stage, type Subscribers, urlsOf } from './stage.ts'

export interface BareRound {
  perSecond: number
  /** The sender's CPU time. */
  cpuMsEach: number
  /** If the receivers' process is busy all the time, it is what was measured. */
  receiverCpuMsEach: number
}

interface Round extends BareRound {
  statementsEach: number
}

export interface DeliveryRound extends Round {
  /** Some of the requests, as they arrived. */
  requests: SentRequest[]
  /** While they are being delivered. */
  signalsPerSecond: number
  /** From the commit of each signal until its request had arrived. */
  arrivalMs: number[]
}

/** Sends `count` requests from the list with bare undici, and checks that they arrived. */
export async function sendBare(stage: Stage, load: BareLoad): Promise<BareRound> {
  const receiverMs = getTimes(stage.web.pid).cpuMs
  const usage = await stage.sendBare(load)
  const count = load.before + load.count
  const receiverCpuMsEach = (getTimes(stage.web.pid).cpuMs - receiverMs) / count
  await stage.web.waitForArrivals(count)
  await stage.web.takeArrivals()
  return { ...usage, receiverCpuMsEach }
}

/** Waits until our worker has closed the connections that it left open. */
export function untilDisconnected(): Promise<void> {
  return sleep(DISCONNECTED_MS)
}

const DISCONNECTED_MS = 3_000

export interface Raising {
  signals: number
  perTransaction: number
}

const SAMPLE_REQUESTS = 2_000

export async function deliver(stage: Stage, subscribers: Subscribers, raising: Raising): Promise<DeliveryRound> {
  const signals = Array.from({ length: raising.signals }, (_, index) => newSignal(subscribers, index))
  const count = signals.flatMap(({ companyNumber: number }) => urlsOf(subscribers, number)).length
  let raised: Raised = { committedAtMs: new Map(), expected: [], seconds: 0 }
  const round = await measure(stage, count, async () => {
    raised = await raise(stage, subscribers, signals, raising)
    await stage.web.waitForArrivals(count)
    await soon(() => isEmpty(stage, `webhook_delivery where state = 'pending'`))
  })
  await soon(() => isEmpty(stage, 'webhook_destination where drained_until is not null'))
  const requests = await stage.web.listReceived(SAMPLE_REQUESTS)
  const arrivals = await stage.web.takeArrivals()
  checkArrivals(arrivals, raised.expected)
  const arrivalMs = arrivals.map(({ signalId, arrivedAtMs }) => {
    return Math.max(0, arrivedAtMs - (raised.committedAtMs.get(signalId) ?? 0))
  })
  return { ...round, requests, signalsPerSecond: signals.length / raised.seconds, arrivalMs }
}

interface Raised {
  /** By signal. */
  committedAtMs: Map<string, number>
  /** Address and signal of every delivery. */
  expected: string[]
  seconds: number
}

async function raise(
  { app }: Stage,
  subscribers: Subscribers,
  signals: readonly NewSignal[],
  { perTransaction }: Raising,
): Promise<Raised> {
  const raised: Raised = { committedAtMs: new Map(), expected: [], seconds: 0 }
  const startedAtMs = performance.now()
  for (let done = 0; done < signals.length; done += perTransaction) {
    const batch = signals.slice(done, done + perTransaction)
    const written = await app.db.transaction((tx) => raiseSignals(app, tx, batch, app.clock.now()))
    for (const { id, companyNumber } of written) {
      raised.committedAtMs.set(id, Date.now())
      raised.expected.push(...urlsOf(subscribers, companyNumber).map((url) => `${url} ${id}`))
    }
  }
  raised.seconds = (performance.now() - startedAtMs) / 1_000
  return raised
}

async function measure(stage: Stage, count: number, work: () => Promise<void>): Promise<Round> {
  const receiverMs = getTimes(stage.web.pid).cpuMs
  const before = await stage.readWorker()
  const startedAtMs = performance.now()
  await work()
  const seconds = (performance.now() - startedAtMs) / 1_000
  const after = await stage.readWorker()
  return {
    perSecond: count / seconds,
    cpuMsEach: (after.cpuMs - before.cpuMs) / count,
    receiverCpuMsEach: (getTimes(stage.web.pid).cpuMs - receiverMs) / count,
    statementsEach: (after.statements - before.statements) / count,
  }
}

async function isEmpty({ app }: Stage, rows: string): Promise<boolean> {
  return (await app.db.query(`select from ${rows} limit 1`)).length === 0
}

/** Looks often, as the time until then is what is measured. */
const soon = (isSo: () => Promise<boolean>) => until(isSo, 'it did not end', { everyMs: 10 })

/** Throws unless each delivery arrived once, signed by the secret of its destination, and nothing else arrived. */
function checkArrivals(arrivals: readonly Arrival[], expected: readonly string[]): void {
  const unsigned = arrivals.filter(({ isSigned }) => !isSigned).length
  const arrived = new Set(arrivals.map(({ url, signalId }) => `${url} ${signalId}`))
  const missing = new Set(expected).difference(arrived).size
  if (unsigned === 0 && missing === 0 && arrivals.length === expected.length) return
  throw new Error(
    `of ${expected.length} deliveries ${missing} are missing, ${arrivals.length} arrived, ${unsigned} of them unsigned`,
  )
}

let signalCount = 0

function newSignal({ numbers }: Subscribers, index: number): NewSignal {
  signalCount += 1
  return syntheticSignal(numbers[index % numbers.length] ?? '', `bench:${signalCount}`)
}
