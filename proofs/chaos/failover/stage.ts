/** The world around the service: the register and its changes, the web, the receivers, and the accounts. */
import { join } from 'node:path'
import { type OpenedAccount, openAccounts } from '../../../rig/accounts.ts'
import type { CompaniesHouseUrls, SimulatedCompaniesHouse } from '../../../rig/companies-house/index.ts'
import { registerCompanies } from '../../../rig/made-up-sites.ts'
import { Mailbox } from '../../../rig/mailbox.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { type ListeningWeb, Receiver, SimulatedWeb } from '../../../rig/web/index.ts'
import { describeWeb } from '../../../rig/web/setting.ts'
import { createVerifiedAccount, PLANS } from '../../../src/accounts/index.ts'
import { type App, closeApp, openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { toLondonDate } from '../../../src/lib/clock.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase } from '../../../src/service.ts'
import { watchCompanies } from '../../../src/signals/index.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Arrivals } from '../deliveries/arrivals.ts'
import { createHouse, importBaseline } from '../follow.ts'
import { RandomChanges } from '../register-changes.ts'
import type { Cluster } from './cluster.ts'

const PLAN = 'growth'
const ACCOUNTS = 8
/** Accounts that are told of everything in the register. */
const FOLLOWERS = 2
const PEOPLE = 4
const CHANGING_COMPANIES = 60
const SEED = 20_261_115

export interface Listener {
  host: string
  receiver: Receiver
  arrivals: Arrivals
}

export interface Stage extends AsyncDisposable {
  app: App
  house: SimulatedCompaniesHouse
  urls: CompaniesHouseUrls
  web: ListeningWeb
  changes: RandomChanges
  accounts: OpenedAccount[]
  /** Who log in. */
  people: Array<{ email: string; password: string }>
  /** For domains to be of, and to be watched. */
  companyNumbers: string[]
  companiesMax: number
  listeners: Listener[]
}

export async function openStage(cluster: Cluster, companiesMax: number): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const mailbox = opened.adopt(new Mailbox(), (each) => each.close())
  const web = opened.use(await (await SimulatedWeb.fromSites({})).listen())
  const house = opened.adopt(
    createHouse(CHANGING_COMPANIES, { heartbeatMs: 1_000, connectionLifeMs: 60_000 }),
    (each) => each.close(),
  )
  const urls = await house.listen()
  const config = loadConfig({
    ...benchEnvironment(cluster.url),
    DATABASE_CONNECTIONS_MAX: '5',
    SMTP_URL: await mailbox.listen(),
    SIMULATED: 'web',
    SIMULATED_WEB: describeWeb(web, join(cluster.directory, 'authority.pem')),
  })
  const log = createLog({ level: 'silent' })
  await migrateDatabase(config, log)
  const app = opened.adopt(await openApp(config, { runsJobs: false, log }), closeApp)
  await importBaseline(app, urls.bulkUrl)
  await registerCompanies(app.db, companiesMax)
  const accounts = await openAccounts(app, { count: ACCOUNTS + FOLLOWERS, plan: PLAN })
  const followers = accounts.splice(ACCOUNTS)
  const watched = house.companyNumbers()
  const listeners = await openListeners({ app, web }, followers, watched)
  const rows = await app.db.query<{ number: string }>(
    'select number from company where number <> all ($1) order by number',
    [watched],
  )
  const people = Array.from({ length: PEOPLE }, (_, place) => ({
    email: `person-${place}@example.com`,
    password: `a long sentence for the ${place}th person`,
  }))
  for (const person of people) await createVerifiedAccount(app, person)
  const all = opened.move()
  return {
    app,
    house,
    urls,
    web,
    accounts,
    people,
    listeners,
    companiesMax,
    changes: new RandomChanges(house, { today: toLondonDate(new Date()), seed: SEED }),
    companyNumbers: rows.map(({ number }) => number),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Watch every company of the register, and have their signals sent. */
async function openListeners(
  { app, web }: { app: App; web: ListeningWeb },
  accounts: readonly OpenedAccount[],
  watched: string[],
): Promise<Listener[]> {
  const bodies = new Map<string, string>()
  const listeners: Listener[] = []
  for (const [place, { id: accountId }] of accounts.entries()) {
    await watchCompanies(app, { accountId, mode: 'live', watchlistMax: PLANS[PLAN].watchlistMax }, watched)
    const host = `hooks-${place}.co.uk`
    web.setSite(host, {})
    const wish = { accountId, mode: 'live', webhookUrl: `https://${host}/in`, signalType: 'all' } as const
    const { secret } = await registerDestination(app, wish)
    const arrivals = new Arrivals({ secret, signalType: 'all', watched: new Set(watched), bodies })
    const receiver = new Receiver({ kind: 'ok' }, { verify: arrivals.take.bind(arrivals) })
    web.setSite(host, { receiver })
    listeners.push({ host, receiver, arrivals })
  }
  return listeners
}
