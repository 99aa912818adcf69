/** The service as it is deployed, API and worker as processes, with the outside world simulated. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts, openSession } from '../../../rig/accounts.ts'
import { createCall } from '../../../rig/call.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import type { Program } from '../../../rig/program.ts'
import { type Cast, type Customer, FoundIds } from '../../../rig/requests/cast.ts'
import { type OutsideStage, openOutsideStage } from '../../../rig/stage.ts'
import { revealApiKeys } from '../../../src/accounts/index.ts'
import { hashPassword } from '../../../src/accounts/passwords/passwords.ts'
import type { App } from '../../../src/app.ts'

export interface FuzzStage extends OutsideStage {
  api: Program
  worker: Program
  cast: Cast
}

const SITES = 36
const CUSTOMERS = { count: 32, plan: 'scale' } as const
/** All customers have the same, so that it is hashed once. */
const PASSWORD = 'seven quiet harbours'
const LEAVING = 4
const HOOKS_HOST = 'hooks.co.uk'
/** Time for the first sites to be read, so that there are answers, evidence and reviews to request. */
const FURNISH_MS = 4_000

export async function openFuzzStage(onLog: (chunk: Buffer) => void): Promise<FuzzStage> {
  await using opened = new AsyncDisposableStack()
  const stage = opened.use(await openOutsideStage({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))
  const sites = Array.from({ length: SITES }, (_, index) => makeSite(index))
  await registerCompanies(stage.app.db, SITES)
  stage.web.setSite(HOOKS_HOST, {})
  for (const { domain, site } of sites) stage.web.setSite(domain, site)
  const api = opened.use(await stage.start('serve', {}, { onLog }))
  const worker = opened.use(await stage.start('work', {}, { onLog }))
  const customers = await openCustomers(stage.app, api.url)
  const cast: Cast = {
    customers: customers.slice(LEAVING),
    leaving: customers.slice(0, LEAVING),
    domains: sites.map(({ domain }) => domain),
    companyNumbers: sites.flatMap(({ companyNumber }) => companyNumber ?? []),
    emails: Array.from({ length: 8 }, (_, index) => `customer-${index}@example.com`),
    ids: new FoundIds(),
  }
  await furnish(api.url, cast)
  const all = opened.move()
  return { ...stage, api, worker, cast, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function openCustomers(app: App, apiUrl: string): Promise<Customer[]> {
  const accounts = await openAccounts(app, CUSTOMERS)
  await app.db.query('update account set password_hash = $1', [await hashPassword(app, PASSWORD)])
  return Promise.all(
    accounts.map(async ({ id, key }) => {
      const testKey = (await revealApiKeys(app, id)).test
      return { id, key, testKey, token: await openSession(app, id, apiUrl) }
    }),
  )
}

/** Makes something of every kind that has an id, for two customers, so that each meets the other's. */
async function furnish(url: string, { customers, domains, companyNumbers, ids }: Cast): Promise<void> {
  const call = createCall(url)
  for (const { key } of customers.slice(0, 2)) {
    const ask = async (operation: string, path: string, body?: object) => {
      const reply = await call(body ? 'POST' : 'GET', path, { key, ...(body ? { body } : {}) })
      if (reply.status >= 400) throw new Error(`${path} returned ${reply.status}: ${reply.text}`)
      ids.learn(operation, reply.body)
    }
    for (const domain of domains.slice(0, 12)) await ask('resolveDomain', '/v1/resolve/domain', { domain })
    await ask('createBulk', '/v1/bulk', { domains: domains.slice(0, 5) })
    const destination = { webhook_url: `https://${HOOKS_HOST}/in`, signal_type: 'all' }
    await ask('registerDestination', '/v1/partner/webhooks', destination)
    await ask('openListener', '/v1/webhook-listeners', {})
    await ask('watchCompany', '/v1/watchlist', { company_number: companyNumbers[0] })
    await sleep(FURNISH_MS)
    for (const domain of domains.slice(0, 12)) await ask('resolveDomain', '/v1/resolve/domain', { domain })
    await ask('listReviews', '/v1/reviews')
  }
}
