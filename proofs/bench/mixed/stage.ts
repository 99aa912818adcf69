/** The whole service as it runs in production, on one machine, with a register, customers, and the web around it. */
import { join } from 'node:path'
import { type OpenedAccount, openAccounts } from '../../../rig/accounts.ts'
import { startChild } from '../../../rig/child.ts'
import { knowAnswers } from '../../../rig/known-answers.ts'
import { expectRight, Sender, sendInTurn, UNDER_WAY_MAX } from '../../../rig/load.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { findPostmaster } from '../../../rig/postgres.ts'
import { openStage as openRigStage } from '../../../rig/stage.ts'
import { loadSyntheticRegister } from '../../../rig/synthetic-register/load.ts'
import { receiverHost, startWeb } from '../../../rig/web-process.ts'
import { PLANS } from '../../../src/accounts/index.ts'
import { hashPassword } from '../../../src/accounts/passwords/passwords.ts'
import type { App } from '../../../src/app.ts'
import { rebuildSearchIndex } from '../../../src/register/search/search-index.ts'
import { recordQueuedChanges, watchCompanies } from '../../../src/signals/index.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Changes } from './changes.ts'
import { drawPart, NEW_DOMAIN } from './parts.ts'
import { drawFromRegister, newDomains, type Subjects } from './subjects.ts'
import type { WatchedProcess } from './usage.ts'

interface StageSize {
  companies: number
  accounts: number
  knownDomains: number
  newDomains: number
}

export type Stage = Awaited<ReturnType<typeof openStage>>

const API_PROCESSES = 2
const PLAN = 'scale'
const PASSWORD = 'four horses at the harbour'
/** The first of the made-up sites are known, and the companies that they name are watched; all others are new. */
const KNOWN_SITES = 600
export const WATCHERS_EACH = 4
const QUIETLY_WATCHED = 200
const SITES_READ = 12
/** Jobs whose status can be read from the start. */
const FIRST_JOBS = 12

export async function openStage(size: StageSize, say: (step: string) => void) {
  await using opened = new AsyncDisposableStack()
  const sites = KNOWN_SITES + size.newDomains
  const web = opened.use(await startWeb({ madeUpSites: sites, receivers: size.accounts, keepMax: 20 }))
  // A proxy names the addresses of customers, as in production.
  const around = { SIMULATED: 'web', SIMULATED_WEB: web.setting, TRUSTED_PROXIES: '127.0.0.1' }
  const { app, settings, start } = opened.use(await openRigStage({ settings: around }))
  const { watched, ...prepared } = await prepare(app, size, say)
  const takeNewDomain = newDomains(KNOWN_SITES, sites)
  const subjects: Subjects = { ...prepared, password: PASSWORD, takeNewDomain, jobIds: [], watches: [] }

  say('starting the service')
  const programs = await Promise.all([start('work'), ...Array.from({ length: API_PROCESSES }, () => start('serve'))])
  for (const program of programs) opened.use(program)
  const [worker, ...apis] = programs
  const follower = opened.use(await startChild(join(import.meta.dirname, 'follower-process.ts'), { settings }))
  const processes: WatchedProcess[] = [
    ...apis.map(({ pid }, index) => ({ name: `API ${index + 1}`, role: 'api' as const, pid, isTree: false })),
    { name: 'worker', role: 'worker', pid: worker.pid, isTree: false },
    { name: 'follower', role: 'worker', pid: follower.pid, isTree: false },
    { name: 'PostgreSQL', role: 'postgres', pid: await findPostmaster(app.config.databaseUrl), isTree: true },
    { name: 'simulated web', role: 'web', pid: web.pid, isTree: false },
    { name: 'generator', role: 'generator', pid: process.pid, isTree: false },
  ]
  const apiUrls = apis.map(({ url }) => url)
  const sender = opened.use(new Sender(apiUrls, UNDER_WAY_MAX))
  const changes = new Changes({ follower, web, companyNumbers: watched, deliveriesEach: WATCHERS_EACH })
  const first = { customers: 2, durationMs: 10_000, requestsMax: FIRST_JOBS }
  expectRight(await sendInTurn(sender, drawPart(NEW_DOMAIN, subjects), first))
  // So that every feed has something in it.
  await changes.make(watched.length)
  const all = opened.move()
  return { app, sender, subjects, changes, processes, apiUrls, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

type Prepared = Pick<Subjects, 'accounts' | 'knownDomains' | 'companyNumbers' | 'typedNames'>

/** Makes the register, the customers, and the answers that are known before the first request. */
async function prepare(
  app: App,
  size: StageSize,
  say: (step: string) => void,
): Promise<Prepared & { watched: string[] }> {
  say(`loading ${size.companies} companies`)
  await loadSyntheticRegister(app.config.databaseUrl, size.companies)
  await registerCompanies(app.db, KNOWN_SITES + size.newDomains)
  // Some of them replace companies of the register: no account watches them, so no delivery of them is expected.
  await recordQueuedChanges(app)
  await rebuildSearchIndex(app.db)
  say('reading sites, and storing what they say of many domains')
  const accounts = await openAccounts(app, { count: size.accounts, plan: PLAN })
  await app.db.query('update account set password_hash = $1', [await hashPassword(app, PASSWORD)])
  const drawn = drawFromRegister(size.companies)
  const watched = await watchAndSubscribe(app, accounts, drawn.companyNumbers)
  const world = { name: 'the made-up sites', labels: labelsOfQuickSites() }
  const knownDomains = await knowAnswers(app, { world, domains: size.knownDomains, accounts })
  // The mix unwatches none of those whose deliveries are counted.
  const companyNumbers = drawn.companyNumbers.filter((number) => !watched.includes(number))
  return { ...drawn, companyNumbers, accounts, knownDomains, watched }
}

/** Each account watches a share of the companies that change, with a webhook for their signals, and many that do not. */
async function watchAndSubscribe(
  app: App,
  accounts: readonly OpenedAccount[],
  companyNumbers: readonly string[],
): Promise<string[]> {
  const watched = Array.from({ length: KNOWN_SITES }, (_, index) => makeSite(index).companyNumber ?? []).flat()
  for (const [index, { id }] of accounts.entries()) {
    const own = watched.filter((_, company) => (company + index) % accounts.length < WATCHERS_EACH)
    const quiet = companyNumbers.slice(index * 7, index * 7 + QUIETLY_WATCHED)
    const owner = { accountId: id, mode: 'live', watchlistMax: PLANS[PLAN].watchlistMax } as const
    await watchCompanies(app, owner, [...own, ...quiet])
    const webhookUrl = `https://${receiverHost(index)}/in`
    await registerDestination(app, { accountId: id, mode: 'live', webhookUrl, signalType: 'all' })
  }
  return watched
}

/** Returns the sites that name their company and respond at once. */
function labelsOfQuickSites() {
  return Array.from({ length: KNOWN_SITES }, (_, index) => makeSite(index))
    .filter(({ site, outcome }) => outcome === 'matched' && site?.responses?.['/']?.delay_ms === 0)
    .slice(0, SITES_READ)
}
