/**
 * The cost of one of each thing: CPU of the API, the worker and PostgreSQL, rows, bytes and WAL. Each kind is done alone,
 * many times, by the real processes; what they use while idle is taken off. docs/scale.md plans by these figures.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenedAccount, openAccounts } from '../../rig/accounts.ts'
import { openWorldStage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import { loadSyntheticRegister } from '../../rig/synthetic-register/load.ts'
import { openWorld, type World } from '../../rig/world.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import { rebuildSearchIndex } from '../../src/register/search/search-index.ts'
import type { RunOptions } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'
import { drawQueries } from './search.ts'
import { pickDomains } from './table.ts'
import { difference, mapUse, NO_USE, readUse, type Use } from './units/meter.ts'
import { renderScalePage } from './units/scale-page.ts'
import { renderUnits, UNITS, type UnitCosts, type UnitName } from './units/unit-costs.ts'
import { type Asked, addReceivers, ask, changeCompanies, recordChanges, type UnitsStage } from './units/work.ts'

interface Plan {
  world: string
  domains: number
  lookups: number
  searches: number
  /** Companies in the register that is searched: of a few thousand names the planner reads all. */
  registerCompanies: number
  /** Watched by every watcher. */
  companies: number
  /** Times that each of them changes. */
  rounds: number
  idleMs: number
}

const FULL: Plan = {
  world: 'dev.tar.gz',
  domains: 300,
  lookups: 3_000,
  searches: 1_500,
  registerCompanies: 300_000,
  companies: 200,
  rounds: 6,
  idleMs: 5_000,
}
const SHORT: Plan = {
  world: 'demo',
  domains: 12,
  lookups: 300,
  searches: 150,
  registerCompanies: 5_000,
  companies: 20,
  rounds: 2,
  idleMs: 500,
}
const ACCOUNTS = { count: 10, plan: 'scale' } as const
const WATCHERS = 5

export const UNITS_PROOF: Proof = {
  title: 'What one of each costs',
  about:
    'One API process, one worker and a PostgreSQL with durability on do a number of each kind of thing and nothing else ' +
    'meanwhile. CPU is what the kernel counted for each process, with what it uses while idle taken off; rows and bytes ' +
    'are what the tables and indexes grew by; WAL is what was written for it. [The plan](scale.md) uses these figures.',
  figures: Object.fromEntries(
    Object.entries(UNITS).map(([name, { label }]) => [`${name}_cpu_ms`, { label, unit: 'ms of CPU in all' }]),
  ),
}

export async function benchUnits(options: RunOptions): Promise<Record<string, unknown>> {
  const plan = options.short ? SHORT : FULL
  using world = openWorld(options.world ?? join(import.meta.dirname, '../../worlds', plan.world))
  await using opened = await openWorldStage(world, { say: options.say, isDurable: true, receivers: 1 })
  await using api = await opened.start('serve')
  await using worker = await opened.start('work')
  const costs = await measureAll({ ...opened, api, worker }, world, plan, options)
  const details = renderUnits(costs)
  options.say(`\n${details}`)
  if (options.record) renderScalePage(costs)
  const totals = Object.entries(costs).map(([name, use]) => [`${name}_cpu_ms`, round(cpuOf(use), 2)])
  return { ...Object.fromEntries(totals), domains: plan.domains, details }
}

type Measure = (name: UnitName, count: number, work: () => Promise<void>) => Promise<Use>

async function measureAll(stage: UnitsStage, world: World, plan: Plan, options: RunOptions): Promise<UnitCosts> {
  const accounts = await openAccounts(stage.app, ACCOUNTS)
  const idle = await readIdle(stage, plan.idleMs)
  const measure: Measure = async (name, count, work) => {
    const use = await measureUnit(stage, idle, count, work)
    options.say(`${name}: ${count}, ${round(cpuOf(use), 2)} ms of CPU each`)
    return use
  }
  const answers = await measureAnswers(stage, measure, { accounts, domains: pickDomains(world, plan.domains), plan })
  const changes = await measureChanges(stage, measure, { watchers: accounts.slice(0, WATCHERS), plan })
  options.say(`a register of ${plan.registerCompanies} companies`)
  const names = await enlargeRegister(stage, plan.registerCompanies)
  const searches = Array.from({ length: plan.searches }, (_, index): Asked => {
    const name = encodeURIComponent(names[index % names.length] ?? '')
    return { method: 'GET', path: `/v1/companies/search?name=${name}`, key: keyAt(accounts, index) }
  })
  const search = await measure('search', searches.length, () => ask(stage, searches))
  return { ...answers, ...changes, search }
}

