import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { hashToken, newToken } from '../../lib/secrets.ts'

type TokenPurpose = 'verify_email' | 'reset_password'

const TOKEN_LIFE_SECONDS: Record<TokenPurpose, number> = { verify_email: 24 * 3_600, reset_password: 3_600 }

/** A token for a link in an e-mail. Only its hash is stored. */
export async function issueToken(
  tx: Tx,
  issue: { accountId: string; purpose: TokenPurpose; at: Date },
): Promise<string> {
  const { token, hash } = newToken()
  await tx.query(
    'insert into one_time_token (hash, account_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)',
    [hash, issue.accountId, issue.purpose, issue.at, addSeconds(issue.at, TOKEN_LIFE_SECONDS[issue.purpose])],
  )
  return token
}

export type TokenUse =
  | { kind: 'used'; accountId: string }
  | { kind: 'expired' }
  | { kind: 'spent' }
  | { kind: 'unknown' }

/** Uses the token. The first update wins; every later use finds it spent. */
export async function useToken(tx: Tx, use: { token: string; purpose: TokenPurpose; at: Date }): Promise<TokenUse> {
  const hash = hashToken(use.token)
  const [used] = await tx.query<{ account_id: string }>(
    `update one_time_token set used_at = $3
     where hash = $1 and purpose = $2 and used_at is null and expires_at > $3
     returning account_id`,
    [hash, use.purpose, use.at],
  )
  if (used) {
    // Older links of the same kind end with the one that was used.
    await tx.query(
      'update one_time_token set used_at = $3 where account_id = $1 and purpose = $2 and used_at is null',
      [used.account_id, use.purpose, use.at],
    )
    return { kind: 'used', accountId: used.account_id }
  }
  const [found] = await tx.query<{ used_at: Date | null }>(
    'select used_at from one_time_token where hash = $1 and purpose = $2',
    [hash, use.purpose],
  )
  if (!found) return { kind: 'unknown' }
  return found.used_at ? { kind: 'spent' } : { kind: 'expired' }
}

/** Returns the account of a link that works, else null. It does not use the link. */
export async function findTokenAccount(
  db: Db,
  look: { token: string; purpose: TokenPurpose; at: Date },
): Promise<string | null> {
  const [row] = await db.query<{ account_id: string }>(
    `select account_id from one_time_token
     where hash = $1 and purpose = $2 and used_at is null and expires_at > $3`,
    [hashToken(look.token), look.purpose, look.at],
  )
  return row?.account_id ?? null
}

/** Links that were not used yet end now. */
export async function expireTokens(
  tx: Tx,
  expiry: { accountId: string; purpose: TokenPurpose; at: Date },
): Promise<void> {
  await tx.query(
    `update one_time_token set expires_at = $3
     where account_id = $1 and purpose = $2 and used_at is null and expires_at > $3`,
    [expiry.accountId, expiry.purpose, expiry.at],
  )
}

/** Deletes tokens a month after their end: until then an old link can be distinguished from a false one. */
export async function forgetOldTokens(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from one_time_token where hash in (
       select hash from one_time_token where expires_at < $1::timestamptz - interval '30 days' limit 10000
     )`,
    [at],
  )
}
