import type { KeyMode } from '../accounts/index.ts'
import type { Db } from '../lib/db/db.ts'
import { type FieldChange, presentChange } from './change-words.ts'

export type { ChangeValue, FieldChange } from './change-words.ts'

/** Every type of signal there is. Stable: customers subscribe to these words. */
export const SIGNAL_TYPES = [
  'status_changed',
  'name_changed',
  'registered_office_changed',
  'sic_codes_changed',
  'accounts_filed',
  'accounts_overdue',
  'accounts_type_changed',
  'confirmation_filed',
  'confirmation_overdue',
  'director_appointed',
  'director_resigned',
  'charge_registered',
  'charge_satisfied',
  'insolvency_started',
  'insolvency_updated',
  'strike_off_proposed',
  'strike_off_discontinued',
  'psc_changed',
  'website_changed',
  'director_identity_overdue',
  'all_directors_overdue',
  'psc_identity_overdue',
  'default_office_applied',
  'registered_office_disputed',
  'registered_office_undeliverable',
  'false_statement_strike_off',
  'psc_statement_made',
  'psc_statement_withdrawn',
  'majority_owner_added',
  'owner_sanctioned',
  'owner_protected',
  'owner_country_changed',
  'parent_dissolved',
  'default_service_address_applied',
  'default_office_upheld',
  'psc_statement_unresolved',
] as const

export type SignalType = (typeof SIGNAL_TYPES)[number]

export const SEVERITIES = ['info', 'notice', 'warning'] as const

export type Severity = (typeof SEVERITIES)[number]

export interface Signal {
  /** `sig_…` */
  id: string
  signalType: SignalType
  companyNumber: string
  companyName: string
  severity: Severity
  summary: string
  occurredOn: string
  detectedAt: Date
  changes: FieldChange[]
  source: { kind: string; reference: string }
}

export interface SignalRow extends Omit<Signal, 'id' | 'source'> {
  id: number
  sourceKind: string
  sourceReference: string
}

/** The columns `toSignal` needs, for a select or a returning. */
export const SIGNAL_COLUMNS = `id, signal_type as "signalType", company_number as "companyNumber",
  company_name as "companyName", severity, summary, occurred_on as "occurredOn", detected_at as "detectedAt", changes,
  source_kind as "sourceKind", source_reference as "sourceReference"`

export function toSignal({ id, sourceKind, sourceReference, ...signal }: SignalRow): Signal {
  return { ...signal, id: `${PREFIX}${id}`, source: { kind: sourceKind, reference: sourceReference } }
}

/** Returns a signal as every entry point shows it. */
export function presentSignal(signal: Signal) {
  return {
    id: signal.id,
    signal_type: signal.signalType,
    company_number: signal.companyNumber,
    company_name: signal.companyName,
    severity: signal.severity,
    summary: signal.summary,
    occurred_on: signal.occurredOn,
    detected_at: signal.detectedAt.toISOString(),
    changes: signal.changes.map(presentChange),
    source: signal.source,
  }
}

export interface SignalPage {
  signals: Signal[]
  /** Continues after the last of these; null when there are no more. */
  nextCursor: string | null
}

export interface HistoryQuery {
  companyNumber: string
  /** A test key gets the signals that its account made; all others, and null, get what really happened. */
  viewer: { accountId: string; mode: KeyMode } | null
  limit: number
  offset?: number
  cursor?: string | undefined
}

/** Returns a company's signals, newest first. `cursor` is a page's `nextCursor` and stays stable while new signals arrive. */
export async function listCompanySignals(db: Db, page: HistoryQuery): Promise<SignalPage> {
  const { companyNumber, viewer, limit, offset = 0, cursor } = page
  const testAccountId = viewer?.mode === 'test' ? viewer.accountId : null
  const rows = await db.query<SignalRow>(
    `select ${SIGNAL_COLUMNS} from signal
     where company_number = $1 and (source_kind = 'test') = ($4::text is not null)
       and ($4::text is null or source_reference = $4)
       and ($3::bigint is null or (detected_at, id) < (select s.detected_at, s.id from signal s where s.id = $3))
     order by detected_at desc, id desc limit $2 offset $5`,
    [companyNumber, limit + 1, cursor === undefined ? null : toRowId(cursor), testAccountId, offset],
  )
  const signals = rows.slice(0, limit).map(toSignal)
  return { signals, nextCursor: rows.length > limit ? (signals.at(-1)?.id ?? null) : null }
}

const PREFIX = 'sig_'

/** Matches a signal's id, and so a cursor. */
export const SIGNAL_ID = /^sig_[1-9]\d{0,14}$/

export function toRowId(id: string): number {
  if (!SIGNAL_ID.test(id)) throw new Error('not the id of a signal')
  return Number(id.slice(PREFIX.length))
}
