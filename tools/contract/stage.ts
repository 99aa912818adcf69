/** Everything that happens in a run, each made when a row first needs it and then the same for all. */

import { type Accounts, createAccounts } from './accounts.ts'
import { type Connection, connect } from './agent.ts'
import { type Answer, type Call, Client, openAgent } from './client.ts'
import { type Degradation, degrade } from './degraded.ts'
import { type Delivery, deliver } from './delivery.ts'
import type { Deployment } from './deployment.ts'
import { type Destinations, registerAndDelete } from './destinations.ts'
import { expectStatus, readText } from './expectations.ts'
import { type LiveResolutions, resolveLive } from './live-resolutions.ts'
import { changePasswords, type PasswordChanges } from './password-changes.ts'
import { once } from './shown.ts'
import { createTestMode, type TestMode } from './test-mode.ts'
import { findCompanies, overfillWatchlist, type Watching, watchAndUnwatch } from './watching.ts'

export interface Stage {
  deployment: Deployment
  /** To the API host. */
  call: Call
  /** To the site host. */
  visit: Call
  accounts: Accounts
  testMode: TestMode
  passwords: () => Promise<PasswordChanges>
  live: () => Promise<LiveResolutions>
  /** Companies of the register, whichever. */
  companies: () => Promise<string[]>
  watching: () => Promise<Watching>
  /** The answer to one company too many, and how that was brought about. */
  overfull: () => Promise<{ answer: Answer; how: string }>
  destinations: () => Promise<Destinations>
  delivery: () => Promise<Delivery>
  degradation: () => Promise<Degradation>
  /** Of an agent, by way of a person's browser. */
  connection: () => Promise<Connection>
  openApi: () => Promise<Answer>
  close: () => Promise<void>
}

export function openStage(deployment: Deployment): Stage {
  const agent = openAgent(deployment.baseUrl)
  const { call } = new Client(deployment.baseUrl, agent)
  const { call: visit } = new Client(deployment.siteUrl, agent)
  const accounts = createAccounts(call, deployment)
  const testMode = createTestMode(call, accounts.testKey)
  const companies = once(async () => findCompanies(call, await accounts.key()))
  const passwords = once(async () => changePasswords(call, await accounts.third(), deployment.mailboxUrl))
  const stage: Stage = {
    deployment,
    call,
    visit,
    accounts,
    testMode,
    passwords,
    live: once(async () => {
      const key = await accounts.key()
      const otherKey = deployment.mailboxUrl ? readText((await passwords()).loginAfterReset, 'api_key') : key
      return resolveLive(call, deployment, { key, otherKey })
    }),
    companies,
    watching: once(async () => watchAndUnwatch(call, await accounts.session(), await companies())),
    overfull: once(() => overfill(stage)),
    destinations: once(async () => registerAndDelete(call, deployment, await accounts.session())),
    delivery: once(async () => deliver(call, deployment, await accounts.session())),
    degradation: once(() => degrade(deployment.environmentFile)),
    connection: once(async () => connect({ call, visit }, await accounts.ready())),
    openApi: once(async () => expectStatus(await call('GET', '/openapi.json'), 200)),
    close: () => agent.close(),
  }
  return stage
}

async function overfill({ accounts, call, passwords, companies }: Stage): Promise<{ answer: Answer; how: string }> {
  if ((await accounts.ready()).isOwn) {
    const answer = await overfillWatchlist(call, (await passwords()).token, await companies())
    return { answer, how: 'a watchlist was filled to its cap, then one company more' }
  }
  const body = { company_number: 'TS000006' }
  const answer = await call('POST', '/v1/watchlist', { key: await accounts.testKey(), body })
  return { answer, how: 'TS000006 with the test key, as the account given is not filled up' }
}

/** Begins what takes long, so that it goes on while the first rows are shown. Its failures come to the rows that need it. */
export function startAhead({ live, delivery, degradation, passwords, connection, testMode }: Stage): void {
  const paths = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company'] as const
  const jobs = paths.map((path) => testMode.finished(path))
  for (const started of [live(), delivery(), degradation(), passwords(), connection(), ...jobs])
    started.catch(() => undefined)
}
