import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { createApiKey } from './keys/api-keys.ts'
import { hashPassword } from './passwords/passwords.ts'

/** Keeps the account as a number without a person: replaces its e-mail address, password and keys by random ones. */
export async function erasePerson(
  app: App,
  tx: Tx,
  { accountId, password }: { accountId: string; password: string },
): Promise<void> {
  const email = `${accountId.toLowerCase()}@erased.invalid`
  await tx.query(
    `update account set email = $2, email_canonical = $2, password_hash = $3, session_version = session_version + 1
     where id = $1`,
    [accountId, email, await hashPassword(app, password)],
  )
  await tx.query('delete from api_key where account_id = $1', [accountId])
  const at = app.clock.now()
  for (const mode of ['live', 'test'] as const) await createApiKey(tx, app.secrets, { accountId, mode, at })
}
