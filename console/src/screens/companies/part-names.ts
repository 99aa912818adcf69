import type { CompanyProfile } from '../../api/bodies.ts'

export type Part = CompanyProfile['missing'][number]['part']

export const MISSING_REASONS: Record<CompanyProfile['missing'][number]['reason'], string> = {
  not_configured: 'this service has no key for the register',
  budget_spent: 'we have reached the register’s request limit',
  register_unavailable: 'the register does not respond',
  register_refused: 'the register refused our request',
}

export const PART_NAMES: Record<Part, string> = {
  officers: 'Officers',
  pscs: 'Persons with significant control',
  charges: 'Charges',
  insolvency: 'Insolvency',
  filings: 'Filings',
}
