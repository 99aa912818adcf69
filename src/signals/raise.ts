import type { KeyMode } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { publishEvents } from '../webhooks/index.ts'
import type { DetectedSignal } from './detect/detected-signal.ts'
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
  const events = signals.flatMap((signal) => {
    const accountIds = subscribers.get(toRowId(signal.id)) ?? []
    return accountIds.length > 0 ? [toEvent(signal, { accountIds, mode: 'live' })] : []
  })
  await publishEvents(app, tx, events, at)
}

/** Writes the feed, and returns the watchers of each signal that have a webhook or a listener. */
async function feedWatchers(tx: Tx, signals: readonly Signal[]): Promise<Map<number, string[]>> {
  const rows = await tx.query<{ signal_id: number; account_ids: string[] }>(
    `with fed as (
       insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
       select watch.watchlist_id, raised.detected_at, raised.id, raised.signal_type
       from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[])
         as raised (id, company_number, signal_type, detected_at)
       join watch using (company_number)
       returning watchlist_id, signal_id
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
    ],
  )
  return new Map(rows.map(({ signal_id: id, account_ids: accountIds }) => [id, accountIds]))
}

export function toEvent(signal: Signal, to: { accountIds: readonly string[]; mode: KeyMode }) {
  return { type: 'signal', signalType: signal.signalType, ...to, data: presentSignal(signal) } as const
}
