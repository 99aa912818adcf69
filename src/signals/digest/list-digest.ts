import { sendToAccount } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { findMailedList } from '../lists/list-emails.ts'
import { IS_ON_LIST } from '../lists/membership.ts'
import { type ListDigest, readLines, toLinesStatement } from './digest.ts'
import { listDigestEmail } from './list-email-words.ts'
import { toUnsubscribeHeaders } from './notifications.ts'

/**
 * Sends at least once, as the account's digest does: `digest_through` moves after sending, and a second sending has the same
 * Message-ID.
 */
export async function sendListDigest(app: App, digest: ListDigest, run: Pick<JobRun, 'finish'>): Promise<void> {
  const { listKey, cadence, through } = digest
  const until = new Date(through)
  const since = await findStart(app.db, digest)
  const list = since === null ? null : await findMailedList(app, listKey)
  if (since === null || list === null) return
  const found = await readLines(app.db, OF_LIST, [list.watchlistId, since, until, listKey])
  if (found.signals > 0) {
    const day = toLondonDate(until)
    await sendToAccount(app, {
      accountId: list.accountId,
      content: listDigestEmail({ ...found, list, cadence, day, site: app.config.siteUrl }),
      messageId: `list-digest.${listKey}.${cadence}.${day}`,
      headers: toUnsubscribeHeaders(list.unsubscribeLink),
    })
  }
  await app.db.transaction(async (tx) => {
    await recordSent(tx, listKey, until)
    await run.finish(tx)
  })
  app.log.info({ event: 'list_digest.finished', list_key: listKey, through, signals: found.signals })
}

/** After long trouble a digest covers this much; a daily one may follow a week that was not sent. */
const DAYS_MAX = 14

/** Null when the digest was turned off, has another period now, was sent, or is part of a later one. */
async function findStart(db: Db, { listKey, cadence, through }: ListDigest): Promise<Date | null> {
  const [row] = await db.query<{ since: Date }>(
    `select greatest(digest_through, $2::timestamptz - $4 * interval '1 day') as since from list_email
     where list_key = $1 and digest = $3 and digest_queued_through = $2 and digest_through < $2`,
    [listKey, through, cadence, DAYS_MAX],
  )
  return row?.since ?? null
}

async function recordSent(tx: Tx, listKey: number, until: Date): Promise<void> {
  const statement = 'update list_email set digest_through = $2 where list_key = $1 and digest_through < $2'
  await tx.query(statement, [listKey, until])
}

const OF_LIST = toLinesStatement(`join list_email email on email.list_key = $4
  where fed.watchlist_id = $1 and fed.detected_at >= $2 and fed.detected_at < $3 and ${IS_ON_LIST}`)
