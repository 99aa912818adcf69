import { recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { pauseBulkJobs } from '../bulk/index.ts'
import { DomainError } from '../errors.ts'
import { disableDestinations, enableDestinations } from '../webhooks/index.ts'

/**
 * Ends sessions, keys and connected programs at once, stops deliveries and pauses bulk jobs. Jobs under way finish.
 * Returns false when the account is disabled already.
 */
export async function disableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const [disabled] = await tx.query(
      `update account set disabled_at = $2, session_version = session_version + 1
       where id = $1 and disabled_at is null returning id`,
      [accountId, at],
    )
    if (!disabled) return false
    await disableDestinations(tx, { accountId, at })
    await pauseBulkJobs(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_disabled', outcome: 'success', origin: null })
    return true
  })
}

/** Keys work again and events are sent again; people sign in again, and programs have to be connected again. */
export async function enableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const [account] = await tx.query<{ disabled_at: Date | null; erased_at: Date | null }>(
      'select disabled_at, erased_at from account where id = $1 for update',
      [accountId],
    )
    if (account?.erased_at) {
      throw new DomainError('not_found', 'This account is erased. Its owner has to sign up again.')
    }
    if (!account?.disabled_at) return false
    await tx.query('update account set disabled_at = null where id = $1', [accountId])
    await enableDestinations(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_enabled', outcome: 'success', origin: null })
    return true
  })
}
