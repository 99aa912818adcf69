/**
 * A table tool as customers run it: a column of domains, one request a row with `Prefer: wait=50`, ten rows a second.
 * None of the sites has been read before. API and worker are processes, the web and the register are simulated. Every row
 * must be answered in its one request.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../rig/accounts.ts'
import { SIMULATED_REST_KEY, SimulatedCompaniesHouse } from '../../rig/companies-house/index.ts'
import { openWorldStage } from '../../rig/stage.ts'
import { quantile, round, spread } from '../../rig/statistics.ts'
import { openWorld, type World } from '../../rig/world.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'

const WORLDS = ['dev.tar.gz', 'demo'].map((name) => join(import.meta.dirname, '../../worlds', name))
const ROWS = 500
const ROWS_SHORT = 60
const ROWS_PER_SECOND = 10
const WAIT_SECONDS = 50
/** The smallest plan with enough credits; its rate limit is just what the table needs. */
const ACCOUNT = { count: 1, plan: 'starter' } as const

interface Row {
  status: number
  seconds: number
  outcome: string
}

export async function benchTable(options: RunOptions): Promise<RunReport> {
  using world = openWorld(options.world ?? WORLDS.find((path) => existsSync(path)) ?? '')
  await using stage = await openWorldStage(world, options)
  const [account] = await openAccounts(stage.app, ACCOUNT)
  // With the register's own limit: when it is spent, rows are answered without officers, charges and the like.
  await using house = SimulatedCompaniesHouse.fromWorld(world.folder)
  const { restUrl } = await house.listen()
  const register = { REGISTER_REST_URL: restUrl, REGISTER_REST_KEY: SIMULATED_REST_KEY }
  await using api = await stage.start('serve', register)
  await using _worker = await stage.start('work', register)
  const domains = pickDomains(world, options.rows ?? (options.short ? ROWS_SHORT : ROWS))
  options.say(`${world.name}: ${domains.length} rows, ${ROWS_PER_SECOND} a second`)
  const startedAtMs = performance.now()
  // Each row is sent when it is due, whatever became of those before it.
  const rows = await Promise.all(
    domains.map(async (domain, index) => {
      await sleep((index / ROWS_PER_SECOND) * 1_000)
      return askForRow(`${api.url}/v1/partner/enrich-company`, account?.key ?? '', domain)
    }),
  )
  return summarise(rows, (performance.now() - startedAtMs) / 1_000)
}

export function pickDomains({ labels }: World, count: number): string[] {
  return spread([...new Set(labels.map(({ domain }) => domain))], count)
}

async function askForRow(url: string, key: string, domain: string): Promise<Row> {
  const startedAtMs = performance.now()
  const headers = { 'content-type': 'application/json', 'x-api-key': key, prefer: `wait=${WAIT_SECONDS}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ domain }) })
  const body = (await response.json()) as { code?: string; result?: { match_status: string } }
  const outcome = body.result?.match_status ?? body.code ?? 'unfinished'
  return { status: response.status, seconds: (performance.now() - startedAtMs) / 1_000, outcome }
}

function summarise(rows: Row[], seconds: number): RunReport {
  const waits = rows.map((row) => row.seconds)
  const at = (share: number) => round(quantile(waits, share), 2)
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
