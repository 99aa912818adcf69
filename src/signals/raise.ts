import type { KeyMode } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { publishEvents } from '../webhooks/index.ts'
import type { DetectedSignal } from './detect/detected-signal.ts'
import { IS_ON_LIST, isSentAtOnce } from './lists/membership.ts'
import { presentSignal, SIGNAL_COLUMNS, type Signal, type SignalRow, toRowId, toSignal } from './signals.ts'

/** A signal before it is known to be new. */
export interface NewSignal extends DetectedSignal {
  companyNumber: string
  companyName: string
  sourceKind: string
  sourceReference: string
}

/**
 * Writes the signals that are new, and in the same transaction their rows in the feed of every watcher and their webhook
 * events. Nothing else creates signals.
 */
export async function raiseSignals(
  app: Pick<App, 'jobs'>,
  tx: Tx,
  signals: readonly NewSignal[],
  at: Date,
): Promise<Signal[]> {
  const raised = signals.length > 0 ? await insertSignals(tx, signals, at) : []
  await fanOut(app, tx, raised, at)
  return raised
}

/**
 * Writes those that are new. The key of a step ends with how often its new value was left before. A step of more than
 * 90 days ago counts too: the same one now is another, of which we missed the way back.
 */
export async function insertSignals(tx: Tx, signals: readonly NewSignal[], at: Date): Promise<Signal[]> {
  const rows = await tx.query<SignalRow>(
    `insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at, changes,
       source_kind, source_reference, dedupe_key)
     select n."companyNumber", n."companyName", n."signalType", n.severity, n.summary, n."occurredOn", $2, n.changes,
       n."sourceKind", n."sourceReference",
       case when by."leavingKey" is null then by.key else by.key || '#' || (
         select count(*) from signal s
         where s.company_number = n."companyNumber"
           and (starts_with(s.dedupe_key, by."leavingKey")
             or (starts_with(s.dedupe_key, by.key || '#') and s.detected_at < $2::timestamptz - interval '90 days'))
       ) end
     from rows from (
       jsonb_to_recordset($1::jsonb) as ("companyNumber" text, "companyName" text, "signalType" text, severity text,
         summary text, "occurredOn" date, changes jsonb, "sourceKind" text, "sourceReference" text, dedupe jsonb)
     ) with ordinality as n cross join jsonb_to_record(n.dedupe) as by (key text, "leavingKey" text)
     order by n.ordinality
     on conflict (company_number, signal_type, dedupe_key) do nothing
     returning ${SIGNAL_COLUMNS}`,
    [JSON.stringify(signals), at],
  )
  return rows.map(toSignal)
}

/** Writes signals to the feed of every account that watches their company, and publishes them to its webhooks. */
async function fanOut(app: Pick<App, 'jobs'>, tx: Tx, signals: readonly Signal[], at: Date): Promise<void> {
  if (signals.length === 0) return
  const subscribers = await feedWatchers(tx, signals)
  if (subscribers.size === 0) return
  const accounts = [...new Set([...subscribers.values()].flat())]
  const lists = await findListKeys(tx, signals, { accountIds: accounts, mode: 'live' })
  const events = signals.flatMap((signal) => {
    const accountIds = subscribers.get(toRowId(signal.id)) ?? []
    const listKeys = lists.get(signal.companyNumber) ?? []
    return accountIds.length > 0 ? [toEvent(signal, { accountIds, mode: 'live', listKeys })] : []
  })
  await publishEvents(app, tx, events, at)
}

/** "offset 0" makes the planner look the lists of each watcher up in the index, however many lists there are. */
const LISTS_TO_MAIL = `select email.list_key from list_email email
  join watch on watch.watchlist_id = email.watchlist_id and watch.company_number = fed.company_number
  where email.watchlist_id = fed.watchlist_id
    and ${isSentAtOnce('fed.severity')} and ${IS_ON_LIST}
  offset 0`

/**
 * Writes the feed and what waits for the e-mails of lists, and returns the watchers of each signal that have a webhook or a
 * listener.
 */
async function feedWatchers(tx: Tx, signals: readonly Signal[]): Promise<Map<number, string[]>> {
  const rows = await tx.query<{ signal_id: number; account_ids: string[] }>(
    `with fed as (
       insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type, company_number, severity)
       select watch.watchlist_id, raised.detected_at, raised.id, raised.signal_type, raised.company_number, raised.severity
       from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
         as raised (id, company_number, signal_type, detected_at, severity)
       join watch using (company_number)
       returning watchlist_id, signal_id, company_number, severity
     ), instant as (
       insert into instant_signal (list_key, signal_id)
       select email.list_key, fed.signal_id from fed cross join lateral (${LISTS_TO_MAIL}) email
     )
     select fed.signal_id, array_agg(watchlist.account_id) as account_ids
     from fed join watchlist on watchlist.id = fed.watchlist_id and watchlist.mode = 'live'
     where exists (
       select from webhook_destination as destination
       where destination.account_id = watchlist.account_id and destination.mode = watchlist.mode
         and destination.deleted_at is null)
     group by fed.signal_id`,
    [
      signals.map(({ id }) => toRowId(id)),
      signals.map(({ companyNumber }) => companyNumber),
      signals.map(({ signalType }) => signalType),
      signals.map(({ detectedAt }) => detectedAt),
      signals.map(({ severity }) => severity),
    ],
  )
  return new Map(rows.map(({ signal_id: id, account_ids: accountIds }) => [id, accountIds]))
}

/** Returns the lists of these accounts that have the companies and a destination of their own, by the number of the company. */
export async function findListKeys(
  tx: Tx,
  signals: readonly Signal[],
  owners: { accountIds: readonly string[]; mode: KeyMode },
): Promise<Map<string, number[]>> {
  const rows = await tx.query<{ company_number: string; list_keys: number[] }>(
    `select watch.company_number, array_agg(distinct list.key) as list_keys
     from watchlist join watch on watch.watchlist_id = watchlist.id and watch.company_number = any ($1)
     join company_list list on list.watchlist_id = watchlist.id
     where watchlist.account_id = any ($2) and watchlist.mode = $3
       and exists (
         select from webhook_destination destination where destination.list_key = list.key and destination.deleted_at is null)
       and case when list.is_default then watch.in_default else exists (
         select from company_list_member member
         where member.list_key = list.key and member.company_number = watch.company_number) end
     group by watch.company_number`,
    [signals.map(({ companyNumber }) => companyNumber), owners.accountIds, owners.mode],
  )
  return new Map(rows.map(({ company_number: number, list_keys: keys }) => [number, keys]))
}

export function toEvent(
  signal: Signal,
  to: { accountIds: readonly string[]; mode: KeyMode; listKeys: readonly number[] },
) {
  const { signalType, severity } = signal
  return { type: 'signal', signalType, severity, ...to, data: presentSignal(signal) } as const
}
