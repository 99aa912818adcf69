/** Accounts with the companies that each watches: some alone, and some that most of them share. */

import { openAccounts } from '../../../rig/accounts.ts'
import { registerCompanies } from '../../../rig/made-up-sites.ts'
import { PLANS } from '../../../src/accounts/index.ts'
import type { App } from '../../../src/app.ts'
import { watchCompanies } from '../../../src/signals/index.ts'

export interface Customer {
  id: string
  email: string
  /** Company numbers. */
  watched: ReadonlySet<string>
}

export interface WatchedCompany {
  number: string
  name: string
}

const PLAN = 'starter'
const ADDRESSES_PER_STATEMENT = 'select id, email from account where id = any ($1)'

export async function openCustomers(
  app: App,
  wanted: { customers: number; companies: number; isWatched(customer: number, company: number): boolean },
): Promise<{ customers: Customer[]; companies: WatchedCompany[] }> {
  await registerCompanies(app.db, wanted.companies)
  const companies = await app.db.query<WatchedCompany>('select number, name from company order by number')
  const accounts = await openAccounts(app, { count: wanted.customers, plan: PLAN })
  const rows = await app.db.query<{ id: string; email: string }>(ADDRESSES_PER_STATEMENT, [
    accounts.map(({ id }) => id),
  ])
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  const customers: Customer[] = []
  for (const [customer, { id }] of accounts.entries()) {
    const watched = companies.filter((_, company) => wanted.isWatched(customer, company)).map(({ number }) => number)
    const owner = { accountId: id, mode: 'live', watchlistMax: PLANS[PLAN].watchlistMax } as const
    const { used } = await watchCompanies(app, owner, watched)
    if (used !== watched.length) throw new Error(`account ${id} watches ${used} of ${watched.length} companies`)
    customers.push({ id, email: emails.get(id) ?? '', watched: new Set(watched) })
  }
  return { customers, companies }
}

/** Every eighth company is watched by two thirds of the customers, each of the others by one. */
export function isWatchedByPart(customers: number): (customer: number, company: number) => boolean {
  return (customer, company) =>
    company % 8 === 0 ? (company / 8 + customer) % 3 !== 0 : company % customers === customer
}
