/**
 * A list of domains is read from crawl databases while customers ask for some of the same domains. Meanwhile one database is
 * killed and comes back, workers are killed, some of them exactly before each half of a settlement, and one store becomes two
 * and then three, with the move killed on the way. Afterwards every domain was read and is in its own store, no answer is
 * stored twice, every customer's job has ended, and each match is paid for once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenedAccount, openAccounts } from '../../rig/accounts.ts'
import { type MadeUpSite, makeSite, registerCompanies } from '../../rig/made-up-sites.ts'
import { type Program, programEnvironment } from '../../rig/program.ts'
import { type Random, randomOf } from '../../rig/random.ts'
import type { Settings } from '../../rig/settings.ts'
import { type OutsideStage, openOutsideStage } from '../../rig/stage.ts'
import { isSoInTime, until } from '../../rig/until.ts'
import { loadConfig } from '../../src/config.ts'
import { chooseStore } from '../../src/lib/crawl/stores.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrateDatabase } from '../../src/service.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import { auditStores, countUnseenFaults } from './crawl-databases/audit.ts'
import { type Caught, CrawlDatabases, type MoveTrap, NAMES, type Name } from './crawl-databases/databases.ts'
import { type Acknowledged, ask, untilEnded } from './resolution/asking.ts'
import { auditRun } from './resolution/audit.ts'

/** Longer than a store may take to reply, so that processes must give up on it. */
const HANG_MS = 40_000
const FULL = { domains: 1_200, traps: 4, kills: 5, moveKills: 3, awayMs: 6_000, hangMs: HANG_MS }
const SHORT = { domains: 120, traps: 2, kills: 1, moveKills: 2, awayMs: 1_500, hangMs: 3_000 }
type Size = typeof FULL

const ACCOUNTS = { count: 6, plan: 'growth' } as const
const WORKERS = 2
const HALVES = ['first', 'second'] as const
/** The sites that a worker reads at once. */
const SLOTS = 32
const MAIN = join(import.meta.dirname, '../../src/main.ts')
const CATCH_UP_MS = 240_000
const PATIENCE_MS = 60_000

export async function chaosCrawlDatabases(options: RunOptions): Promise<RunReport> {
  const startedAt = Date.now()
  await using stage = await openOutsideStage()
  await using databases = await CrawlDatabases.open(stage.app.db)
  await using run = new Run(stage, databases, options.short ? SHORT : FULL, options)
  await run.prepare()
  await run.disturb()
  const isQuiet = await run.untilQuiet()
  const stores = NAMES.map((name) => ({ name, db: databases.db(name) }))
  const audited = { main: stage.app.db, stores, sites: run.sites }
  const asked = new Set(run.acknowledged.map(({ domain }) => domain))
  const books = await auditRun(stage.app.db, {
    accounts: run.accounts,
    sites: run.sites.filter(({ domain }) => asked.has(domain)),
    acknowledged: run.acknowledged,
  })
  const problems = [
    ...(isQuiet ? [] : ['not all was read in time']),
    ...(await auditStores(audited)),
    ...books.problems,
    ...run.listRepeatProblems(),
  ]
  const unseen = await countUnseenFaults(audited)
  const { counts } = run
  return {
    domains: run.sites.length,
    customers_asked: run.acknowledged.length,
    workers_killed: counts.workers,
    killed_before_the_first_half: counts.first,
    killed_between_the_halves: counts.second,
    databases_killed: counts.databases,
    databases_that_hung: counts.hung,
    moves_killed_before_the_copy: counts.copy,
    moves_killed_after_it: counts.delete,
    domains_moved: counts.moved,
    charged: books.charged,
    given_up: books.givenUp,
    sites_read_again: run.countReadAgain(),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    problems: problems.length,
    examples: problems.slice(0, 8).join('; ') || 'none',
    planted_faults_unseen: unseen,
    // Deaths that met nothing would have tried nothing.
    ok: problems.length === 0 && unseen === 0 && MUST_HAPPEN.every((name) => counts[name] > 0),
  }
}

const MUST_HAPPEN = ['first', 'second', 'moved', 'copy', 'delete', 'hung', 'databases'] as const

