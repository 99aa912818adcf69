/**
 * E-mails soon after a signal. Raising a signal writes a row for each list that wants it at once. Once a minute the rows of a list
 * become the payload of one job, in the transaction that deletes them: each signal is in one e-mail, whichever process dies.
 */
import { sendToAccount } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { findMailedList } from '../lists/list-emails.ts'
import { IS_ON_LIST, isSentAtOnce } from '../lists/membership.ts'
import { readLines, toLinesStatement } from './digest.ts'
import { instantEmail } from './list-email-words.ts'
import { toUnsubscribeHeaders } from './notifications.ts'

export interface InstantEmail {
  listKey: number
  /** Rows of `signal`. */
  signals: number[]
  /** RFC 3339: the list has had all e-mails of an hour, and the next one comes after this moment. */
  resumesAt: string | null
}

export const SEND_INSTANT_JOB = 'signals.send_instant'

/** E-mails of one list in any hour. What comes after them waits, and is in the next one. */
export const INSTANT_PER_HOUR = 12
/** A line of the job's payload; what is beyond is in the next e-mail. */
const SIGNALS_PER_EMAIL = 2_000
const BATCH_LISTS = 200
const BATCHES_MAX = 1_000

/** Queues one e-mail for each list with signals that wait. Returns how many. */
export async function startInstantEmails(app: App): Promise<number> {
  await app.db.query(FORGET)
  const at = app.clock.now()
  let started = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const lists = await app.db.transaction(async (tx) => {
      const emails = await tx.query<InstantEmail>(TAKE, [at])
      await app.jobs.enqueueAll(
        tx,
        { name: SEND_INSTANT_JOB },
        emails.map((payload) => ({ payload })),
      )
      return emails.length
    })
    started += lists
    if (lists < BATCH_LISTS) break
  }
  return started
}

/** Rows of lists that were deleted, or whose e-mails were turned off. */
const FORGET = `delete from instant_signal waiting where not exists (
  select from list_email email where email.list_key = waiting.list_key and email.instant_severity is not null)`

const TAKE = `with ready as materialized (
    select list_key from list_email
    where instant_severity is not null and list_key in (select list_key from instant_signal)
      and (cardinality(instant_queued_at) < ${INSTANT_PER_HOUR} or instant_queued_at[1] <= $1::timestamptz - interval '1 hour')
    order by list_key limit ${BATCH_LISTS} for update skip locked
  ), taken as (
    delete from instant_signal using (
      select ready.list_key, waiting.signal_id from ready cross join lateral (
        select signal_id from instant_signal
        where instant_signal.list_key = ready.list_key order by signal_id limit ${SIGNALS_PER_EMAIL}
      ) waiting
    ) first
    where instant_signal.list_key = first.list_key and instant_signal.signal_id = first.signal_id
    returning instant_signal.list_key, instant_signal.signal_id
  ), queued as (
    update list_email set instant_queued_at =
      array_append(instant_queued_at[cardinality(instant_queued_at) - ${INSTANT_PER_HOUR - 2}:], $1)
    from ready where list_email.list_key = ready.list_key
    returning list_email.list_key, instant_queued_at
  )
  select list_key as "listKey", array_agg(signal_id order by signal_id) as signals,
    case when cardinality(instant_queued_at) = ${INSTANT_PER_HOUR} and instant_queued_at[1] > $1 - interval '1 hour'
      then instant_queued_at[1] + interval '1 hour' end as "resumesAt"
  from queued join taken using (list_key)
  group by list_key, instant_queued_at`

/** Sends one. A worker that dies after sending makes it be sent again, with the same Message-ID. */
export async function sendInstantEmail(app: App, email: InstantEmail, { id }: Pick<JobRun, 'id'>): Promise<void> {
  const { listKey, resumesAt } = email
  const list = await findMailedList(app, listKey)
  if (list === null) return
  const found = await readLines(app.db, OF_SIGNALS, [list.watchlistId, email.signals, listKey])
  if (found.signals === 0) return
  await sendToAccount(app, {
    accountId: list.accountId,
    content: instantEmail({ ...found, list, resumesAt, site: app.config.siteUrl }),
    messageId: `list-instant.${listKey}.${id}`,
    headers: toUnsubscribeHeaders(list.unsubscribeLink),
  })
  app.log.info({ event: 'instant_email.sent', list_key: listKey, signals: found.signals })
}

/** Nothing below the severity of this moment, after the e-mails were turned off, or of companies that left the list. */
const OF_SIGNALS = toLinesStatement(`join list_email email on email.list_key = $3
  where ${isSentAtOnce('signal.severity')} and fed.watchlist_id = $1 and signal.id = any ($2::bigint[]) and ${IS_ON_LIST}`)
