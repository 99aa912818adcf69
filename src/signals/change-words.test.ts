import { expect, test } from 'vitest'
import { type ChangeValue, presentChange } from './change-words.ts'

test.each<[string, ChangeValue, string, string | null]>([
  ['company_status', 'receivership', 'Status', 'Receiver Action'],
  ['company_status_detail', 'transferred-from-uk', 'Status detail', 'Transfer from UK'],
  ['parent_status', 'converted-closed', 'Parent status', 'Converted / Closed'],
  ['accounts_type', 'total-exemption-full', 'Accounts type', 'Total Exemption Full'],
  ['psc_control', 'through_others', 'Control', 'Only as a trustee or a member of a firm'],
  ['psc_is_sanctioned', true, 'Sanctioned', 'Yes'],
  ['psc_natures_of_control', [], 'Nature of control', null],
  [
    'psc_natures_of_control',
    ['ownership-of-shares-75-to-100-percent', 'voting-rights-75-to-100-percent'],
    'Nature of control',
    'Ownership of shares: 75% or more; Ownership of voting rights: 75% or more',
  ],
  [
    'sic_codes',
    ['62020', '00000'],
    'SIC codes',
    'Information technology consultancy activities (62020); Unknown code (00000)',
  ],
  ['accounts_next_due', '2026-12-31', 'Accounts next due', '31 December 2026'],
  ['company_name', 'ACORN LIMITED', 'Name', 'ACORN LIMITED'],
  ['website', 'acorn.co.uk', 'Website', 'acorn.co.uk'],
  ['website_status', 'verified', 'Website status', 'Verified'],
  ['registered_address', null, 'Registered office', null],
])('the change of %s to %j is shown in words', (field, to, name, words) => {
  const change = presentChange({ field, from: null, to })
  expect(change).toEqual({ field, from: null, to, field_text: name, from_text: null, to_text: words })
})
