import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'
import { fanOut } from './fan-out.ts'
import type { FieldChange, Severity, SignalType } from './signal-type.ts'
import { SIGNAL_COLUMNS, type Signal, type SignalRow, toSignal } from './signals.ts'

/** A signal before it is known to be new. */
export interface NewSignal {
  company_number: string
  company_name: string
  signal_type: SignalType
  severity: Severity
  summary: string
  occurred_on: string
  changes: FieldChange[]
  source_kind: string
  source_reference: string
  /** See `dedupe.ts`. */
  key: string
  leaving_key: string | null
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
     select n.company_number, n.company_name, n.signal_type, n.severity, n.summary, n.occurred_on, $2, n.changes,
       n.source_kind, n.source_reference,
       case when n.leaving_key is null then n.key else n.key || '#' || (
         select count(*) from signal s
         where s.company_number = n.company_number
           and (starts_with(s.dedupe_key, n.leaving_key)
             or (starts_with(s.dedupe_key, n.key || '#') and s.detected_at < $2::timestamptz - interval '90 days'))
       ) end
     from rows from (
       jsonb_to_recordset($1::jsonb) as (company_number text, company_name text, signal_type text, severity text,
         summary text, occurred_on date, changes jsonb, source_kind text, source_reference text, key text,
         leaving_key text)
     ) with ordinality as n
     order by n.ordinality
     on conflict (company_number, signal_type, dedupe_key) do nothing
     returning ${SIGNAL_COLUMNS}`,
    [JSON.stringify(signals), at],
  )
  return rows.map(toSignal)
}
