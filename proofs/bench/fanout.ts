/**
 * Signals raised for companies that others watch, delivered to their destinations over TLS, against bare undici that sends
 * the same requests to the same receivers, alternating. `sender_ratio` is the CPU of bare undici for a request on an open
 * connection over that of our worker for a delivery: leases, reads, signatures, records and logs included.
 * `many_hosts_ratio` is deliveries a second where every one goes to another host, over that of bare undici, which opens a
 * connection for each as well. Every delivery is checked: it arrived once, signed, where it should. Beside it, one
 * destination with a long backlog, and very many destinations with one event each on few hosts.
 */

import { openAccounts } from '../../rig/accounts.ts'
import { median, quantile, round } from '../../rig/statistics.ts'
import type { RunOptions } from '../harness/named-runs.ts'
import {
  type BareRound,
  type DeliveryRound,
  deliver,
  type Raising,
  sendBare,
  untilDisconnected,
} from './fanout/rounds.ts'
import { openStage, type Shape, type Stage, type Subscribers, subscribe } from './fanout/stage.ts'

const HOSTS = 50
const MAIN = { prefix: 'MN', accounts: 50, destinationsEach: 1, hosts: HOSTS, companies: 500, watchers: 5 }
const HOT = { prefix: 'HT', accounts: 1, destinationsEach: 1, hosts: HOSTS, companies: 500, watchers: 1 }
/** One signal reaches all of them, which are as many as an account may have. */
const MANY = { destinationsEach: 20, companies: 1 }

const FULL = { rounds: 3, signals: 2_000, backlog: 10_000, popularWith: 100, calm: 100 }
const SHORT = { rounds: 3, signals: 500, backlog: 2_000, popularWith: 3, calm: 20 }
/** Some hundreds of the register's changes become signals in one transaction. */
const TRANSACTION_SIGNALS = 100
const CALM_PAUSE_MS = 25
const ONE_SIGNAL = { signals: 1, perTransaction: 1 }
/** As many to one host as our worker sends to a destination at once. */
const KEPT_ALIVE = { inFlight: 250, perHost: 5, before: 1_000 }
/** As many deliveries, so that our worker's connections are open too. */
const KEPT_ALIVE_SIGNALS_BEFORE = 200
/** As many at once as our worker runs jobs. */
const NEW_CONNECTIONS = { inFlight: 400, perHost: 1, before: 0 }

export async function benchFanout(options: RunOptions): Promise<Record<string, unknown>> {
  const size = options.short ? SHORT : FULL
  const popular = { ...MANY, accounts: size.popularWith, watchers: size.popularWith }
  const few = { ...popular, prefix: 'MY', hosts: HOSTS }
  const all = { ...popular, prefix: 'MH', hosts: popular.accounts * popular.destinationsEach }
  await using stage = await openStage({ hosts: Math.max(HOSTS, all.hosts) })
  const count = MAIN.accounts + HOT.accounts + 2 * popular.accounts
  const accounts = await openAccounts(stage.app, { count, plan: 'free' })
  const open = (shape: Shape) => {
    const ids = accounts.splice(0, shape.accounts).map(({ id }) => id)
    return subscribe(stage, shape, ids)
  }
  // The backlog first: at its end the code is compiled, as that of a worker which runs for days.
  const hot = await deliver(stage, await open(HOT), { signals: size.backlog, perTransaction: TRANSACTION_SIGNALS })
  const main = await open(MAIN)
  const raising = { signals: size.signals, perTransaction: TRANSACTION_SIGNALS }
  const signalsBefore = KEPT_ALIVE_SIGNALS_BEFORE
  const kept = await compare(stage, main, { ...options, raising, signalsBefore, bare: KEPT_ALIVE, rounds: size.rounds })
  const calm = await deliver(stage, main, { signals: size.calm, perTransaction: 1, pauseMs: CALM_PAUSE_MS })
  const onFewHosts = await open(few)
  const many: DeliveryRound[] = []
  while (many.length < size.rounds) {
    await untilDisconnected()
    many.push(await deliver(stage, onFewHosts, ONE_SIGNAL))
  }
  const onAllHosts = await open(all)
  const bare = NEW_CONNECTIONS
  const hosts = await compare(stage, onAllHosts, { ...options, raising: ONE_SIGNAL, bare, rounds: size.rounds })
  return {
    ...presentKept(kept),
    ...presentArrivals('calm_arrival', calm.arrivalMs),
    hot_deliveries_per_second: Math.round(hot.perSecond),
    many_deliveries_per_second: Math.round(median(many.map(({ perSecond }) => perSecond))),
    many_worker_cpu_ms_per_delivery: toMs(many.map(({ cpuMsEach }) => cpuMsEach)),
    many_destinations: few.accounts * few.destinationsEach,
    ...presentHosts(hosts),
  }
}

