/**
 * POST /v1/resolve/domain for answers that are known and paid for, through the real server with all that a request
 * meets there, against a bare Fastify route with one indexed SELECT of the same row. `ratio` is our requests per second
 * of the server's CPU over the bare route's. Both alternate, and requests come from another process.
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
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'

const WORLD = join(import.meta.dirname, '../../worlds/demo')
const SERVER = join(import.meta.dirname, 'lookup/server-process.ts')
/** Together they may ask more often than one process can respond, so that no rate limit is ever met. */
const ACCOUNTS = { count: 60, plan: 'growth' } as const
const DOMAINS = 300
const CONNECTIONS = 32
/** Many short rounds: what else the machine does then falls on both alike. */
const FULL = { rounds: 30, warmUpMs: 3_000, roundMs: 1_000 }
const SHORT = { rounds: 8, warmUpMs: 1_000, roundMs: 450 }

interface Round {
  perCpuSecond: number
  latenciesMs: number[]
  bytes: number
}

export async function benchLookup(options: RunOptions): Promise<RunReport> {
  using world = openWorld(options.world ?? WORLD)
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
    { sender: ours, draw: drawRequest('/v1/resolve/domain', accounts, domains), taken: [] as Round[] },
    { sender: bare, draw: drawRequest('/domain', accounts, domains), taken: [] as Round[] },
  ]
  return await measure(server, targets, options)
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
  taken: Round[]
}

async function measure(server: Child<unknown>, targets: Target[], options: RunOptions): Promise<RunReport> {
  const { rounds, warmUpMs, roundMs } = options.short ? SHORT : FULL
  for (const target of targets) await takeRound(server, target, warmUpMs)
  for (let count = 1; count <= rounds; count += 1) {
    for (const target of count % 2 === 1 ? targets : targets.toReversed()) {
      target.taken.push(await takeRound(server, target, roundMs))
    }
    const rates = targets.map(({ taken }) => Math.round(taken.at(-1)?.perCpuSecond ?? 0))
    options.say(`round ${count} of ${rounds}: ours ${rates[0]}, bare ${rates[1]} requests per CPU-second`)
  }
  const [ours = [], bare = []] = targets.map(({ taken }) => taken)
  return {
    ratio: round(median(ours.map((each, index) => each.perCpuSecond / (bare[index]?.perCpuSecond ?? 1))), 2),
    ...presentRounds('our', ours),
    ...presentRounds('bare', bare),
  }
}

async function takeRound(server: Child<unknown>, { sender, draw }: Target, durationMs: number): Promise<Round> {
  const before = await readCpuMs(server)
  const sent = await sendInTurn(sender, draw, { customers: CONNECTIONS, durationMs })
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
  const { user, system } = await server.ask<NodeJS.CpuUsage>('cpu')
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
