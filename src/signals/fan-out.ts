import type { KeyMode } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { publishEvents } from '../webhooks/index.ts'
import { presentSignal, type Signal, toRowId } from './signals.ts'

/** Writes signals to the feed of every account that watches their company, and publishes them to its webhooks. */
export async function fanOut(app: Pick<App, 'jobs'>, tx: Tx, signals: readonly Signal[], at: Date): Promise<void> {
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
