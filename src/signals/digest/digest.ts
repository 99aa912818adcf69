import { sendToAccount } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { addSeconds, toLondonDate } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { type DigestLine, digestEmail } from './digest-email.ts'
import { toUnsubscribeLink } from './notifications.ts'

/** The signals of an account until a moment, which is seven in the morning of a London day. */
export interface Digest {
  accountId: string
  /** RFC 3339. Fixed when it is queued, so that every attempt writes the same e-mail. */
  through: string
}

export const SEND_DIGEST_JOB = 'signals.send_digest'

const BATCH_ACCOUNTS = 500
const BATCHES_MAX = 10_000

/** Queues the digest of every account that wants one and has none of today. Returns how many. */
export async function startDigests(app: App): Promise<number> {
  const at = app.clock.now()
  const through = sevenInLondon(toLondonDate(at))
  if (at < through) return 0
  let started = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const accounts = await app.db.transaction((tx) => queueBatch(app, tx, through))
    started += accounts
    if (accounts < BATCH_ACCOUNTS) break
  }
  return started
}

async function queueBatch(app: App, tx: Tx, through: Date): Promise<number> {
  const accounts = await tx.query<{ account_id: string }>(
    `update notification_setting set digest_queued_through = $1
     where account_id in (
       select account_id from notification_setting where daily_digest and digest_queued_through < $1
       order by digest_queued_through limit $2 for update skip locked
     )
     returning account_id`,
    [through, BATCH_ACCOUNTS],
  )
  const digests = accounts.map(({ account_id: accountId }) => ({ accountId, through: through.toISOString() }))
  await app.jobs.enqueueAll(
    tx,
    { name: SEND_DIGEST_JOB },
    digests.map((payload) => ({ payload })),
  )
  return digests.length
}

// The clocks change at one in the morning, so that at seven a day is wholly on one side.
const londonHour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' })

/** Seven in the morning of a day in London. */
export function sevenInLondon(day: string): Date {
  const sevenUtc = new Date(`${day}T07:00:00Z`)
  return londonHour.format(sevenUtc) === '07' ? sevenUtc : addSeconds(sevenUtc, -3_600)
}

/**
 * Sends at least once: `digest_through` moves after sending. When a worker dies in between, the next run sends the same
 * e-mail again, with the same Message-ID.
 */
export async function sendDigest(app: App, { accountId, through }: Digest, run: Pick<JobRun, 'finish'>): Promise<void> {
  const until = new Date(through)
  const since = await findStart(app.db, accountId, until)
  if (since === null) return
  const { lines, signals, warnings } = await readSignals(app.db, { accountId, since, until })
  if (signals > 0) {
    const day = toLondonDate(until)
    const unsubscribeLink = toUnsubscribeLink(app, accountId).href
    await sendToAccount(app, {
      accountId,
      content: digestEmail({ day, lines, signals, warnings, site: app.config.siteUrl.href, unsubscribeLink }),
      messageId: `digest.${accountId}.${day}`,
      // RFC 8058: with both, the mail program's own button unsubscribes.
      headers: { 'List-Unsubscribe': `<${unsubscribeLink}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    })
  }
  await app.db.transaction(async (tx) => {
    await recordSent(tx, accountId, until)
    await run.finish(tx)
  })
  app.log.info({ event: 'digest.finished', account_id: accountId, through, signals })
}

const DAYS_MAX = 7

/** Null when the digest was turned off, was sent, or is part of a later one. After long trouble it covers a week. */
async function findStart(db: Db, accountId: string, until: Date): Promise<Date | null> {
  const [row] = await db.query<{ since: Date }>(
    `select greatest(digest_through, $2::timestamptz - $3 * interval '1 day') as since from notification_setting
     where account_id = $1 and daily_digest and digest_queued_through = $2 and digest_through < $2`,
    [accountId, until, DAYS_MAX],
  )
  return row?.since ?? null
}

async function recordSent(tx: Tx, accountId: string, until: Date): Promise<void> {
  await tx.query('update notification_setting set digest_through = $2 where account_id = $1 and digest_through < $2', [
    accountId,
    until,
  ])
}

const LINES_MAX = 50

/** The first lines, warnings before all, and how many signals there are altogether. */
async function readSignals(
  db: Db,
  { accountId, since, until }: { accountId: string; since: Date; until: Date },
): Promise<{ lines: DigestLine[]; signals: number; warnings: number }> {
  const rows = await db.query<DigestLine & { signals: number; warnings: number }>(
    `select s.company_number as "companyNumber", s.company_name as "companyName", s.severity, s.summary,
       s.occurred_on as "occurredOn",
       count(*) over () as signals, count(*) filter (where s.severity = 'warning') over () as warnings
     from watchlist l
     join watched_signal w on w.watchlist_id = l.id and w.detected_at >= $2 and w.detected_at < $3
     join signal s on s.id = w.signal_id
     where l.account_id = $1 and l.mode = 'live' and exists (
       select from watch where watch.watchlist_id = l.id and watch.company_number = s.company_number)
     order by array_position(array['warning', 'notice', 'info'], s.severity), s.company_name, s.company_number,
       s.detected_at, s.id
     limit $4`,
    [accountId, since, until, LINES_MAX],
  )
  return { lines: rows, signals: rows[0]?.signals ?? 0, warnings: rows[0]?.warnings ?? 0 }
}