/** One account has the sites read; others request what is known then, and request it again. */
async function measureAnswers(
  stage: UnitsStage,
  measure: Measure,
  { accounts, domains, plan }: { accounts: readonly OpenedAccount[]; domains: readonly string[]; plan: Plan },
): Promise<Pick<UnitCosts, 'resolution' | 'charge' | 'lookup'>> {
  const toRequest = (domain: string, key: string): Asked => {
    return { method: 'POST', path: '/v1/resolve/domain', key, body: { domain } }
  }
  const unread = domains.map((domain) => toRequest(domain, keyAt(accounts, 0)))
  const resolution = await measure('resolution', unread.length, () => ask(stage, unread))
  const others = domains
    .slice(0, Math.ceil(domains.length / 4))
    .flatMap((domain) => accounts.slice(1).map(({ key }) => toRequest(domain, key)))
  const charge = await measure('charge', others.length, () => ask(stage, others))
  const again = Array.from({ length: plan.lookups }, (_, index) => others[index % others.length] as Asked)
  const lookup = await measure('lookup', again.length, () => ask(stage, again))
  return { resolution, charge, lookup }
}

async function measureChanges(
  stage: UnitsStage,
  measure: Measure,
  { watchers, plan }: { watchers: readonly OpenedAccount[]; plan: Plan },
): Promise<Pick<UnitCosts, 'watch' | 'signal' | 'delivery'>> {
  const rows = await stage.app.db.query<{ number: string }>(
    `select number from company where status = 'active' order by number limit $1`,
    [plan.companies],
  )
  const numbers = rows.map(({ number }) => number)
  const watches = numbers.flatMap((number) =>
    watchers.map(({ key }): Asked => {
      return { method: 'POST', path: '/v1/watchlist', key, body: { company_number: number } }
    }),
  )
  const watch = await measure('watch', watches.length, () => ask(stage, watches))
  const signals = numbers.length * plan.rounds
  const record = async (from: number) => {
    for (let step = 0; step < plan.rounds; step += 1) {
      await changeCompanies(stage, numbers, from + step)
      await recordChanges(stage)
    }
  }
  const signal = await measure('signal', signals, () => record(0))
  await addReceivers(stage, watchers)
  const deliveries = signals * watchers.length
  const both = await measure('delivery', deliveries, () => record(plan.rounds))
  await checkCounts(stage, { signals: 2 * signals, deliveries })
  // The same signals once more, now delivered: what is more than before is for the deliveries.
  const delivery = mapUse((figure) => Math.max(0, both[figure] - signal[figure] / watchers.length))
  return { watch, signal, delivery }
}

function keyAt(accounts: readonly OpenedAccount[], index: number): string {
  return accounts[index % accounts.length]?.key ?? ''
}

/** A figure of something that did not happen would be a good one. */
async function checkCounts({ app }: UnitsStage, expected: { signals: number; deliveries: number }): Promise<void> {
  const counted = onlyRow(
    await app.db.query<typeof expected>(
      `select (select count(*) from signal) as signals,
         (select count(*) from webhook_delivery where state = 'delivered') as deliveries`,
    ),
  )
  if (counted.signals === expected.signals && counted.deliveries === expected.deliveries) return
  throw new Error(`counted ${JSON.stringify(counted)} instead of ${JSON.stringify(expected)}`)
}

/** Replaces the world's register by a synthetic one; returns names that are typed to search it. */
async function enlargeRegister({ app }: UnitsStage, companies: number): Promise<string[]> {
  await app.db.query('truncate company')
  await loadSyntheticRegister(app.config.databaseUrl, companies)
  await rebuildSearchIndex(app.db)
  // Or it would be done while the searches are measured.
  await app.db.pool.query('vacuum analyze company, company_name, name_token')
  return drawQueries(companies).map(({ typed }) => typed)
}

/** Returns what a millisecond without work uses. */
async function readIdle(stage: UnitsStage, idleMs: number): Promise<Use> {
  // What starting left to do is done first.
  await sleep(idleMs / 2)
  const before = await readUse(stage)
  const startedAtMs = performance.now()
  await sleep(idleMs)
  const used = difference(await readUse(stage), before)
  const ms = performance.now() - startedAtMs
  return { ...NO_USE, ...mapUse((figure) => (isCpu(figure) ? used[figure] / ms : 0)) }
}

async function measureUnit(stage: UnitsStage, idle: Use, count: number, work: () => Promise<void>): Promise<Use> {
  const before = await readUse(stage)
  const startedAtMs = performance.now()
  await work()
  const ms = performance.now() - startedAtMs
  const used = difference(await readUse(stage), before)
  return mapUse((figure) => Math.max(0, used[figure] - idle[figure] * ms) / count)
}

function isCpu(figure: keyof Use): boolean {
  return figure.endsWith('CpuMs')
}

function cpuOf({ apiCpuMs, workerCpuMs, databaseCpuMs }: Use): number {
  return apiCpuMs + workerCpuMs + databaseCpuMs
}
