/** The whole service as it runs in production, on one machine, with a register, customers, and the web around it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenedAccount, openAccounts } from '../../../rig/accounts.ts'
import { type Child, startChild } from '../../../rig/child.ts'
import { knowAnswers } from '../../../rig/known-answers.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { getTimes } from '../../../rig/processes.ts'
import { startProgram } from '../../../rig/program.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { loadSyntheticRegister } from '../../../rig/synthetic-register/load.ts'
import { PLANS } from '../../../src/accounts/index.ts'
import { hashPassword } from '../../../src/accounts/passwords/passwords.ts'
import { type App, closeApp, openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log.ts'
import { rebuildSearchIndex } from '../../../src/register/search/search-index.ts'
import { migrateDatabase } from '../../../src/service.ts'
import { watchCompanies } from '../../../src/signals/index.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Changes } from './changes.ts'
import { NEW_DOMAIN } from './parts.ts'
import { Sender } from './sender.ts'
import { drawFromRegister, newDomains, type Subjects } from './subjects.ts'
import { sendInTurn, type Traffic, UNDER_WAY_MAX } from './traffic.ts'
import type { WatchedProcess } from './usage.ts'
import type { WebReady } from './web-process.ts'

export interface StageSize {
  companies: number
  accounts: number
  knownDomains: number
  newDomains: number
}

export interface Stage extends Traffic, AsyncDisposable {
  app: App
  changes: Changes
  processes: WatchedProcess[]
  apiUrls: string[]
}

const API_PROCESSES = 2
const PLAN = 'scale'
const PASSWORD = 'four horses at the harbour'
/** Of the made-up sites the first are known, and the companies that they name are watched; all others are new. */
const KNOWN_SITES = 600
export const WATCHERS_EACH = 4
const QUIETLY_WATCHED = 200
const SITES_READ = 12
/** Jobs whose status can be asked for from the start. */
const FIRST_JOBS = 12