class Run implements AsyncDisposable {
  readonly sites: MadeUpSite[] = []
  readonly acknowledged: Acknowledged[] = []
  readonly counts = { workers: 0, first: 0, second: 0, databases: 0, hung: 0, copy: 0, delete: 0, moved: 0 }
  accounts: OpenedAccount[] = []
  readonly #stage: OutsideStage
  readonly #databases: CrawlDatabases
  readonly #size: Size
  readonly #random: Random
  readonly #say: (line: string) => void
  /** Added when all others are read. */
  #late: ReadonlySet<MadeUpSite> = new Set()
  #workers: Program[] = []
  #settings: Settings = {}
  #isOver = false
  #changing: Promise<unknown> = Promise.resolve()

  constructor(stage: OutsideStage, databases: CrawlDatabases, size: Size, { seed, say }: RunOptions) {
    this.#stage = stage
    this.#databases = databases
    this.#size = size
    this.#random = randomOf(seed, 0)
    this.#say = say
  }

  async prepare(): Promise<void> {
    const { app, web, settings } = this.#stage
    const { domains, traps } = this.#size
    const config = loadConfig({ ...settings, ...this.#databases.settings(NAMES) })
    await migrateDatabase(config, createLog({ level: 'error', destination: process.stderr }))
    await registerCompanies(app.db, domains)
    for (let index = 0; index < domains; index += 1) {
      const made = makeSite(index)
      web.setSite(made.domain, made.site)
      this.sites.push(made)
    }
    this.accounts = await openAccounts(app, ACCOUNTS)
    // Only a match has two halves.
    const matches = this.sites.filter(({ outcome }) => outcome === 'matched')
    this.#late = new Set(matches.slice(-HALVES.length))
    const matched = matches.slice(0, -HALVES.length).map(({ domain }) => domain)
    const step = Math.floor(matched.length / (2 * traps + 1))
    const chosen = Array.from({ length: 2 * traps }, (_, index) => matched[(index + 1) * step] ?? '')
    await this.#databases.setTraps({ first: chosen.slice(0, traps), second: chosen.slice(traps) })
  }

  async disturb(): Promise<void> {
    await using api = await this.#stage.start('serve')
    await this.#use(this.#databases.settings(['c1']))
    await this.#add(this.sites.filter((site) => !this.#late.has(site)))
    const asking = this.#askMeanwhile(api.url)
    const catching = this.#killCaught()
    await this.#killWorkers()
    await this.#killDatabase('c1')
    await this.#change(['c1', 'c2'], ['c1'])
    await this.#killWorkers()
    await this.#change(['c1', 'c2', 'c3'], ['c1', 'c2'])
    await this.#use(this.#databases.settings(NAMES))
    await this.#killDatabase('c2')
    await this.#hangDatabase('c3')
    await this.#command(['sweep', 'status', '--json'])
    await this.#untilRead()
    await this.#catchMissed()
    this.#isOver = true
    await Promise.all([asking, catching])
    await untilEnded(this.#stage.app)
  }

  /** Traps that no death met, because workers were being replaced: now nothing else happens. */
  async #catchMissed(): Promise<void> {
    const missed = HALVES.filter((half) => this.counts[half] === 0)
    const late = [...this.#late]
    for (const [index, half] of missed.entries()) await this.#databases.addTrap(half, late[index]?.domain ?? '')
    await this.#add(late)
    await this.#untilRead()
  }

  /** Also after an error no worker stays behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.#changing
    await Promise.all(this.#workers.map((worker) => worker.kill()))
  }

  /** Readings that a customer's work put off are due at once now. */
  async untilQuiet(): Promise<boolean> {
    const isQuiet = await this.#untilRead()
    for (const worker of this.#workers.splice(0)) await worker.stop()
    return isQuiet
  }

  async #untilRead(): Promise<boolean> {
    const isRead = async () => {
      let open = 0
      for (const name of NAMES) {
        const db = this.#databases.db(name)
        await db.query(`update crawl_domain set due_at = now() where state = 'waiting' and due_at > now()`)
        open += (await db.query(`select from crawl_domain where state <> 'read' or is_moving`)).length
      }
      return open === 0
    }
    return isSoInTime(() => isRead().catch(() => false), { timeoutMs: CATCH_UP_MS, everyMs: 1_000 })
  }

  /** More requests to a site than a reading of its kind takes. */
  countReadAgain(): number {
    const requests = this.sites.map(({ domain }, index) => ({
      kind: index % 9,
      count: this.#stage.web.stats.byHost.get(domain) ?? 0,
    }))
    const byKind = Map.groupBy(requests, ({ kind }) => kind)
    const usual = new Map(
      [...byKind].map(([kind, own]) => [
        kind,
        own.map(({ count }) => count).sort((a, b) => a - b)[own.length >> 1] ?? 0,
      ]),
    )
    return requests.filter(({ kind, count }) => count > (usual.get(kind) ?? 0)).length
  }

  /** Only sites whose worker died, or that customers asked for meanwhile, may be read twice. */
  listRepeatProblems(): string[] {
    const most = this.counts.workers * SLOTS
    const again = this.countReadAgain()
    return again > most ? [`${again} sites were read again, and ${this.counts.workers} workers died`] : []
  }

  /** New processes start before the old ones end, as in a rolling release. */
  #use(settings: Settings): Promise<void> {
    return this.#alone(() => this.#replaceAll(settings))
  }

  /** Workers are replaced by one hand at a time. */
  #alone(change: () => Promise<void>): Promise<void> {
    const changed = this.#changing.then(change)
    this.#changing = changed.catch(() => undefined)
    return changed
  }

  async #replaceAll(settings: Settings): Promise<void> {
    this.#settings = settings
    const old = this.#workers.splice(0)
    this.#workers.push(...(await Promise.all(Array.from({ length: WORKERS }, () => this.#startWorker()))))
    await Promise.all(old.map((worker) => worker.stop()))
  }

