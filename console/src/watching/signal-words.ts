import type { Signal } from '../api/bodies.ts'

export type SignalType = Signal['signal_type']

export const SIGNAL_WORDS: Record<SignalType, string> = {
  status_changed: 'Status changed',
  strike_off_proposed: 'Strike-off proposed',
  strike_off_discontinued: 'Strike-off discontinued',
  false_statement_strike_off: 'Strike-off for a false statement',
  insolvency_started: 'Insolvency started',
  insolvency_updated: 'Insolvency updated',
  name_changed: 'Name changed',
  registered_office_changed: 'Registered office changed',
  default_office_applied: 'Office replaced by the default address',
  default_office_upheld: 'Default address upheld by a court',
  default_service_address_applied: 'Address of a person replaced by the default address',
  registered_office_disputed: 'Registered office in dispute',
  registered_office_undeliverable: 'Registered office undeliverable',
  sic_codes_changed: 'SIC codes changed',
  director_appointed: 'Director appointed',
  director_resigned: 'Director resigned',
  director_identity_overdue: 'Director’s identity check overdue',
  all_directors_overdue: 'Identity checks of all directors overdue',
  psc_changed: 'Person with significant control changed',
  psc_identity_overdue: 'Owner’s identity check overdue',
  psc_statement_made: 'Statement about owners made',
  psc_statement_withdrawn: 'Statement about owners withdrawn',
  psc_statement_unresolved: 'Statement about owners unresolved',
  majority_owner_added: 'New majority owner',
  owner_sanctioned: 'Owner sanctioned',
  owner_protected: 'Owner’s details protected',
  owner_country_changed: 'Owner’s country changed',
  parent_dissolved: 'Parent company dissolved',
  accounts_filed: 'Accounts filed',
  accounts_overdue: 'Accounts overdue',
  accounts_type_changed: 'Type of accounts changed',
  confirmation_filed: 'Confirmation statement filed',
  confirmation_overdue: 'Confirmation statement overdue',
  charge_registered: 'Charge registered',
  charge_satisfied: 'Charge satisfied',
  website_changed: 'Web site changed',
}

/** Parses a signal type from the URL; null for an unknown one. */
export function readSignalType(word: string | null): SignalType | null {
  return word !== null && Object.hasOwn(SIGNAL_WORDS, word) ? (word as SignalType) : null
}
