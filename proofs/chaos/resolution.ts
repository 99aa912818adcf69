/**
 * Several accounts ask for domains over HTTP while the workers that read the sites are killed with `kill -9` and
 * replaced. Afterwards every job has ended, each match is paid for once by who asked, nothing else is, and no credit is
 * left on hold.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Table from 'cli-table3'
import { openAccounts } from '../../rig/accounts.ts'
import { type ChaosSite, makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { startProgram } from '../../rig/program.ts'
import { withScratchDatabase } from '../../rig/scratch-database.ts'
import { openBenchApp } from '../../rig/stage.ts'
import { type ListeningWeb, SimulatedWeb } from '../../rig/web/index.ts'
import { describeWeb } from '../../rig/web/setting.ts'
import type { App } from '../../src/app.ts'
import { addSeconds } from '../../src/lib/clock.ts'
import { resolveDomainJob, sweepResolutionsJob } from '../../src/resolution/index.ts'
import type { ChaosOptions, ChaosReport } from './main.ts'
import { ask, type Told } from './resolution/asking.ts'
import { type Audit, auditRun } from './resolution/audit.ts'
import { DyingWorkers } from './resolution/workers.ts'

const FULL = { jobs: 1_000, kills: 30 }
const SHORT = { jobs: 150, kills: 6 }
const ACCOUNTS = { count: 8, plan: 'growth' } as const
const WORKERS = 3
const KILL_PAUSE_MS = 900
const ASK_PAUSE_MS = 30
const CATCH_UP_MS = 180_000
/** Longer than work on a domain may take, all attempts together. */
const GIVE_UP_SECONDS = 16 * 60

export async function chaosResolution(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = Date.now()
  const size = options.short ? SHORT : FULL
  const { audit, run, kills } = await withScratchDatabase(async (databaseUrl) => {
    const bench = await openBenchApp(databaseUrl)
    try {
      return await runOver(bench.app, size)
    } finally {
      await bench.close()
    }
  })
  if (!options.json) printAudit(audit)
  return {
    jobs: countJobs(run.told),
    answered_at_once: run.told.length - countJobs(run.told),
    domains: run.sites.length,
    kills,
    reads_interrupted: audit.interrupted,
    given_up: audit.givenUp,
    charged: audit.books.reduce((sum, { charged }) => sum + charged, 0),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    problems: audit.problems.length,
    examples: audit.problems.slice(0, 8).join('; ') || 'none',
    // Deaths that nobody felt would have tried nothing.
    ok: audit.problems.length === 0 && audit.interrupted > 0,
  }
}

async function runOver(app: App, size: { jobs: number; kills: number }) {
  await registerCompanies(app.db, size.jobs)
  const accounts = await openAccounts(app, ACCOUNTS)
  await using web = await (await SimulatedWeb.fromSites({})).listen()
  using simulated = tellOfWeb(web)
  await using api = await startProgram('serve', app.config, {})
  await using workers = new DyingWorkers(app.config, { SIMULATED_WEB: simulated.setting })
  await workers.start(WORKERS)
  const run = { accounts, sites: [] as ChaosSite[], told: [] as Told[] }
  const dying = workers.killSome(size.kills, KILL_PAUSE_MS)
  for (let place = 0; countJobs(run.told) < size.jobs; place += 1) {
    // Asking goes on for as long as workers die, so that every death meets work.
    while (countJobs(run.told) / size.jobs > (workers.kills + 1) / (size.kills + 1)) await sleep(ASK_PAUSE_MS)
    const chaosSite = makeSite(place)
    web.setSite(chaosSite.domain, chaosSite.site)
    run.sites.push(chaosSite)
    // Every domain is asked for twice: by two accounts or, now and then, by one that forgot.
    const second = place % 5 === 0 ? place : place + 1
    const askers = [place, second].map((asker) => accounts[asker % accounts.length] ?? accounts[0])
    const told = askers.flatMap((account) => (account ? [ask(api.url, account, chaosSite.domain)] : []))
    run.told.push(...(await Promise.all(told)))
    await sleep(ASK_PAUSE_MS)
  }
  await dying
  await untilEnded(app)
  return { audit: await auditRun(app.db, run), run, kills: workers.kills }
}

function countJobs(told: Told[]): number {
  return told.filter(({ jobId }) => jobId !== null).length
}

/** As a process of its own is told of the web, for as long as its certificates are needed. */
export function tellOfWeb(web: ListeningWeb): Disposable & { setting: string } {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-chaos-'))
  return {
    setting: describeWeb(web, join(folder, 'authority.pem')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Work that lost all its attempts to kills is ended by the sweep, for which time is let pass here. */
export async function untilEnded(app: App): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS
  while ((await countOpen(app)) > 0) {
    if (Date.now() > deadline) return
    if (await isQueueEmpty(app)) await sweepLater(app)
    await sleep(250)
  }
}

async function countOpen({ db }: App): Promise<number> {
  const rows = await db.query('select from resolution_job where finished_at is null')
  return rows.length
}

async function isQueueEmpty(app: App): Promise<boolean> {
  const queues = await app.jobs.listQueues()
  const queue = queues.find(({ name }) => name === resolveDomainJob.name)
  return queue !== undefined && queue.ready + queue.deferred + queue.active === 0
}

async function sweepLater(app: App): Promise<void> {
  const clock = { now: () => addSeconds(app.clock.now(), GIVE_UP_SECONDS) }
  const run = { id: 'chaos', attempt: 1, signal: AbortSignal.timeout(60_000), finish: async () => undefined }
  await sweepResolutionsJob.run({ ...app, clock }, {}, run)
}

function printAudit({ outcomes, books }: Audit): void {
  for (const rows of [outcomes, books]) {
    const table = new Table({ head: Object.keys(rows[0] ?? {}), style: { head: [], border: [], compact: true } })
    table.push(...rows.map((row) => Object.values(row).map(String)))
    console.log(table.toString())
  }
}