  #startWorker(): Promise<Program> {
    return this.#stage.start('work', { ...this.#settings, SHUTDOWN_GRACE_SECONDS: '5' })
  }

  async #killWorkers(): Promise<void> {
    for (let count = 0; count < this.#size.kills; count += 1) {
      await sleep(1_000 + this.#random.below(1_500))
      await this.#alone(() => this.#replace(1))
      this.#say(`${this.counts.workers} workers killed`)
    }
  }

  async #replace(count: number, alsoKill: () => unknown = () => undefined): Promise<void> {
    const dead = this.#workers.splice(0, count)
    alsoKill()
    await Promise.all(dead.map((worker) => worker.kill()))
    this.counts.workers += dead.length
    for (const _ of dead) this.#workers.push(await this.#startWorker())
  }

  async #killDatabase(name: Name): Promise<void> {
    await this.#databases.restart(name, this.#size.awayMs)
    this.counts.databases += 1
    this.#say(`${name} was killed and is back`)
  }

  /** Customers' requests and the other stores go on meanwhile. */
  async #hangDatabase(name: Name): Promise<void> {
    await this.#databases.hang(name, this.#size.hangMs)
    this.counts.hung += 1
    this.#say(`${name} hung for ${this.#size.hangMs} ms`)
  }

  /** Kills all workers while the end of a reading waits before one of its halves. */
  async #killCaught(): Promise<void> {
    while (!this.#isOver) {
      const caught = await this.#databases.findCaught()
      if (caught) await this.#alone(() => this.#killAt(caught))
      await sleep(50)
    }
  }

  async #killAt(caught: Caught): Promise<void> {
    const now = await this.#databases.findCaught()
    if (now?.domain !== caught.domain) return
    await Promise.all(this.#workers.map((worker) => worker.kill()))
    this.counts.workers += this.#workers.length
    await this.#databases.springTrap(caught)
    const stored = await this.#stage.app.db.query('select from resolution where domain = $1', [caught.domain])
    // The half before this one is committed, and this one is not.
    if (caught.half === 'first' && stored.length === 0) this.counts.first += 1
    if (caught.half === 'second' && stored.length === 1) this.counts.second += 1
    this.#say(`all workers killed before the ${caught.half} half of ${caught.domain}`)
    const dead = this.#workers.splice(0)
    this.#workers.push(...(await Promise.all(dead.map(() => this.#startWorker()))))
  }

  async #change(to: readonly Name[], from: readonly Name[]): Promise<void> {
    await this.#use(this.#databases.settings(to, from))
    for (let count = 0; count < this.#size.moveKills; count += 1) await this.#killMove(to, from)
    await until(() => this.#isMoved(), `the move to ${to.join()} did not end`, {
      timeoutMs: PATIENCE_MS * 2,
      everyMs: 300,
    })
    this.#say(`moved to ${to.join()}`)
  }

  /** Kills a move, and the workers who move as well, while one domain waits before it is copied or before it is deleted. */
  async #killMove(to: readonly Name[], from: readonly Name[]): Promise<void> {
    const half = this.counts.copy > this.counts.delete ? 'delete' : 'copy'
    const trap = await this.#findMoving(half, to, from)
    if (!trap) return
    await this.#databases.setMoveTrap(trap)
    const move = this.#spawn('sweep', 'move', '--json')
    const isCaught = await isSoInTime(() => this.#databases.isInMoveTrap(trap), { timeoutMs: 30_000, everyMs: 50 })
    await this.#alone(() => this.#replace(WORKERS, () => move.child.kill('SIGKILL')))
    await this.#databases.springMoveTrap(trap)
    await move.ended
    if (isCaught) this.counts[half] += 1
    this.#say(`a move killed before the ${half} of ${trap.domain}${isCaught ? '' : ', which was not under way'}`)
  }

  /** Finds the first domain that has to move and is not being read; null when there is none. */
  async #findMoving(half: MoveTrap['half'], to: readonly Name[], from: readonly Name[]): Promise<MoveTrap | null> {
    const next = to.map((name) => ({ name }))
    for (const source of from) {
      const rows = await this.#databases
        .db(source)
        .query<{ domain: string }>(`select domain from crawl_domain where state <> 'queued' order by domain`)
      const domain = rows.map((row) => row.domain).find((one) => chooseStore(next, one).name !== source)
      if (domain) return { half, domain, store: half === 'delete' ? source : chooseStore(next, domain).name }
    }
    return null
  }

  async #isMoved(): Promise<boolean> {
    const { code, stdout } = await this.#spawn('sweep', 'move', '--json').ended
    if (code !== 0) return false
    const { moved, isFinished } = JSON.parse(stdout) as { moved: number; isFinished: boolean }
    this.counts.moved += moved
    return isFinished
  }

  #add(sites: readonly MadeUpSite[]): Promise<void> {
    const input = sites.map(({ domain }) => domain).join('\n')
    return this.#command(['sweep', 'add', '-', '--list', 'chaos', '--ahead', '100'], input)
  }

  async #command(argv: readonly string[], input = ''): Promise<void> {
    const { child, ended } = this.#spawn(...argv)
    child.stdin.end(input)
    const { code } = await ended
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with code ${code}`)
  }

  #spawn(...argv: string[]) {
    const env = { ...programEnvironment(), ...this.#stage.settings, ...this.#settings }
    const child = spawn(process.execPath, [MAIN, ...argv], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stdin.on('error', () => undefined)
    const ended = (once(child, 'close') as Promise<[number | null]>).then(([code]) => ({ code, stdout }))
    return { child, ended }
  }

  /** Customers ask for every third domain, some before and some after it was read, each by two accounts. */
  async #askMeanwhile(apiUrl: string): Promise<void> {
    const wanted = this.sites.filter((site, index) => index % 3 === 0 && !this.#late.has(site))
    const order = wanted.map((site) => ({ site, at: this.#random.below(1_000_000) })).sort((a, b) => a.at - b.at)
    for (const [index, { site }] of order.entries()) {
      const askers = [index, index + 1].flatMap((asker) => this.accounts[asker % this.accounts.length] ?? [])
      const asked = await Promise.all(askers.map((account) => ask(apiUrl, account, site.domain)))
      this.acknowledged.push(...asked)
      if (!this.#isOver) await sleep(this.#size === SHORT ? 150 : 60)
    }
  }
}
