import type { CompanyProfile } from '../../api/bodies.ts'

export type Part = CompanyProfile['missing'][number]['part']

export const PART_NAMES: Record<Part, string> = {
  officers: 'Officers',
  pscs: 'Persons with significant control',
  charges: 'Charges',
  insolvency: 'Insolvency',
  filings: 'Filings',
}
