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
] as const

export type SignalType = (typeof SIGNAL_TYPES)[number]

export const SEVERITIES = ['info', 'notice', 'warning'] as const

export type Severity = (typeof SEVERITIES)[number]

/** One member that differs, by the name it has in our API. */
export interface FieldChange {
  field: string
  from: ChangeValue
  to: ChangeValue
}

export type ChangeValue = string | boolean | string[] | null
