import { changePlan, findAccount, type PlanName, revealApiKeys, startSession } from '../src/accounts/index.ts'
import { insertAccount } from '../src/accounts/sign-up/signup.ts'
import type { App } from '../src/app.ts'

export interface OpenedAccount {
  id: string
  key: string
}

/** Opens accounts that can call at once. They have no password, which spares the time that hashing one takes. */
export async function openAccounts(app: App, wanted: { count: number; plan: PlanName }): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = []
  for (let index = 0; index < wanted.count; index += 1) {
    const verifiedAt = app.clock.now()
    const account = { email: `customer-${index}@example.com`, passwordHash: 'no sign-in', verifiedAt }
    const id = await app.db.transaction((tx) => insertAccount(app, tx, account))
    if (id === null) throw new Error(`${account.email} has an account already`)
    await changePlan(app, { accountId: id, plan: wanted.plan })
    opened.push({ id, key: (await revealApiKeys(app, id)).live })
  }
  return opened
}

/** Returns a session token of the account, as sign-in at this address would. */
export async function openSession(app: App, accountId: string, apiUrl: string): Promise<string> {
  const account = await findAccount(app.db, accountId)
  if (!account) throw new Error(`there is no account ${accountId}`)
  const { token } = await startSession({ ...app, config: { ...app.config, baseUrl: new URL(apiUrl) } }, account)
  return token
}
