import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { toAddressBlock } from '../../lib/web/address-block.ts'
import { canonicalEmail } from '../account.ts'
import type { Origin } from '../audit.ts'

// The network blocks that an account has signed in from. Guesses from elsewhere do not count against these.

const KEPT_DAYS = 90

/** One statement that costs the same whether there is such an account or not. */
export async function isFamiliarAddress(app: App, from: { email: string; origin: Origin }): Promise<boolean> {
  const rows = await app.db.query(
    `select from familiar_address join account on account.id = familiar_address.account_id
     where account.email_canonical = $1 and familiar_address.block_hash = $2 and familiar_address.seen_at > $3`,
    [canonicalEmail(from.email), hashBlock(app, from.origin), daysAgo(app.clock.now())],
  )
  return rows.length > 0
}

/** Only after the password or a link from the mailbox was right. */
export async function recordAddress(
  app: App,
  db: Db,
  { accountId, origin }: { accountId: string; origin: Origin },
): Promise<void> {
  await db.query(
    `insert into familiar_address (account_id, block_hash, seen_at) values ($1, $2, $3)
     on conflict (account_id, block_hash) do update set seen_at = greatest(familiar_address.seen_at, excluded.seen_at)`,
    [accountId, hashBlock(app, origin), app.clock.now()],
  )
}

export async function forgetAddresses(db: Db, at: Date): Promise<void> {
  await db.query(
    `delete from familiar_address where (account_id, block_hash) in (
       select account_id, block_hash from familiar_address where seen_at < $1 limit 10000)`,
    [daysAgo(at)],
  )
}

function hashBlock(app: App, { ip }: Origin): Buffer {
  return app.secrets.keyedHash(`familiar address ${toAddressBlock(ip)}`)
}

function daysAgo(at: Date): Date {
  return new Date(at.getTime() - KEPT_DAYS * 86_400_000)
}
