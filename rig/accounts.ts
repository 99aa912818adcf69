import { changePlan, type PlanName, revealApiKeys } from '../src/accounts/index.ts'
import { insertAccount } from '../src/accounts/sign-up/signup.ts'
import type { App } from '../src/app.ts'

export interface OpenedAccount {
  id: string
  key: string
}

/** Customers who can call at once. Nobody can sign in as them, which spares the time that hashing a password takes. */
export async function openAccounts(app: App, wanted: { count: number; plan: PlanName }): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = []
  for (let place = 0; place < wanted.count; place += 1) {
    const verifiedAt = app.clock.now()
    const account = { email: `customer-${place}@example.com`, passwordHash: 'nobody signs in', verifiedAt }
    const id = await app.db.transaction((tx) => insertAccount(app, tx, account))
    if (id === null) throw new Error(`${account.email} has an account already`)
    await changePlan(app, { accountId: id, plan: wanted.plan })
    opened.push({ id, key: (await revealApiKeys(app, id)).live })
  }
  return opened
}
