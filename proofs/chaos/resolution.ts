/**
 * Several accounts request domains over HTTP while the workers that read the sites are killed with `kill -9` and replaced.
 * Afterwards every job has ended, each match is paid for once by its account, nothing else is, and no credit is left on hold.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../rig/accounts.ts'
import { type MadeUpSite, makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { type OutsideStage, openOutsideStage } from '../../rig/stage.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type Acknowledged, ask, untilEnded } from './resolution/asking.ts'
import { auditRun } from './resolution/audit.ts'
import { DyingWorkers } from './resolution/workers.ts'

const FULL = { jobs: 1_000, kills: 30 }
const SHORT = { jobs: 150, kills: 6 }
const ACCOUNTS = { count: 8, plan: 'growth' } as const
const WORKERS = 3
const KILL_PAUSE_MS = 900
const ASK_PAUSE_MS = 30

export const chaosResolution: NamedRun = {
  about: 'domains requested while workers are killed: every job ends, and each match is paid for once',
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  await using stage = await openOutsideStage()
  const { audit, run, kills } = await runOver(stage, options.short ? SHORT : FULL)
  return {
    jobs: countJobs(run.acknowledged),
    answered_at_once: run.acknowledged.length - countJobs(run.acknowledged),
    domains: run.sites.length,
    kills,
    reads_interrupted: audit.interrupted,
    given_up: audit.givenUp,
    charged: audit.charged,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    problems: audit.problems.length,
    examples: audit.problems.slice(0, 8).join('; ') || 'none',
    // Deaths that interrupted nothing would have tried nothing.
    ok: audit.problems.length === 0 && audit.interrupted > 0,
  }
}

async function runOver({ app, web, start }: OutsideStage, size: { jobs: number; kills: number }) {
  await registerCompanies(app.db, size.jobs)
  const accounts = await openAccounts(app, ACCOUNTS)
  await using api = await start('serve')
  await using workers = new DyingWorkers(() => start('work'))
  await workers.start(WORKERS)
  const run = { accounts, sites: [] as MadeUpSite[], acknowledged: [] as Acknowledged[] }
  const dying = workers.killSome(size.kills, KILL_PAUSE_MS)
  for (let index = 0; countJobs(run.acknowledged) < size.jobs; index += 1) {
    // Requests go on for as long as workers die, so that every death meets work.
    while (countJobs(run.acknowledged) / size.jobs > (workers.kills + 1) / (size.kills + 1)) await sleep(ASK_PAUSE_MS)
    const made = makeSite(index)
    web.setSite(made.domain, made.site)
    run.sites.push(made)
    // Every domain is requested twice: by two accounts or, now and then, by one that forgot.
    const second = index % 5 === 0 ? index : index + 1
    const askers = [index, second].map((asker) => accounts[asker % accounts.length] ?? accounts[0])
    const asked = askers.flatMap((account) => (account ? [ask(api.url, account, made.domain)] : []))
    run.acknowledged.push(...(await Promise.all(asked)))
    await sleep(ASK_PAUSE_MS)
  }
  await dying
  await untilEnded(app)
  return { audit: await auditRun(app.db, run), run, kills: workers.kills }
}

function countJobs(acknowledged: Acknowledged[]): number {
  return acknowledged.filter(({ jobId }) => jobId !== null).length
}
