/**
 * Signals raised for companies that others watch, delivered to their destinations over TLS, against bare undici that sends
 * the same requests to the same receivers, alternating. `sender_ratio` is the CPU of bare undici for a request on an open
 * connection over that of our worker for a delivery: leases, reads, signatures, records and logs included.
 * `many_hosts_ratio` is deliveries a second where every one goes to another host, over that of bare undici, which opens a
 * connection for each as well. Every delivery is checked: it arrived once, signed, where it should.
 */

import { openAccounts } from '../../rig/accounts.ts'
import { median, quantile, round } from '../../rig/statistics.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
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
/** One signal reaches all of them, which are as many as an account may have. */
const MANY = { destinationsEach: 20, companies: 1 }

const FULL = { rounds: 3, signals: 2_000, warmUp: 2_000, popularWith: 100 }
const SHORT = { rounds: 1, signals: 500, warmUp: 400, popularWith: 3 }
/** Some hundreds of the register's changes become signals in one transaction. */
const TRANSACTION_SIGNALS = 100
const ONE_SIGNAL = { signals: 1, perTransaction: 1 }
/** As many to one host as our worker sends to a destination at once. */
const KEPT_ALIVE = { inFlight: 250, perHost: 5, before: 1_000 }
/** As many deliveries, so that our worker's connections are open too. */
const KEPT_ALIVE_SIGNALS_BEFORE = 200
/** As many at once as our worker runs jobs. */
const NEW_CONNECTIONS = { inFlight: 400, perHost: 1, before: 0 }

export const benchFanout: NamedRun = {
  about: 'signals delivered to webhooks against bare undici',
  short: {
    // CPU of bare undici over that of our worker. 0.5 measured at the full size, which is the goal; over a few thousand
    // deliveries, code is still compiled.
    sender_ratio: { atLeast: 0.1 },
    // This one hardly depends on the machine: 0.1 measured, and 2.2 when every destination had transactions of its own.
    statements_per_delivery: { atMost: 0.7 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const size = options.short ? SHORT : FULL
  const popular = { ...MANY, accounts: size.popularWith, watchers: size.popularWith }
  const all = { ...popular, prefix: 'MH', hosts: popular.accounts * popular.destinationsEach }
  await using stage = await openStage({ hosts: Math.max(HOSTS, all.hosts) })
  const count = MAIN.accounts + popular.accounts
  const accounts = await openAccounts(stage.app, { count, plan: 'free' })
  const open = (shape: Shape) => {
    const ids = accounts.splice(0, shape.accounts).map(({ id }) => id)
    return subscribe(stage, shape, ids)
  }
  const main = await open(MAIN)
  // Afterwards the code is compiled, as that of a worker which runs for days.
  await deliver(stage, main, { signals: size.warmUp, perTransaction: TRANSACTION_SIGNALS })
  const raising = { signals: size.signals, perTransaction: TRANSACTION_SIGNALS }
  const signalsBefore = KEPT_ALIVE_SIGNALS_BEFORE
  const kept = await compare(stage, main, { ...options, raising, signalsBefore, bare: KEPT_ALIVE, rounds: size.rounds })
  const onAllHosts = await open(all)
  const bare = NEW_CONNECTIONS
  const hosts = await compare(stage, onAllHosts, { ...options, raising: ONE_SIGNAL, bare, rounds: size.rounds })
  return {
    ...presentKept(kept),
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
  const arrivalMs = rounds.flatMap(({ ours }) => ours.arrivalMs)
  return {
    sender_ratio: round(median(of(({ bare, ours }) => bare.cpuMsEach / ours.cpuMsEach)), 2),
    deliveries_per_second: Math.round(median(of(({ ours }) => ours.perSecond))),
    bare_requests_per_second: Math.round(median(of(({ bare }) => bare.perSecond))),
    signals_raised_per_second: Math.round(median(of(({ ours }) => ours.signalsPerSecond))),
    statements_per_delivery: round(median(of(({ ours }) => ours.statementsEach)), 2),
    worker_cpu_ms_per_delivery: toMs(of(({ ours }) => ours.cpuMsEach)),
    bare_cpu_ms_per_request: toMs(of(({ bare }) => bare.cpuMsEach)),
    receiver_cpu_ms_per_delivery: toMs(of(({ ours }) => ours.receiverCpuMsEach)),
    arrival_p50_ms: quantile(arrivalMs, 0.5),
    arrival_p95_ms: quantile(arrivalMs, 0.95),
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
