import { sendToAccount } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { addDaysToDate, addSeconds, toLondonDate } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { IS_ON_LIST } from '../lists/membership.ts'
import { type DigestLine, digestEmail } from './digest-email.ts'
import { toUnsubscribeHeaders, toUnsubscribeLink } from './notifications.ts'

/** The signals of an account until a moment, which is seven in the morning of a London day. */
export interface Digest {
  accountId: string
  /** RFC 3339. Fixed when it is queued, so that every attempt writes the same e-mail. */
  through: string
}

export const SEND_DIGEST_JOB = 'signals.send_digest'

/** The same for one list, whose digest is of a day or of a week. */
export interface ListDigest {
  listKey: number
  cadence: Cadence
  through: string
}

export const CADENCES = ['daily', 'weekly'] as const
export type Cadence = (typeof CADENCES)[number]

export const SEND_LIST_DIGEST_JOB = 'signals.send_list_digest'

const BATCH_DIGESTS = 500
const BATCHES_MAX = 10_000

/** Queues the digest of every account, and of every list, that wants one and has none of this day or week. Returns how many. */
export async function startDigests(app: App): Promise<number> {
  const at = app.clock.now()
  const today = toLondonDate(at)
  const [day, week] = [sevenInLondon(today), sevenInLondon(mondayOf(today))]
  if (at < day) return 0
  const accounts = await queueAll(app, { job: SEND_DIGEST_JOB, due: DUE_ACCOUNTS, params: [day] })
  const daily = await queueAll(app, { job: SEND_LIST_DIGEST_JOB, due: DUE_LISTS, params: [day, 'daily'] })
  const weekly = await queueAll(app, { job: SEND_LIST_DIGEST_JOB, due: DUE_LISTS, params: [week, 'weekly'] })
  return accounts + daily + weekly
}

const DUE_ACCOUNTS = `update notification_setting set digest_queued_through = $1
  where account_id in (
    select account_id from notification_setting where daily_digest and digest_queued_through < $1
    order by digest_queued_through limit ${BATCH_DIGESTS} for update skip locked
  )
  returning account_id as "accountId", $1 as through`

const DUE_LISTS = `update list_email set digest_queued_through = $1
  where list_key in (
    select list_key from list_email where digest = $2 and digest_queued_through < $1
    order by digest_queued_through limit ${BATCH_DIGESTS} for update skip locked
  )
  returning list_key as "listKey", digest as cadence, $1 as through`

/** Marks what is due and queues a job for each, batch by batch. */
async function queueAll(app: App, queue: { job: string; due: string; params: unknown[] }): Promise<number> {
  let queued = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const digests = await app.db.transaction(async (tx) => {
      const payloads = await tx.query<object>(queue.due, queue.params)
      await app.jobs.enqueueAll(
        tx,
        { name: queue.job },
        payloads.map((payload) => ({ payload })),
      )
      return payloads.length
    })
    queued += digests
    if (digests < BATCH_DIGESTS) break
  }
  return queued
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDaysToDate(day, -sinceMonday)
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
  const { lines, signals, warnings } = await readLines(app.db, OF_ACCOUNT, [accountId, since, until])
  if (signals > 0) {
    const day = toLondonDate(until)
    const unsubscribeLink = toUnsubscribeLink(app, accountId).href
    await sendToAccount(app, {
      accountId,
      content: digestEmail({ day, lines, signals, warnings, site: app.config.siteUrl.href, unsubscribeLink }),
      messageId: `digest.${accountId}.${day}`,
      headers: toUnsubscribeHeaders(unsubscribeLink),
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

export interface DigestLines {
  /** The first, warnings before all. */
  lines: DigestLine[]
  /** All of them, and the warnings among all. */
  signals: number
  warnings: number
}

/**
 * A statement for the lines of an e-mail. `which` begins after the feed's rows `fed`, their signals and the watches of their
 * companies: signals of companies that are not watched any more are left out.
 */
export function toLinesStatement(which: string): string {
  return `select signal.company_number as "companyNumber", signal.company_name as "companyName", signal.severity, signal.summary,
      signal.occurred_on as "occurredOn",
      count(*) over () as signals, count(*) filter (where signal.severity = 'warning') over () as warnings
    from watched_signal fed
    join signal on signal.detected_at = fed.detected_at and signal.id = fed.signal_id
    join watch on watch.watchlist_id = fed.watchlist_id and watch.company_number = signal.company_number
    ${which}
    order by array_position(array['warning', 'notice', 'info'], signal.severity), signal.company_name, signal.company_number,
      signal.detected_at, signal.id
    limit ${LINES_MAX}`
}

export async function readLines(db: Db, statement: string, params: readonly unknown[]): Promise<DigestLines> {
  const rows = await db.query<DigestLine & Omit<DigestLines, 'lines'>>(statement, params)
  return { lines: rows, signals: rows[0]?.signals ?? 0, warnings: rows[0]?.warnings ?? 0 }
}

/** Companies on a list with a daily digest of its own are left out from when that one began: no e-mail of a day repeats another. */
const OF_ACCOUNT =
  toLinesStatement(`where fed.watchlist_id = (select id from watchlist where account_id = $1 and mode = 'live')
  and fed.detected_at >= $2 and fed.detected_at < $3
  and not exists (
    select from list_email email
    where email.watchlist_id = fed.watchlist_id and email.digest = 'daily' and email.digest_since <= fed.detected_at
      and ${IS_ON_LIST})`)
