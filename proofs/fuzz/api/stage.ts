import { setTimeout as sleep } from 'node:timers/promises'
import { openAccounts } from '../../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { Mailbox } from '../../../rig/mailbox.ts'
import { type Program, startProgram } from '../../../rig/program.ts'
import { FoundIds } from '../../../rig/requests/found-ids.ts'
import { SimulatedWeb } from '../../../rig/web/index.ts'
import { findAccount, revealApiKeys } from '../../../src/accounts/index.ts'
import { hashPassword } from '../../../src/accounts/passwords/passwords.ts'
import { startSession } from '../../../src/accounts/sign-in/sessions.ts'
import type { App } from '../../../src/app.ts'
import { tellOfWeb } from '../../chaos/resolution.ts'

/** What the requests are made of: who asks, and what there is to ask for. */
export interface Cast {
  customers: Customer[]
  /** Those whose keys and passwords are changed under them. */
  leaving: Customer[]
  domains: string[]
  companyNumbers: string[]
  emails: string[]
  ids: FoundIds
}

export interface Customer {
  id: string
  key: string
  testKey: string
  /** Of a session. */
  token: string
}

/** The service as it is deployed, API and worker as processes of their own, with the outside world simulated. */
export interface FuzzStage extends AsyncDisposable {
  api: Program
  worker: Program
  cast: Cast
}

const SITES = 36
const CUSTOMERS = { count: 32, plan: 'scale' } as const
/** Of them all: hashing it once is enough. */
export const PASSWORD = 'seven quiet harbours'
const LEAVING = 4
const HOOKS_HOST = 'hooks.co.uk'
/** Time for the first sites to be read, so that there are answers, evidence and reviews to ask for. */
const FURNISH_MS = 4_000

export async function openFuzzStage(app: App, onLog: (chunk: Buffer) => void): Promise<FuzzStage> {
  await using opened = new AsyncDisposableStack()
  const sites = Array.from({ length: SITES }, (_, place) => makeSite(place))
  await registerCompanies(app.db, SITES)
  const web = opened.use(await (await SimulatedWeb.fromSites({ [HOOKS_HOST]: {} })).listen())
  for (const { domain, site } of sites) web.setSite(domain, site)
  const simulated = opened.use(tellOfWeb(web))
  const mailbox = new Mailbox()
  const smtpUrl = await mailbox.listen()
  opened.defer(() => mailbox.close())
  const settings = { SIMULATED_WEB: simulated.setting, SMTP_URL: smtpUrl, TRUSTED_PROXIES: '127.0.0.1' }
  const api = opened.use(await startProgram('serve', app.config, settings, { onLog }))
  const worker = opened.use(await startProgram('work', app.config, settings, { onLog }))
  const customers = await openCustomers(app, api.url)
  const cast: Cast = {
    customers: customers.slice(LEAVING),
    leaving: customers.slice(0, LEAVING),
    domains: sites.map(({ domain }) => domain),
    companyNumbers: sites.flatMap(({ companyNumber }) => companyNumber ?? []),
    emails: Array.from({ length: 8 }, (_, place) => `customer-${place}@example.com`),
    ids: new FoundIds(),
  }
  await furnish(api.url, cast)
  const kept = opened.move()
  return { api, worker, cast, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function openCustomers(app: App, apiUrl: string): Promise<Customer[]> {
  const accounts = await openAccounts(app, CUSTOMERS)
  await app.db.query('update account set password_hash = $1', [await hashPassword(app, PASSWORD)])
  const issuer = { ...app, config: { ...app.config, baseUrl: new URL(apiUrl) } }
  return Promise.all(
    accounts.map(async ({ id, key }) => {
      const account = await findAccount(app.db, id)
      if (!account) throw new Error(`${id} was opened and is not there`)
      const { token } = await startSession(issuer, account)
      return { id, key, testKey: (await revealApiKeys(app, id)).test, token }
    }),
  )
}

/** Something of every kind that has an id, for two customers, so that each meets the other's. */
async function furnish(url: string, { customers, domains, companyNumbers, ids }: Cast): Promise<void> {
  for (const { key } of customers.slice(0, 2)) {
    const ask = async (operation: string, path: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const method = body ? 'POST' : 'GET'
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      ids.learn(operation, await answer.json())
    }
    for (const domain of domains.slice(0, 12)) await ask('resolveDomain', '/v1/resolve/domain', { domain })
    await ask('createBulk', '/v1/bulk', { domains: domains.slice(0, 5) })
    await ask('registerDestination', '/v1/partner/webhooks', {
      webhook_url: `https://${HOOKS_HOST}/in`,
      signal_type: 'all',
    })
    await ask('openListener', '/v1/webhook-listeners', {})
    await ask('watchCompany', '/v1/watchlist', { company_number: companyNumbers[0] })
    await sleep(FURNISH_MS)
    for (const domain of domains.slice(0, 12)) await ask('resolveDomain', '/v1/resolve/domain', { domain })
    await ask('listReviews', '/v1/reviews')
  }
}
