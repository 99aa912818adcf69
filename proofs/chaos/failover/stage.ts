/** A stage on the cluster, with a register that changes, receivers and accounts. */
import { type OpenedAccount, openAccounts } from '../../../rig/accounts.ts'
import { registerCompanies } from '../../../rig/made-up-sites.ts'
import { type OutsideStage, openOutsideStage } from '../../../rig/stage.ts'
import { Receiver } from '../../../rig/web/index.ts'
import { createVerifiedAccount, PLANS } from '../../../src/accounts/index.ts'
import { toLondonDate } from '../../../src/lib/clock.ts'
import { watchCompanies } from '../../../src/signals/index.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { Arrivals } from '../deliveries/arrivals.ts'
import { createHouse, importBaseline, SEED } from '../follow/register.ts'
import { RandomChanges } from '../follow/register-changes.ts'
import type { Cluster } from './cluster.ts'

const PLAN = 'growth'
const ACCOUNTS = 8
/** Accounts that watch every company of the register. */
const FOLLOWERS = 2
const PEOPLE = 4
const CHANGING_COMPANIES = 60

export interface Listener {
  host: string
  receiver: Receiver
  arrivals: Arrivals
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(cluster: Cluster, companiesMax: number) {
  await using opened = new AsyncDisposableStack()
  const house = opened.use(createHouse(CHANGING_COMPANIES, { heartbeatMs: 1_000, connectionLifeMs: 60_000 }))
  const urls = await house.listen()
  const settings = { DATABASE_CONNECTIONS_MAX: '5', LOG_LEVEL: 'silent' }
  const stage = opened.use(await openOutsideStage({ databaseUrl: cluster.url, settings }))
  const { app } = stage
  await importBaseline(app, urls.bulkUrl)
  await registerCompanies(app.db, companiesMax)
  const accounts = await openAccounts(app, { count: ACCOUNTS + FOLLOWERS, plan: PLAN })
  const followers = accounts.splice(ACCOUNTS)
  const watched = house.companyNumbers()
  const listeners = await openListeners(stage, followers, watched)
  const rows = await app.db.query<{ number: string }>(
    'select number from company where number <> all ($1) order by number',
    [watched],
  )
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    email: `person-${index}@example.com`,
    password: `a long sentence for the ${index}th person`,
  }))
  for (const person of people) await createVerifiedAccount(app, person)
  const all = opened.move()
  return {
    ...stage,
    house,
    urls,
    accounts,
    /** Log in again and again. */
    people,
    listeners,
    companiesMax,
    changes: new RandomChanges(house, { today: toLondonDate(new Date()), seed: SEED }),
    /** For domains to be of, and to be watched. */
    companyNumbers: rows.map(({ number }) => number),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Lets accounts watch every company of the register, with a destination for the signals. */
async function openListeners(
  { app, web }: OutsideStage,
  accounts: readonly OpenedAccount[],
  watched: string[],
): Promise<Listener[]> {
  const bodies = new Map<string, string>()
  const listeners: Listener[] = []
  for (const [index, { id: accountId }] of accounts.entries()) {
    await watchCompanies(app, { accountId, mode: 'live', watchlistMax: PLANS[PLAN].watchlistMax }, watched)
    const host = `hooks-${index}.co.uk`
    web.setSite(host, {})
    const subscription = { accountId, mode: 'live', webhookUrl: `https://${host}/in`, signalType: 'all' } as const
    const { secret } = await registerDestination(app, subscription)
    const arrivals = new Arrivals({ secret, signalType: 'all', watched: new Set(watched), bodies })
    const receiver = new Receiver({ kind: 'ok' }, { verify: arrivals.take.bind(arrivals) })
    web.setSite(host, { receiver })
    listeners.push({ host, receiver, arrivals })
  }
  return listeners
}
