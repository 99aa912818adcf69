import { timingSafeEqual } from 'node:crypto'
import { type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'

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
  app: App,
  { accountId, dailyDigest, origin }: Notifications & { accountId: string; origin: Origin },
): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const before = await readNotifications(tx, accountId)
    if (await storeDigest(tx, { accountId, dailyDigest, at })) await recordDigest(tx, { accountId, origin, at }, before)
  })
}

/** Returns false when it was so before. */
async function storeDigest(
  tx: Tx,
  { accountId, dailyDigest, at }: Notifications & { accountId: string; at: Date },
): Promise<boolean> {
  const changed = await tx.query(
    `insert into notification_setting as setting (account_id, daily_digest, digest_through, digest_queued_through)
     values ($1, $2, $3, $3)
     on conflict (account_id) do update set daily_digest = excluded.daily_digest,
       digest_through = excluded.digest_through, digest_queued_through = excluded.digest_queued_through
     where setting.daily_digest <> excluded.daily_digest returning account_id`,
    [accountId, dailyDigest, at],
  )
  return changed.length > 0
}

async function recordDigest(
  tx: Tx,
  { accountId, origin, at }: { accountId: string; origin: Origin; at: Date },
  { dailyDigest }: Notifications,
): Promise<void> {
  const [before, after] = [{ daily_digest: dailyDigest }, { daily_digest: !dailyDigest }]
  await recordAudit(tx, { at, accountId, action: 'digest_changed', origin, before, after })
}

/** Turns the digest off for the holder of a link from one of its e-mails. False when the link is not one of ours. */
export async function unsubscribe(app: App, token: string, origin: Origin): Promise<boolean> {
  const accountId = findSubscriber(app, token)
  if (accountId === null) return false
  await app.db.transaction(async (tx) => {
    const stopped = await tx.query(
      'update notification_setting set daily_digest = false where account_id = $1 and daily_digest returning account_id',
      [accountId],
    )
    if (stopped.length === 0) return
    await recordDigest(tx, { accountId, origin, at: app.clock.now() }, { dailyDigest: true })
  })
  app.log.info({ event: 'digest.unsubscribed', account_id: accountId })
  return true
}

/** Returns a link that needs no sign-in, works as long as the e-mail is kept, and can do nothing but turn the digest off. */
export function toUnsubscribeLink(app: Pick<App, 'secrets' | 'config'>, accountId: string): URL {
  return toSignedLink(app, DIGEST, accountId)
}

/** The words in front keep a signature apart from everything else that is hashed with the same key. */
const DIGEST = 'unsubscribe from the daily digest'

/** Returns the link that stops the e-mails `what` of an account or a list. */
export function toSignedLink({ secrets, config }: Pick<App, 'secrets' | 'config'>, what: string, id: string): URL {
  const link = new URL('/unsubscribe', config.siteUrl)
  const [signature] = secrets.keyedHashes(`${what}: ${id}`)
  link.searchParams.set('token', `${id}.${signature?.toString('base64url')}`)
  return link
}

/** Returns the id in the token of such a link, or null when we did not make it. */
export function findSigned({ secrets }: Pick<App, 'secrets'>, what: string, token: string): string | null {
  const [id = '', signature = ''] = token.split('.', 2)
  const given = Buffer.from(signature, 'base64url')
  const isOurs = secrets
    .keyedHashes(`${what}: ${id}`)
    .some((wanted) => given.length === wanted.length && timingSafeEqual(given, wanted))
  return isOurs ? id : null
}

/** RFC 8058: with both, the mail program's own button unsubscribes. */
export function toUnsubscribeHeaders(link: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Returns the account of a link, or null when we did not make it. */
export function findSubscriber(app: Pick<App, 'secrets'>, token: string): string | null {
  return findSigned(app, DIGEST, token)
}
