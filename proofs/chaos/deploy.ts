/**
 * A release goes out and is taken back under load: the previous release's processes are behind a balancer, the
 * new one migrates the database and takes over process by process, then the previous one comes back over the new schema.
 * No request may fail, and the books must be right at the end.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../../rig/program.ts'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { databaseSettings } from '../../rig/settings.ts'
import { openStage, openSurroundings } from '../../rig/stage.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { Fleet, findPorts, NOTICE_MS, startBalancer } from './deploy/fleet.ts'
import { prepareDatabase } from './deploy/prepare.ts'
import { newestMigration, type Release, takePreviousRelease } from './deploy/releases.ts'
import { Visitors } from './deploy/visitors.ts'
import { untilEnded } from './resolution/asking.ts'
import { auditRun } from './resolution/audit.ts'

const FULL = { steadyMs: 15_000, rounds: 3 }
const SHORT = { steadyMs: 1_500, rounds: 1 }
/** Few, as the previous release takes seconds of its commands for each. */
const ACCOUNTS = { count: 3, plan: 'growth' } as const
const VISITORS_EACH = 2
const DOMAINS_MAX = 1_500

export const chaosDeploy: NamedRun = {
  about: 'a release goes out over a migration and is taken back under load: no request fails',
  proof: {
    title: 'A release goes out and comes back',
    about:
      'Two API processes and a worker of the release before the newest migration stand behind HAProxy under ' +
      'load. The new release migrates the database and replaces them one by one, then the previous one ' +
      'replaces it over the new schema, several times.',
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
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  using previous = takePreviousRelease()
  const { say } = options
  await using database = await ScratchDatabase.open()
  return await runOver(database.url, previous, options.short ? SHORT : FULL, say)
}

async function runOver(
  databaseUrl: string,
  previous: Release,
  size: { steadyMs: number; rounds: number },
  say: (line: string) => void,
): Promise<RunReport> {
  const startedAt = Date.now()
  await using surroundings = await openSurroundings()
  const settings = { ...databaseSettings(databaseUrl), ...surroundings.settings, LOG_LEVEL: 'info' }
  const accounts = await prepareDatabase(previous, settings, { accounts: ACCOUNTS, domains: DOMAINS_MAX })
  const ports = await findPorts()
  await using balancer = await startBalancer(ports)
  // Every process has the names that customers know.
  const names = { BASE_URL: balancer.url, SITE_URL: balancer.url.replace('127.0.0.1', 'localhost') }
  await using fleet = new Fleet(balancer, ports, (command, options) =>
    startProgram(command, settings, { ...options, more: names }),
  )
  await fleet.replaceAll(previous.root)
  await sleep(NOTICE_MS)
  const callers = Array.from({ length: VISITORS_EACH }, () => accounts).flat()
  const visitors = new Visitors({
    url: balancer.url,
    accounts: callers,
    web: surroundings.web,
    domainsMax: DOMAINS_MAX,
  })
  const report = (what: string) => say(`${what}; ${visitors.visits.requests} requests so far`)
  await sleep(size.steadyMs)
  report(`the release of ${previous.migration} serves`)
  const migrations = await migrateDatabase(loadConfig(settings), createLog({ level: 'error' }))
  report(`migrated to ${newestMigration()} under it`)
  for (let round = 1; round <= size.rounds; round += 1) {
    await sleep(size.steadyMs)
    await fleet.replaceAll()
    report('the new release has taken over')
    await sleep(size.steadyMs)
    await fleet.replaceAll(previous.root)
    report('taken back: the previous release serves over the new schema')
  }
  await sleep(size.steadyMs)
  const visits = await visitors.leave()
  await using stage = await openStage({ databaseUrl })
  await untilEnded(stage.app)
  const audit = await auditRun(stage.app.db, { accounts, ...visits })
  const problems = [...visits.failures, ...audit.problems]
  return {
    previous_release: `${previous.commit} (${previous.migration})`,
    migrations: migrations.length,
    replacements: fleet.replacements,
    requests: visits.requests,
    failed_requests: visits.failures.length,
    slowest_ms: visits.slowestMs,
    jobs: visits.acknowledged.filter(({ jobId }) => jobId !== null).length,
    problems: audit.problems.length,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    examples: problems.slice(0, 8).join('; ') || 'none',
    versions: { HAProxy: readHaproxyVersion() },
    ok: problems.length === 0 && visits.requests > 0,
  }
}

function readHaproxyVersion(): string {
  return (
    /version (\d+\.\d+\.\d+)/.exec(execFileSync('/usr/sbin/haproxy', ['-v'], { encoding: 'utf8' }))?.[1] ?? 'unknown'
  )
}
