import type { App } from '../../app.ts'
import { closeUnusedBalance, hasEntriesSql } from '../../credits/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'

const KEPT_SECONDS = 24 * 3_600
const ACCOUNTS_MAX = 1_000

/**
 * Deletes accounts that were not verified within a day, so that an address is free again for its owner. Those with a
 * link that still works wait for its end; those with anything in their books stay. Returns how many.
 */
export async function forgetUnverified(app: App): Promise<number> {
  const at = app.clock.now()
  const rows = await app.db.query<{ id: string }>(
    `select id from account
     where verified_at is null and disabled_at is null and created_at < $1 and plan = 'free'
       and not exists (select from one_time_token as link
         where link.account_id = account.id and link.used_at is null and link.expires_at > $2)
       and not ${hasEntriesSql('account.id')}
     order by created_at limit $3`,
    [addSeconds(at, -KEPT_SECONDS), at, ACCOUNTS_MAX],
  )
  let forgotten = 0
  for (const { id } of rows) {
    if (await app.db.transaction((tx) => forget(tx, { id, before: addSeconds(at, -KEPT_SECONDS) }))) forgotten += 1
  }
  return forgotten
}

/** Locks links first, as verifying does: the second transaction waits, and sees what the first did. */
async function forget(tx: Tx, { id, before }: { id: string; before: Date }): Promise<boolean> {
  await tx.query('select from one_time_token where account_id = $1 for update', [id])
  const [account] = await tx.query(
    'select from account where id = $1 and verified_at is null and created_at < $2 for update',
    [id, before],
  )
  if (!account || !(await closeUnusedBalance(tx, id))) return false
  await tx.query('delete from one_time_token where account_id = $1', [id])
  await tx.query('delete from api_key where account_id = $1', [id])
  await tx.query('delete from account where id = $1', [id])
  return true
}