interface Compared {
  bare: BareRound
  ours: DeliveryRound
}

interface Comparison extends RunOptions {
  raising: Raising
  /** Signals that are delivered just before, and not measured. */
  signalsBefore?: number
  bare: { inFlight: number; perHost: number; before: number }
  rounds: number
}

async function compare(stage: Stage, subscribers: Subscribers, comparison: Comparison): Promise<Compared[]> {
  const { rounds, raising, signalsBefore = 0, bare: limits, say } = comparison
  const runOurs = async () => {
    await untilDisconnected()
    if (signalsBefore > 0) await deliver(stage, subscribers, { ...raising, signals: signalsBefore })
    return deliver(stage, subscribers, raising)
  }
  // Its requests are sent again by the bare sender, and every host has made its certificate.
  const { requests, arrivalMs } = await runOurs()
  const runBare = () => sendBare(stage, { requests, count: arrivalMs.length, ...limits })
  await runBare()
  const taken: Compared[] = []
  for (let count = 1; count <= rounds; count += 1) {
    // The first one changes, so that what the machine does meanwhile falls on both alike.
    const first = count % 2 === 0 ? await runBare() : null
    const ours = await runOurs()
    const bare = first ?? (await runBare())
    taken.push({ bare, ours })
    say(`round ${count} of ${rounds}: bare ${describeRound(bare)}; ours ${describeRound(ours)}`)
  }
  return taken
}

function describeRound({ perSecond, cpuMsEach, receiverCpuMsEach }: BareRound): string {
  return `${Math.round(perSecond)}/s, ${round(cpuMsEach, 2)} ms (receivers ${round(receiverCpuMsEach, 2)} ms) each`
}

function presentKept(rounds: Compared[]): Record<string, number> {
  const of = (figure: (round: Compared) => number) => rounds.map(figure)
  return {
    sender_ratio: round(median(of(({ bare, ours }) => bare.cpuMsEach / ours.cpuMsEach)), 2),
    deliveries_per_second: Math.round(median(of(({ ours }) => ours.perSecond))),
    bare_requests_per_second: Math.round(median(of(({ bare }) => bare.perSecond))),
    signals_raised_per_second: Math.round(median(of(({ ours }) => ours.signalsPerSecond))),
    statements_per_delivery: round(median(of(({ ours }) => ours.statementsEach)), 2),
    worker_cpu_ms_per_delivery: toMs(of(({ ours }) => ours.cpuMsEach)),
    bare_cpu_ms_per_request: toMs(of(({ bare }) => bare.cpuMsEach)),
    receiver_cpu_ms_per_delivery: toMs(of(({ ours }) => ours.receiverCpuMsEach)),
    ...presentArrivals(
      'arrival',
      rounds.flatMap(({ ours }) => ours.arrivalMs),
    ),
  }
}

/** `receiver_busy_share` near 1 says that the receivers were what limited bare undici. */
function presentHosts(rounds: Compared[]): Record<string, number> {
  const of = (figure: (round: Compared) => number) => rounds.map(figure)
  return {
    many_hosts_ratio: round(median(of(({ bare, ours }) => ours.perSecond / bare.perSecond)), 2),
    many_hosts_cpu_ratio: round(median(of(({ bare, ours }) => bare.cpuMsEach / ours.cpuMsEach)), 2),
    many_hosts_deliveries_per_second: Math.round(median(of(({ ours }) => ours.perSecond))),
    many_hosts_bare_per_second: Math.round(median(of(({ bare }) => bare.perSecond))),
    many_hosts_worker_cpu_ms_per_delivery: toMs(of(({ ours }) => ours.cpuMsEach)),
    many_hosts_bare_cpu_ms_per_request: toMs(of(({ bare }) => bare.cpuMsEach)),
    receiver_busy_share: round(median(of(({ bare }) => (bare.receiverCpuMsEach * bare.perSecond) / 1_000)), 2),
  }
}

function toMs(values: readonly number[]): number {
  return round(median(values), 3)
}

function presentArrivals(name: string, arrivalMs: readonly number[]): Record<string, number> {
  return { [`${name}_p50_ms`]: quantile(arrivalMs, 0.5), [`${name}_p95_ms`]: quantile(arrivalMs, 0.95) }
}
