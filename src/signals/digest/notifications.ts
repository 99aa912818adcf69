import { timingSafeEqual } from 'node:crypto'
import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'

export interface Notifications {
  dailyDigest: boolean
}

/** Returns the e-mails an account has chosen: none by default. */
export async function readNotifications(db: Db, accountId: string): Promise<Notifications> {
  const [row] = await db.query<{ daily_digest: boolean }>(
    'select daily_digest from notification_setting where account_id = $1',
    [accountId],
  )
  return { dailyDigest: row?.daily_digest ?? false }
}

/** Stores the choice. A digest that is turned on begins with the signals from now on; one that is on goes on. */
export async function setNotifications(
  db: Db,
  { accountId, dailyDigest, at }: Notifications & { accountId: string; at: Date },
): Promise<void> {
  await db.query(
    `insert into notification_setting as setting (account_id, daily_digest, digest_through, digest_queued_through)
     values ($1, $2, $3, $3)
     on conflict (account_id) do update set daily_digest = excluded.daily_digest,
       digest_through = excluded.digest_through, digest_queued_through = excluded.digest_queued_through
     where setting.daily_digest <> excluded.daily_digest`,
    [accountId, dailyDigest, at],
  )
}

/** Turns the digest off for the holder of a link from one of its e-mails. False when the link is not one of ours. */
export async function unsubscribe(app: App, token: string): Promise<boolean> {
  const accountId = findSubscriber(app, token)
  if (accountId === null) return false
  await app.db.query('update notification_setting set daily_digest = false where account_id = $1', [accountId])
  app.log.info({ event: 'digest.unsubscribed', account_id: accountId })
  return true
}

/** Returns a link that needs no sign-in, works as long as the e-mail is kept, and can do nothing but turn the digest off. */
export function toUnsubscribeLink(app: Pick<App, 'secrets' | 'config'>, accountId: string): URL {
  const link = new URL('/unsubscribe', app.config.siteUrl)
  link.searchParams.set('token', `${accountId}.${sign(app, accountId)[0]?.toString('base64url')}`)
  return link
}

/** Returns the account of a link, or null when we did not make it. */
export function findSubscriber(app: Pick<App, 'secrets'>, token: string): string | null {
  const [accountId = '', signature = ''] = token.split('.', 2)
  const given = Buffer.from(signature, 'base64url')
  const isOurs = sign(app, accountId).some((wanted) => given.length === wanted.length && timingSafeEqual(given, wanted))
  return isOurs ? accountId : null
}

/** The words in front keep this apart from everything else that is hashed with the same key. */
function sign({ secrets }: Pick<App, 'secrets'>, accountId: string): Buffer[] {
  return secrets.keyedHashes(`unsubscribe from the daily digest: ${accountId}`)
}
