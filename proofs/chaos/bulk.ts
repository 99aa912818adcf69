/**
 * An account sends a file of 100,000 rows with web sites, company numbers and names while the workers that read the sites and
 * match the rows are killed with `kill -9` and replaced, and another account requests one domain at a time. The counts add up
 * at every poll and never go back; at the end every row has its one right outcome, and the ledger has what the rows say.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { type OutsideStage, openOutsideStage } from '../../rig/stage.ts'
import { quantile, round } from '../../rig/statistics.ts'
import type { ListeningWeb } from '../../rig/web/index.ts'
import { feedBulkJob } from '../../src/bulk/index.ts'
import { rebuildSearchIndex } from '../../src/register/index.ts'
import { resolveDomainJob } from '../../src/resolution/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { countTooSlow, findWrongLines, findWrongTotals } from './bulk/audit.ts'
import { Customer, watchBulk } from './bulk/customer.ts'
import { COLUMNS, makeWorld, REGISTER_FIRST, toTable, type World } from './bulk/world.ts'
import { countInterrupted } from './resolution/audit.ts'
import { DyingWorkers } from './resolution/workers.ts'

const FULL = { rows: 100_000, kills: 20, killPauseMs: 20_000, timeoutMs: 2_400_000 }
const SHORT = { rows: 1_000, kills: 2, killPauseMs: 2_000, timeoutMs: 90_000 }
const ACCOUNTS = { count: 2, plan: 'scale' } as const
const WORKERS = 2
const ASK_PAUSE_MS = 2_000
/** Sites that could not be read in time, as it happens where the machine has other things to do. */
const TOO_SLOW_SHARE_MAX = 0.01

export const chaosBulk: NamedRun = {
  about: 'a file of 100,000 rows while workers are killed: counts that add up throughout, each row its one outcome',
  proof: {
    title: 'A file of 100,000 rows',
    about:
      'A file with sites, company numbers and names with postcodes is sent as a bulk job and looked at all the time while workers are ' +
      'killed. At each look the counts must add up; at the end each row must have the one outcome that is right for it, and the ledger ' +
      'must agree with what was charged.',
    figures: {
      rows: { label: 'rows' },
      domains: { label: 'of them sites to read' },
      kills: { label: 'workers killed', atLeast: 1 },
      reads_interrupted: { label: 'readings of sites that a death interrupted' },
      polls: { label: 'looks at the job' },
      problems: { label: 'sums that were wrong, rows with a wrong outcome, wrong charges', atMost: 0 },
      read_p95_ms: { label: 'a look at the job meanwhile, p95', unit: 'ms' },
      seconds: { label: 'time', unit: 's' },
      rows_per_second: { label: 'rows a second' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  await using stage = await openOutsideStage()
  return await runOver(stage, options.short ? SHORT : FULL)
}

async function runOver({ app, web, start }: OutsideStage, size: typeof FULL): Promise<RunReport> {
  const world = makeWorld(size.rows)
  await registerCompanies(app.db, world.sites.length)
  await registerCompanies(app.db, world.names + world.numbers, REGISTER_FIRST)
  await rebuildSearchIndex(app.db)
  const [owner, person] = await openAccounts(app, ACCOUNTS)
  if (!owner || !person) throw new Error('there are no accounts')
  for (const { domain, site } of world.sites) web.setSite(domain, site)
  await using api = await start('serve')
  await using workers = new DyingWorkers(() => start('work'))
  await workers.start(WORKERS)
  const customer = new Customer(api.url, owner.key)
  const sent = await sendFile(customer, world)
  const over = new AbortController()
  const dying = workers.killSome(size.kills, size.killPauseMs)
  const asking = askMeanwhile(new Customer(api.url, person.key), web, over.signal)
  const startedAt = Date.now()
  const watched = await watchBulk(customer, sent.id, size.timeoutMs)
  const seconds = (Date.now() - startedAt) / 1_000
  const killsDuring = workers.kills
  over.abort()
  const waits = await asking
  const lines = await customer.results(sent.id)
  const tooSlow = countTooSlow(lines, world.rows)
  const problems = [
    ...sent.problems,
    ...watched.problems,
    ...findWrongLines(lines, world.rows),
    ...(await findWrongTotals(app.db, { owner, lines, last: watched.last })),
  ]
  const readsInterrupted = await countInterrupted(app.db, resolveDomainJob.name)
  const feedsInterrupted = await countInterrupted(app.db, feedBulkJob.name)
  await dying
  return {
    rows: world.rows.length,
    domains: world.sites.length,
    names: world.names,
    numbers: world.numbers,
    file_ms: sent.fileMs,
    preflight_ms: sent.preflightMs,
    create_ms: sent.createMs,
    read_p95_ms: round(quantile(watched.readMs, 0.95)),
    polls: watched.polls,
    polls_with_progress: watched.moves,
    still_seconds_max: round(watched.stillSecondsMax),
    kills: killsDuring,
    reads_interrupted: readsInterrupted,
    feeds_interrupted: feedsInterrupted,
    ...watched.last.counts,
    credits_spent: watched.last.credits_spent,
    single_asks: waits.length,
    single_ask_p95_seconds: round(quantile(waits, 0.95)),
    seconds: round(seconds),
    rows_per_second: round(world.rows.length / seconds),
    too_slow: tooSlow,
    problems: problems.length,
    examples: problems.slice(0, 8).join('; ') || 'none',
    // Deaths that interrupted nothing would have tried nothing.
    ok:
      problems.length === 0 &&
      tooSlow <= world.rows.length * TOO_SLOW_SHARE_MAX &&
      watched.last.status === 'completed' &&
      readsInterrupted + feedsInterrupted > 0,
  }
}

async function sendFile(customer: Customer, world: World) {
  const table = toTable(world.rows)
  const startedAt = performance.now()
  const sinceStart = () => Math.round(performance.now() - startedAt)
  const file = await customer.addFile(table)
  const fileMs = sinceStart()
  const preflight = await customer.preflight(file)
  const preflightMs = sinceStart() - fileMs
  const { id } = await customer.send(file)
  const createMs = sinceStart() - preflightMs - fileMs
  const expected = {
    rows: world.rows.length,
    unique_domains: world.sites.length,
    names: world.names,
    numbers: world.numbers,
  }
  const problems = [
    ...findDifferences('the preflight', preflight, expected),
    ...findDifferences('the columns', file.columns, COLUMNS),
  ]
  return { id, fileMs, preflightMs, createMs, problems }
}

function findDifferences(what: string, said: Record<string, number>, expected: Record<string, number>): string[] {
  const wrong = Object.entries(expected).filter(([name, value]) => said[name] !== value)
  return wrong.map(([name, value]) => `${what}: ${name} is ${said[name]}, not ${value}`)
}

/** Another account requests one new domain at a time and waits. Returns the seconds that each took. */
async function askMeanwhile(person: Customer, web: ListeningWeb, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = []
  for (let count = 0; !signal.aborted; count += 1) {
    // Without a company: two sites that name one company would be rivals, and neither an answer to rely on.
    const { site } = makeSite(1)
    const domain = `single-${count}.co.uk`
    web.setSite(domain, site)
    const startedAt = Date.now()
    await person.ask(domain)
    waits.push((Date.now() - startedAt) / 1_000)
    await sleep(ASK_PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
  return waits
}
