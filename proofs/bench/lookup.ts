/**
 * POST /v1/resolve/domain for answers that are known and paid for, through the real server with all that a request
 * meets there, against a bare Fastify route with one indexed SELECT of the same row. `ratio` is our requests per second
 * of the server's CPU over the bare route's. Both take turns, and requests come from another process.
 */
import { join } from 'node:path'
import { type OpenedAccount, openAccounts } from '../../rig/accounts.ts'
import { knowAnswers } from '../../rig/known-answers.ts'
import { openWorld } from '../../rig/world.ts'
import { openStage } from '../../tools/accuracy/stage.ts'
import { type Load, sendLoad, type Target } from './lookup/load.ts'
import { type MeasuredServer, startMeasuredServer } from './lookup/server.ts'
import type { BenchOptions } from './main.ts'

const WORLD = join(import.meta.dirname, '../../worlds/demo')
/** Together they may ask more often than one process can answer, so that no rate limit is ever met. */
const ACCOUNTS = { count: 60, plan: 'growth' } as const
const DOMAINS = 300
const CONNECTIONS = 32
const READS_AT_ONCE = 8
/** Many short rounds: what else the machine does then falls on both alike. */
const FULL = { rounds: 30, warmUpMs: 3_000, roundMs: 1_000 }
const SHORT = { rounds: 8, warmUpMs: 1_000, roundMs: 450 }

interface Round extends Load {
  perCpuSecond: number
}

export async function benchLookup(options: BenchOptions): Promise<Record<string, unknown>> {
  using world = openWorld(options.world ?? WORLD)
  await using stage = await openStage(world, { concurrency: READS_AT_ONCE, say: (step) => say(options, step) })
  const accounts = await openAccounts(stage.app, ACCOUNTS)
  say(options, 'reading sites, and keeping what they say of many domains')
  const domains = await knowAnswers(stage.app, { world, domains: DOMAINS, accounts })
  await using server = await startMeasuredServer(stage.app.config)
  return await measure(server, targetsOf(server, accounts, domains), options)
}

function targetsOf({ oursUrl, bareUrl }: MeasuredServer, accounts: OpenedAccount[], domains: string[]) {
  const bodies = domains.map((domain) => JSON.stringify({ domain }))
  // Both are sent the same bytes: the bare route only does not look at the key.
  const headers = accounts.map(({ key }) => ({ 'x-api-key': key }))
  const request = {
    headersOf: (place: number) => headers[place % headers.length] ?? {},
    bodyOf: (place: number) => bodies[(place * 7) % bodies.length] ?? '',
  }
  return {
    ours: { url: oursUrl, path: '/v1/resolve/domain', ...request },
    bare: { url: bareUrl, path: '/domain', ...request },
  }
}

async function measure(
  server: MeasuredServer,
  targets: { ours: Target; bare: Target },
  options: BenchOptions,
): Promise<Record<string, unknown>> {
  const { rounds, warmUpMs, roundMs } = options.short ? SHORT : FULL
  const turns = [targets.ours, targets.bare].map((target) => ({ target, taken: [] as Round[] }))
  for (const { target } of turns) await takeTurn(server, target, warmUpMs)
  for (let round = 1; round <= rounds; round += 1) {
    for (const { target, taken } of round % 2 === 1 ? turns : turns.toReversed()) {
      taken.push(await takeTurn(server, target, roundMs))
    }
    const rates = turns.map(({ taken }) => Math.round(taken.at(-1)?.perCpuSecond ?? 0))
    say(options, `round ${round} of ${rounds}: ours ${rates[0]}, bare ${rates[1]} requests per CPU-second`)
  }
  const [ours = [], bare = []] = turns.map(({ taken }) => taken)
  return {
    ratio: round2(median(ours.map((turn, place) => turn.perCpuSecond / (bare[place]?.perCpuSecond ?? 1)))),
    ...presentRounds('our', ours),
    ...presentRounds('bare', bare),
  }
}

async function takeTurn(server: MeasuredServer, target: Target, durationMs: number): Promise<Round> {
  const beforeMs = await server.readCpuMs()
  const load = await sendLoad(target, { connections: CONNECTIONS, durationMs })
  return { ...load, perCpuSecond: (load.requests / ((await server.readCpuMs()) - beforeMs)) * 1_000 }
}

function presentRounds(whose: 'our' | 'bare', rounds: Round[]): Record<string, number> {
  const latenciesMs = rounds.flatMap((round) => round.latenciesMs).sort((a, b) => a - b)
  const at = (share: number) => round2(latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0)
  return {
    [`${whose}_requests_per_cpu_second`]: Math.round(median(rounds.map((round) => round.perCpuSecond))),
    [`${whose}_p50_ms`]: at(0.5),
    [`${whose}_p99_ms`]: at(0.99),
    [`${whose}_answer_bytes`]: Math.round(median(rounds.map((round) => round.bytes))),
  }
}

function say(options: BenchOptions, line: string): void {
  if (!options.json) console.log(line)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
