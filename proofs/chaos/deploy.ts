/**
 * A release goes out and is taken back while customers ask: the previous release's processes stand behind a balancer, the
 * new one migrates the database and takes over process by process, then the previous one comes back over the new schema.
 * No request may fail, and the books must be right at the end.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withScratchDatabase } from '../../rig/scratch-database.ts'
import { openBenchApp } from '../../rig/stage.ts'
import { SimulatedWeb } from '../../rig/web/index.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'
import type { Proof } from '../../tools/proof/record.ts'
import { NOTICE_MS, startBalancer } from './deploy/balancer.ts'
import { Fleet, findPlaces } from './deploy/fleet.ts'
import { newestMigration, type Release, takePreviousRelease } from './deploy/releases.ts'
import { Visitors } from './deploy/visitors.ts'
import type { ChaosOptions, ChaosReport } from './main.ts'
import { auditRun } from './resolution/audit.ts'
import { tellOfWeb, untilEnded } from './resolution.ts'

const FULL = { steadyMs: 15_000, rounds: 3 }
const SHORT = { steadyMs: 1_500, rounds: 1 }
const ACCOUNTS = { count: 6, plan: 'growth' } as const
const DOMAINS_MAX = 1_500

export const DEPLOY_PROOF: Proof = {
  title: 'A release goes out and comes back',
  about:
    'Two API processes and a worker of the release before the newest migration, taken from the repository’s history, ' +
    'stand behind HAProxy while customers ask without pause. The new release migrates the database under them and ' +
    'replaces them one by one, then the previous one replaces it over the new schema, several times. Every answer that ' +
    'is not one counts; afterwards every job must have ended and every account’s books must be right.',
  figures: {
    previous_release: { label: 'previous release' },
    migrations: { label: 'migrations run under it', atLeast: 1 },
    replacements: { label: 'API processes replaced' },
    requests: { label: 'requests' },
    failed_requests: { label: 'requests that failed', atMost: 0 },
    slowest_ms: { label: 'slowest answer', unit: 'ms' },
    jobs: { label: 'jobs begun' },
    problems: { label: 'jobs lost, wrong charges, wrong answers', atMost: 0 },
  },
}

export async function chaosDeploy(options: ChaosOptions): Promise<ChaosReport> {
  using previous = takePreviousRelease()
  if (!previous) return { skipped: 'this checkout has no history to take the previous release from', ok: true }
  const say = options.json ? () => undefined : (line: string) => console.log(line)
  return await withScratchDatabase((databaseUrl) => runOver(databaseUrl, previous, options.short ? SHORT : FULL, say))
}

async function runOver(
  databaseUrl: string,
  previous: Release,
  size: { steadyMs: number; rounds: number },
  say: (line: string) => void,
): Promise<ChaosReport> {
  const startedAt = Date.now()
  const { accounts, config } = await setStage(databaseUrl, previous)
  await using web = await (await SimulatedWeb.fromSites({})).listen()
  using simulated = tellOfWeb(web)
  const places = await findPlaces()
  await using balancer = await startBalancer(places)
  await using fleet = new Fleet(balancer, places, config, {
    SIMULATED_WEB: simulated.setting,
    // Every process answers to the names that customers know.
    BASE_URL: balancer.url,
    SITE_URL: balancer.url.replace('127.0.0.1', 'localhost'),
  })
  await fleet.replaceAll(previous.root)
  await sleep(NOTICE_MS)
  const visitors = new Visitors({ url: balancer.url, accounts, web, domainsMax: DOMAINS_MAX })
  const tell = (what: string) => say(`${seconds(startedAt)} s: ${what}; ${visitors.visits.requests} requests so far`)
  await sleep(size.steadyMs)
  tell(`the release of ${previous.migration} serves`)
  const migrations = await migrateDatabase(config, createLog({ level: 'error' }))
  tell(`migrated to ${newestMigration()} under it`)
  for (let round = 1; round <= size.rounds; round += 1) {
    await sleep(size.steadyMs)
    await fleet.replaceAll()
    tell('the new release has taken over')
    await sleep(size.steadyMs)
    await fleet.replaceAll(previous.root)
    tell('taken back: the previous release serves over the new schema')
  }
  await sleep(size.steadyMs)
  const visits = await visitors.leave()
  const bench = await openBenchApp(databaseUrl)
  try {
    await untilEnded(bench.app)
    const audit = await auditRun(bench.app.db, { accounts, ...visits })
    const problems = [...visits.failures, ...audit.problems]
    return {
      previous_release: `${previous.commit} (${previous.migration})`,
      migrations: migrations.length,
      replacements: fleet.replacements,
      requests: visits.requests,
      failed_requests: visits.failures.length,
      slowest_ms: visits.slowestMs,
      jobs: visits.told.filter(({ jobId }) => jobId !== null).length,
      problems: audit.problems.length,
      seconds: seconds(startedAt),
      examples: problems.slice(0, 8).join('; ') || 'none',
      versions: { HAProxy: readHaproxyVersion() },
      ok: problems.length === 0 && migrations.length > 0 && visits.requests > 0,
    }
  } finally {
    await bench.close()
  }
}

/** The previous release sets it with its own code: the newer one may know columns that are not there yet. */
async function setStage(databaseUrl: string, { root }: Release) {
  const load = async (file: string) => (await import(join(root, file))) as unknown
  const { openBenchApp: openThen } = (await load('proofs/bench/bench-app.ts')) as typeof import('../../rig/stage.ts')
  const { openAccounts } = (await load(
    'proofs/bench/lookup/open-accounts.ts',
  )) as typeof import('../../rig/accounts.ts')
  const { registerCompanies } = (await load(
    'proofs/chaos/resolution/sites.ts',
  )) as typeof import('../../rig/made-up-sites.ts')
  const { app, close } = await openThen(databaseUrl)
  try {
    await registerCompanies(app.db, DOMAINS_MAX)
    return { accounts: await openAccounts(app, ACCOUNTS), config: app.config }
  } finally {
    await close()
  }
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1_000)
}

function readHaproxyVersion(): string {
  return (
    /version (\d+\.\d+\.\d+)/.exec(execFileSync('/usr/sbin/haproxy', ['-v'], { encoding: 'utf8' }))?.[1] ?? 'unknown'
  )
}