export async function openStage(databaseUrl: string, size: StageSize, say: (step: string) => void): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'nameplate-mixed-'))
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const sites = KNOWN_SITES + size.newDomains
  const web: Child<WebReady> = opened.use(
    await startChild<WebReady>(join(import.meta.dirname, 'web-process.ts'), {
      arguments: [String(sites), String(size.accounts), join(scratch, 'authority.pem')],
    }),
  )
  // Addresses of customers are told by a proxy, as in production.
  const around = { SIMULATED: 'web', SIMULATED_WEB: web.ready.setting, TRUSTED_PROXIES: '127.0.0.1' }
  const environment = { ...benchEnvironment(databaseUrl), ...around }
  const config = loadConfig(environment)
  const log = createLog({ level: 'error', destination: process.stderr })
  await migrateDatabase(config, log)
  const app = opened.adopt(await openApp(config, { runsJobs: false, log }), closeApp)
  const { watched, ...prepared } = await prepare(app, size, say)
  const subjects: Subjects = {
    ...prepared,
    password: PASSWORD,
    takeNewDomain: newDomains(KNOWN_SITES, sites),
    jobIds: [],
    watches: [],
  }

  say('starting the service')
  const programs = await Promise.all([
    startProgram('work', app.config, around),
    ...Array.from({ length: API_PROCESSES }, () => startProgram('serve', app.config, around)),
  ])
  for (const program of programs) opened.use(program)
  const [worker, ...apis] = programs
  const follower: Child<{ pid: number }> = opened.use(
    await startChild<{ pid: number }>(join(import.meta.dirname, 'follower-process.ts'), { environment }),
  )
  const processes: WatchedProcess[] = [
    ...apis.map(({ pid }, place) => ({ name: `API ${place + 1}`, role: 'api' as const, pid, isTree: false })),
    { name: 'worker', role: 'worker', pid: worker.pid, isTree: false },
    { name: 'follower', role: 'worker', pid: follower.ready.pid, isTree: false },
    { name: 'PostgreSQL', role: 'postgres', pid: await findPostmaster(app), isTree: true },
    { name: 'simulated web', role: 'web', pid: web.ready.pid, isTree: false },
    { name: 'generator', role: 'generator', pid: process.pid, isTree: false },
  ]
  const apiUrls = apis.map(({ url }) => url)
  const sender = opened.use(new Sender(apiUrls, UNDER_WAY_MAX))
  const changes = new Changes({ follower, web, companyNumbers: watched, deliveriesEach: WATCHERS_EACH })
  await askForFirstJobs({ sender, subjects })
  // So that nobody's feed is empty.
  await changes.make(watched.length)
  const all = opened.move()
  return { app, sender, subjects, changes, processes, apiUrls, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

type Prepared = Pick<Subjects, 'accounts' | 'knownDomains' | 'companyNumbers' | 'typedNames'>

/** The register, the customers, and what is known before anybody asks. */
async function prepare(
  app: App,
  size: StageSize,
  say: (step: string) => void,
): Promise<Prepared & { watched: string[] }> {
  say(`loading ${size.companies} companies`)
  await loadSyntheticRegister(app.config.databaseUrl, size.companies)
  await registerCompanies(app.db, KNOWN_SITES + size.newDomains)
  await rebuildSearchIndex(app.db)
  say('reading sites, and keeping what they say of many domains')
  const accounts = await openAccounts(app, { count: size.accounts, plan: PLAN })
  await app.db.query('update account set password_hash = $1', [await hashPassword(app, PASSWORD)])
  const drawn = drawFromRegister(size.companies)
  const watched = await watchAndSubscribe(app, accounts, drawn.companyNumbers)
  const world = { name: 'the made-up sites', labels: labelsOfQuickSites() }
  const knownDomains = await knowAnswers(app, { world, domains: size.knownDomains, accounts })
  // What the mix unwatches is none of those whose deliveries are counted.
  const companyNumbers = drawn.companyNumbers.filter((number) => !watched.includes(number))
  return { ...drawn, companyNumbers, accounts, knownDomains, watched }
}

/** Everybody watches a share of the companies that change, with a webhook for what is told of them, and many that do not. */
async function watchAndSubscribe(
  app: App,
  accounts: readonly OpenedAccount[],
  companyNumbers: readonly string[],
): Promise<string[]> {
  const watched = Array.from({ length: KNOWN_SITES }, (_, place) => makeSite(place).companyNumber ?? []).flat()
  for (const [place, { id }] of accounts.entries()) {
    const own = watched.filter((_, company) => (company + place) % accounts.length < WATCHERS_EACH)
    const quiet = companyNumbers.slice(place * 7, place * 7 + QUIETLY_WATCHED)
    const owner = { accountId: id, mode: 'live', watchlistMax: PLANS[PLAN].watchlistMax } as const
    await watchCompanies(app, owner, [...own, ...quiet])
    const webhookUrl = `https://hooks-${place}.co.uk/in`
    await registerDestination(app, { accountId: id, mode: 'live', webhookUrl, signalType: 'all' })
  }
  return watched
}

/** Of sites that name their company, those that answer at once. */
function labelsOfQuickSites() {
  return Array.from({ length: KNOWN_SITES }, (_, place) => makeSite(place))
    .filter(({ site, outcome }) => outcome === 'matched' && site?.responses?.['/']?.delay_ms === 0)
    .slice(0, SITES_READ)
}

async function findPostmaster({ db }: App): Promise<number> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  return getTimes(row?.pid ?? 0).parent
}

async function askForFirstJobs(traffic: Traffic): Promise<void> {
  const bounds = { customers: 2, durationMs: 10_000, requestsMax: FIRST_JOBS, seed: 1 }
  const sent = await sendInTurn(traffic, NEW_DOMAIN, bounds)
  const bad = sent.find(({ fate }) => fate !== 'right')
  if (bad) throw new Error(`the service does not answer as it should: ${bad.trouble}`)
}
