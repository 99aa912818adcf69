import { recordAudit, setDisabled, setEnabled } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { pauseBulkJobs } from '../bulk/index.ts'
import { disableDestinations, enableDestinations } from '../webhooks/index.ts'

/**
 * Ends sessions, keys and connected programs at once, stops deliveries and pauses bulk jobs. Jobs under way finish.
 * Returns false when the account is disabled already.
 */
export async function disableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    if (!(await setDisabled(tx, { accountId, at }))) return false
    await disableDestinations(tx, { accountId, at })
    await pauseBulkJobs(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_disabled', origin: null })
    return true
  })
}

/** Keys work again and events are sent again; people sign in again, and programs have to be connected again. */
export async function enableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    if (!(await setEnabled(tx, accountId))) return false
    await enableDestinations(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_enabled', origin: null })
    return true
  })
}
