/**
 * Signals raised for companies that others watch, delivered to their destinations over TLS, against the bare engine
 * running empty jobs. `ratio` is deliveries over jobs per second, each from the first transaction until the last is recorded,
 * in one worker process, alternating. Every delivery is checked: it arrived once, signed, where it should. Beside it, one
 * destination with a long backlog, and very many with one event each.
 */

import { openAccounts } from '../../rig/accounts.ts'
import { median, quantile, round } from '../../rig/statistics.ts'
import type { RunOptions } from '../../tools/named-runs.ts'
import { type DeliveryRound, deliver, type Round, runEmptyJobs } from './fanout/rounds.ts'
import { openStage, type Shape, type Stage, type Subscribers, subscribe } from './fanout/stage.ts'

const MAIN = { prefix: 'MN', accounts: 50, destinationsEach: 1, companies: 500, watchers: 5 }
const HOT = { prefix: 'HT', accounts: 1, destinationsEach: 1, companies: 500, watchers: 1 }
/** One signal reaches all of them, which are as many as an account may have. */
const MANY = { prefix: 'MY', destinationsEach: 20, companies: 1 }

/** Jobs and deliveries that take about as long, so that picking up the first weighs the same on both. */
const FULL = { rounds: 3, jobs: 15_000, signals: 2_000, backlog: 10_000, popularWith: 100, calm: 100 }
const SHORT = { rounds: 3, jobs: 4_000, signals: 500, backlog: 2_000, popularWith: 3, calm: 20 }
/** Some hundreds of the register's changes become signals in one transaction. */
const TRANSACTION_SIGNALS = 100
const CALM_PAUSE_MS = 25

export async function benchFanout(options: RunOptions): Promise<Record<string, unknown>> {
  const size = options.short ? SHORT : FULL
  await using stage = await openStage()
  const count = MAIN.accounts + HOT.accounts + size.popularWith
  const accounts = await openAccounts(stage.app, { count, plan: 'free' })
  const idsFor = (shape: Shape) => accounts.splice(0, shape.accounts).map(({ id }) => id)
  // The backlog first: at its end the code is compiled, as that of a worker which runs for days.
  const backlog = { signals: size.backlog, perTransaction: TRANSACTION_SIGNALS }
  const hot = await deliver(stage, await subscribe(stage, HOT, idsFor(HOT)), backlog)
  const main = await subscribe(stage, MAIN, idsFor(MAIN))
  const rounds = await compare(stage, main, options)
  const calm = await deliver(stage, main, { signals: size.calm, perTransaction: 1, pauseMs: CALM_PAUSE_MS })
  const popular = { ...MANY, accounts: size.popularWith, watchers: size.popularWith }
  const watchers = await subscribe(stage, popular, idsFor(popular))
  const many = await deliver(stage, watchers, { signals: 1, perTransaction: 1 })
  return {
    ...presentRounds(rounds),
    ...presentArrivals('calm_arrival', calm.arrivalMs),
    hot_deliveries_per_second: Math.round(hot.perSecond),
    many_deliveries_per_second: Math.round(many.perSecond),
    many_destinations: popular.accounts * popular.destinationsEach,
  }
}

interface Compared {
  bare: Round
  ours: DeliveryRound
}

async function compare(stage: Stage, main: Subscribers, options: RunOptions): Promise<Compared[]> {
  const { rounds, jobs, signals } = options.short ? SHORT : FULL
  const runBare = () => runEmptyJobs(stage, jobs)
  const runOurs = () => deliver(stage, main, { signals, perTransaction: TRANSACTION_SIGNALS })
  await runBare()
  const taken: Compared[] = []
  for (let count = 1; count <= rounds; count += 1) {
    // The first one changes, so that what the machine does meanwhile falls on both alike.
    const first = count % 2 === 0 ? await runBare() : null
    const ours = await runOurs()
    const bare = first ?? (await runBare())
    taken.push({ bare, ours })
    const [jobRate, rate] = [bare, ours].map(({ perSecond }) => Math.round(perSecond))
    options.say(`round ${count} of ${rounds}: ${jobRate} jobs/s, ${rate} deliveries/s`)
  }
  return taken
}

function presentRounds(rounds: Compared[]): Record<string, number> {
  const middle = (figure: (round: Compared) => number) => median(rounds.map(figure))
  return {
    ratio: round(
      middle(({ bare, ours }) => ours.perSecond / bare.perSecond),
      2,
    ),
    bare_jobs_per_second: Math.round(middle(({ bare }) => bare.perSecond)),
    deliveries_per_second: Math.round(middle(({ ours }) => ours.perSecond)),
    signals_raised_per_second: Math.round(middle(({ ours }) => ours.signalsPerSecond)),
    statements_per_delivery: round(
      middle(({ ours }) => ours.statementsEach),
      2,
    ),
    worker_cpu_ms_per_delivery: round(
      middle(({ ours }) => ours.cpuMsEach),
      2,
    ),
    worker_cpu_ms_per_job: round(
      middle(({ bare }) => bare.cpuMsEach),
      2,
    ),
    ...presentArrivals(
      'arrival',
      rounds.flatMap(({ ours }) => ours.arrivalMs),
    ),
  }
}

function presentArrivals(name: string, arrivalMs: readonly number[]): Record<string, number> {
  return { [`${name}_p50_ms`]: quantile(arrivalMs, 0.5), [`${name}_p95_ms`]: quantile(arrivalMs, 0.95) }
}
