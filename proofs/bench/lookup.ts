/**
 * POST /v1/resolve/domain for answers that are known and paid for, through the real server with all that a request
 * meets there, against a bare Fastify route with one indexed SELECT of the same row. `ratio` is our requests per second
 * of the server's CPU over the bare route's, `ratio_few` the same with few connections. Both alternate, and requests come
 * from another process.
 */
import { join } from 'node:path'
import { type OpenedAccount, openAccounts } from '../../rig/accounts.ts'
import { type Child, startChild } from '../../rig/child.ts'
import { knowAnswers } from '../../rig/known-answers.ts'
import { expectRight, latencyOf, type PlannedRequest, Sender, sendInTurn } from '../../rig/load.ts'
import { findFreePort } from '../../rig/postgres.ts'
import { listenSettings } from '../../rig/settings.ts'
import { openWorldStage } from '../../rig/stage.ts'
import { median, quantile, round, sum } from '../../rig/statistics.ts'
import { openWorld } from '../../rig/world.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'

const WORLD = join(import.meta.dirname, '../../worlds/demo')
const SERVER = join(import.meta.dirname, 'lookup/server-process.ts')
/** Together they may ask more often than one process can respond, so that no rate limit is ever met. */
const ACCOUNTS = { count: 240, plan: 'growth' } as const
const DOMAINS = 300
const CONNECTIONS = 32
/** So few that statements of several requests seldom go together. */
const FEW_CONNECTIONS = 4
/** Many short rounds: what else the machine does then falls on both alike. */
const FULL = { rounds: 30, fewRounds: 20, warmUpMs: 3_000, roundMs: 1_000 }
const SHORT = { rounds: 8, fewRounds: 6, warmUpMs: 1_000, roundMs: 450 }

interface Round {
  perCpuSecond: number
  latenciesMs: number[]
  bytes: number
}

export const benchLookup: NamedRun = {
  about: 'known answers over HTTP against a bare route with one SELECT, per CPU-second',
  short: {
    // A whole request against a bare route with one statement. 1.4 at 32 connections and 0.7 at four measured at the full
    // size, where the goals are 0.85 and 0.6. In the short form most of our time is the compiling of code: 0.18 to 0.37
    // measured, the less the busier the machine.
    ratio: { atLeast: 0.15 },
    ratio_few: { atLeast: 0.15 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  using world = openWorld(options.given.world ?? WORLD)
  await using stage = await openWorldStage(world, options)
  const accounts = await openAccounts(stage.app, ACCOUNTS)
  options.say('reading sites, and storing what they say of many domains')
  const domains = await knowAnswers(stage.app, { world, domains: DOMAINS, accounts })
  const settings = {
    ...stage.settings,
    ...listenSettings(await findFreePort()),
    DATABASE_CONNECTIONS_MAX: '20',
    LOG_LEVEL: 'info',
  }
  await using server = await startChild<{ oursUrl: string; bareUrl: string }>(SERVER, { settings })
  await using ours = new Sender([server.ready.oursUrl], CONNECTIONS)
  await using bare = new Sender([server.ready.bareUrl], CONNECTIONS)
  const targets = [
    { sender: ours, draw: drawRequest('/v1/resolve/domain', accounts, domains) },
    { sender: bare, draw: drawRequest('/domain', accounts, domains) },
  ] as const
  const { rounds, fewRounds, warmUpMs, roundMs } = options.short ? SHORT : FULL
  for (const target of targets) await takeRound(server, target, { customers: CONNECTIONS, durationMs: warmUpMs })
  const many = await compare(server, targets, { customers: CONNECTIONS, durationMs: roundMs, rounds }, options)
  const few = await compare(
    server,
    targets,
    { customers: FEW_CONNECTIONS, durationMs: roundMs, rounds: fewRounds },
    options,
  )
  return {
    ratio: ratioOf(many),
    ratio_few: ratioOf(few),
    ...presentRounds('our', many.ours),
    ...presentRounds('bare', many.bare),
  }
}

/** Both are sent the same bytes: the bare route only does not look at the key. */
function drawRequest(path: string, accounts: OpenedAccount[], domains: string[]): () => PlannedRequest {
  const bodies = domains.map((domain) => JSON.stringify({ domain }))
  const headers = accounts.map(({ key }) => ({ 'content-type': 'application/json', 'x-api-key': key }))
  let index = 0
  return () => {
    index += 1
    const body = bodies[(index * 7) % bodies.length] ?? ''
    return { method: 'POST', path, headers: headers[index % headers.length] ?? {}, body, accepts: [200] }
  }
}

interface Target {
  sender: Sender
  draw: () => PlannedRequest
}

interface RoundPlan {
  customers: number
  durationMs: number
}

interface Compared {
  ours: Round[]
  bare: Round[]
}

async function compare(
  server: Child<unknown>,
  [ours, bare]: readonly [Target, Target],
  plan: RoundPlan & { rounds: number },
  { say }: RunOptions,
): Promise<Compared> {
  const compared: Compared = { ours: [], bare: [] }
  const takeOurs = async () => compared.ours.push(await takeRound(server, ours, plan))
  const takeBare = async () => compared.bare.push(await takeRound(server, bare, plan))
  for (let count = 1; count <= plan.rounds; count += 1) {
    for (const take of count % 2 === 1 ? [takeOurs, takeBare] : [takeBare, takeOurs]) await take()
    const [our, other] = [compared.ours, compared.bare].map((rounds) => Math.round(rounds.at(-1)?.perCpuSecond ?? 0))
    say(
      `${plan.customers} connections, round ${count} of ${plan.rounds}: ours ${our}, bare ${other} requests per CPU-second`,
    )
  }
  return compared
}

function ratioOf({ ours, bare }: Compared): number {
  return round(median(ours.map((each, index) => each.perCpuSecond / (bare[index]?.perCpuSecond ?? 1))), 2)
}

async function takeRound(server: Child<unknown>, { sender, draw }: Target, plan: RoundPlan): Promise<Round> {
  const before = await readCpuMs(server)
  const sent = await sendInTurn(sender, draw, plan)
  const cpuMs = (await readCpuMs(server)) - before
  expectRight(sent)
  return {
    perCpuSecond: (sent.length / cpuMs) * 1_000,
    latenciesMs: sent.map(latencyOf),
    bytes: Math.round(sum(sent.map(({ bytes }) => bytes)) / sent.length),
  }
}

/** Returns user and system time of the whole process since its start, its other threads included. */
async function readCpuMs(server: Child<unknown>): Promise<number> {
  const { user, system } = await server.ask<NodeJS.CpuUsage>({})
  return (user + system) / 1_000
}

function presentRounds(whose: 'our' | 'bare', rounds: Round[]): Record<string, number> {
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs)
  return {
    [`${whose}_requests_per_cpu_second`]: Math.round(median(rounds.map((each) => each.perCpuSecond))),
    [`${whose}_p50_ms`]: round(quantile(latenciesMs, 0.5), 2),
    [`${whose}_p99_ms`]: round(quantile(latenciesMs, 0.99), 2),
    [`${whose}_answer_bytes`]: Math.round(median(rounds.map((each) => each.bytes))),
  }
}
