/**
 * A table tool as customers run it: a column of domains, one request a row with `Prefer: wait=50`, ten rows a second.
 * None of the sites has been read before. API and worker are processes of their own, the web and the register are
 * simulated. Every row must be answered in its one request.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { openAccounts } from '../../rig/accounts.ts'
import { SIMULATED_REST_KEY, SimulatedCompaniesHouse } from '../../rig/companies-house/index.ts'
import { startProgram } from '../../rig/program.ts'
import { openWorld, type World } from '../../rig/world.ts'
import { openStage } from '../../tools/accuracy/stage.ts'
import type { BenchOptions } from './main.ts'

const WORLDS = ['dev.tar.gz', 'demo'].map((name) => join(import.meta.dirname, '../../worlds', name))
const ROWS = 500
const ROWS_SHORT = 60
const ROWS_PER_SECOND = 10
const WAIT_SECONDS = 50
/** The smallest plan with enough credits; its rate limit is just what the table needs. */
const ACCOUNT = { count: 1, plan: 'starter' } as const
const STAGE_CONNECTIONS = 4

interface Row {
  domain: string
  status: number
  seconds: number
  outcome: string
}

export async function benchTable(options: BenchOptions): Promise<Record<string, unknown>> {
  using world = openWorld(options.world ?? WORLDS.find((path) => existsSync(path)) ?? '')
  await using stage = await openStage(world, { concurrency: STAGE_CONNECTIONS, say: (step) => say(options, step) })
  const [account] = await openAccounts(stage.app, ACCOUNT)
  // With the register's own limit: when it is spent, rows are answered without officers, charges and the like.
  await using house = SimulatedCompaniesHouse.fromWorld(world.folder)
  const { restUrl } = await house.listen()
  const register = { SIMULATED: 'register,web', REGISTER_REST_URL: restUrl, REGISTER_REST_KEY: SIMULATED_REST_KEY }
  await using api = await startProgram('serve', stage.app.config, register)
  await using _worker = await startProgram('work', stage.app.config, register)
  const domains = pickDomains(world, options.rows ?? (options.short ? ROWS_SHORT : ROWS))
  say(options, `${world.name}: ${domains.length} rows, ${ROWS_PER_SECOND} a second`)
  const startedAtMs = performance.now()
  const rows = await fillTable(`${api.url}/v1/partner/enrich-company`, account?.key ?? '', domains)
  return summarise(rows, (performance.now() - startedAtMs) / 1_000)
}

/** From all over the world, which has its kinds side by side. */
export function pickDomains({ labels }: World, wanted: number): string[] {
  const domains = [...new Set(labels.map(({ domain }) => domain))]
  const step = Math.max(1, domains.length / wanted)
  return Array.from({ length: Math.min(wanted, domains.length) }, (_, row) => domains[Math.floor(row * step)] ?? '')
}

/** Each row is sent when its time has come, whatever has become of those before it. */
async function fillTable(url: string, key: string, domains: string[]): Promise<Row[]> {
  const agent = new Agent({ connections: null, pipelining: 1 })
  try {
    return await Promise.all(
      domains.map(async (domain, place) => {
        await sleep((place / ROWS_PER_SECOND) * 1_000)
        return askForRow(agent, url, key, domain)
      }),
    )
  } finally {
    await agent.close()
  }
}

async function askForRow(dispatcher: Agent, url: string, key: string, domain: string): Promise<Row> {
  const startedAtMs = performance.now()
  const headers = { 'content-type': 'application/json', 'x-api-key': key, prefer: `wait=${WAIT_SECONDS}` }
  const answer = await request(url, { dispatcher, method: 'POST', headers, body: JSON.stringify({ domain }) })
  const body = (await answer.body.json()) as { code?: string; result?: { match_status: string } }
  const outcome = body.result?.match_status ?? body.code ?? 'unfinished'
  return { domain, status: answer.statusCode, seconds: (performance.now() - startedAtMs) / 1_000, outcome }
}

function summarise(rows: Row[], seconds: number): Record<string, unknown> {
  const sorted = rows.map((row) => row.seconds).sort((a, b) => a - b)
  const at = (share: number) => round2(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  const outcomes = Map.groupBy(rows, ({ outcome }) => outcome)
  return {
    answered_share: rows.filter(({ status }) => status === 200).length / rows.length,
    p50_seconds: at(0.5),
    p95_seconds: at(0.95),
    longest_seconds: at(1),
    rows: rows.length,
    server_errors: rows.filter(({ status }) => status >= 500).length,
    table_seconds: Math.round(seconds),
    ...Object.fromEntries([...outcomes].map(([outcome, list]) => [outcome, list.length])),
  }
}

function say(options: BenchOptions, line: string): void {
  if (!options.json) console.log(line)
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
