import { expect, test } from 'vitest'
import { toBulkRow } from '../../../rig/companies-house/bulk-row.ts'
import { createCompany } from '../../../rig/companies-house/company.ts'
import { presentProfile, presentStreamedProfile } from '../../../rig/companies-house/profile.ts'
import { toFacts } from '../import/row.ts'
import { parseProfile } from './company-from-profile.ts'

const PROFILE = {
  company_name: 'ACORN & SONS LIMITED',
  company_number: '01234567',
  company_status: 'active',
  company_status_detail: 'active-proposal-to-strike-off',
  type: 'ltd',
  date_of_creation: '1998-03-04',
  has_charges: true,
  registered_office_address: {
    care_of: 'B. Keeper',
    po_box: '12',
    address_line_1: '1 High Street',
    address_line_2: 'Old Town',
    locality: 'Leeds',
    region: 'West Yorkshire',
    country: 'England',
    postal_code: 'ls1  4ap',
  },
  sic_codes: ['01110', '70229'],
  previous_company_names: [
    { name: 'OAK LIMITED', effective_from: '1998-03-04', ceased_on: '2001-01-01' },
    { name: 'ELM LIMITED', effective_from: '2001-01-01', ceased_on: '2010-05-06' },
  ],
  accounts: {
    accounting_reference_date: { day: '31', month: '08' },
    last_accounts: { type: 'micro-entity', period_end_on: '2025-08-31', made_up_to: '2025-08-31' },
    next_accounts: { due_on: '2027-05-31', overdue: false },
  },
  confirmation_statement: { next_due: '2027-03-17', last_made_up_to: '2026-03-03' },
  undocumented_member: { deep: [1] },
}

test('a profile becomes the columns of a company', () => {
  expect(parseProfile(PROFILE)).toEqual({
    number: '01234567',
    name: 'ACORN & SONS LIMITED',
    previousNames: [
      { name: 'ELM LIMITED', ceased_on: '2010-05-06' },
      { name: 'OAK LIMITED', ceased_on: '2001-01-01' },
    ],
    status: 'active',
    statusDetail: 'active-proposal-to-strike-off',
    type: 'ltd',
    incorporatedOn: '1998-03-04',
    dissolvedOn: null,
    address: {
      careOf: 'B. Keeper',
      poBox: '12',
      line1: '1 High Street',
      line2: 'Old Town',
      town: 'Leeds',
      county: 'West Yorkshire',
      country: 'England',
      postcode: 'LS1 4AP',
    },
    countryOfOrigin: null,
    accountsRefDay: 31,
    accountsRefMonth: 8,
    accountsNextDue: '2027-05-31',
    accountsLastMadeUp: '2025-08-31',
    accountsType: 'micro-entity',
    confirmationNextDue: '2027-03-17',
    confirmationLastMadeUp: '2026-03-03',
    sicCodes: ['01110', '70229'],
    remarks: [],
  })
})

test.each<[string, object, string[]]>([
  ['no flags', {}, []],
  ['false flags', { registered_office_is_in_dispute: false, undeliverable_registered_office_address: false }, []],
  ['flags that are texts', { registered_office_is_in_dispute: 'true' }, []],
  ['a dispute', { registered_office_is_in_dispute: true }, ['registered-office-is-in-dispute']],
  ['no delivery', { undeliverable_registered_office_address: true }, ['undeliverable-registered-office-address']],
  [
    'annotations',
    { corporate_annotation: [{ type: 'other', created_on: '2026-01-01' }, { type: 'a' }, { type: 'other' }, null, {}] },
    ['a', 'other'],
  ],
  ['annotations that are none', { corporate_annotation: 'other' }, []],
])('remarks of a profile with %s', (_, members, remarks) => {
  expect(parseProfile({ ...PROFILE, ...members })?.remarks).toEqual(remarks)
})

test.each([
  ['nothing', undefined],
  ['a list', [PROFILE]],
  ['no number', { ...PROFILE, company_number: undefined }],
  ['half a number', { ...PROFILE, company_number: '1234' }],
  ['no name', { ...PROFILE, company_name: '' }],
])('%s is not a company', (_, data) => {
  expect(parseProfile(data)).toBeNull()
})

test('a profile of a bare name and number is a company with unknown everything', () => {
  const facts = parseProfile({ company_name: 'KING’S COLLEGE', company_number: 'rc000123' })
  expect(facts).toMatchObject({ number: 'RC000123', status: 'unknown', type: 'unknown', sicCodes: [] })
  expect(facts).toMatchObject({ accountsType: null, accountsNextDue: null, address: { line1: null, postcode: null } })
})

const withMember = (change: object) => parseProfile({ ...PROFILE, ...change })
test.each<[string, object, object]>([
  ['accounts of type "null"', { accounts: { last_accounts: { type: 'null' } } }, { accountsType: null }],
  ['the deprecated due date', { accounts: { next_due: '2027-01-02' } }, { accountsNextDue: '2027-01-02' }],
  [
    'the deprecated end of period',
    { accounts: { last_accounts: { made_up_to: '2025-01-02' } } },
    { accountsLastMadeUp: '2025-01-02' },
  ],
  [
    'a reference date in integers',
    { accounts: { accounting_reference_date: { day: 5, month: 4 } } },
    { accountsRefDay: 5, accountsRefMonth: 4 },
  ],
  [
    'a reference date out of range',
    { accounts: { accounting_reference_date: { day: '99', month: '99' } } },
    { accountsRefDay: null, accountsRefMonth: null },
  ],
  ['a day that does not exist', { date_of_creation: '2025-02-30' }, { incorporatedOn: null }],
  ['a leap day', { date_of_creation: '2024-02-29' }, { incorporatedOn: '2024-02-29' }],
  ['a date with a time', { date_of_cessation: '2024-02-29T00:00:00Z' }, { dissolvedOn: null }],
  ['a word nobody documented', { company_status: 'hibernating' }, { status: 'hibernating' }],
  [
    'a foreign company',
    { foreign_company_details: { originating_registry: { country: 'FRANCE' } } },
    { countryOfOrigin: 'FRANCE' },
  ],
  ['a NUL in a name', { company_name: 'A\0B LTD' }, { name: 'AB LTD' }],
])('%s', (_, change, expected) => {
  expect(withMember(change)).toMatchObject(expected)
})

test.each([
  [{ care_of_name: 'Streamed' }, { careOf: 'Streamed' }],
  [{ premises: '7', address_line_1: 'Low Road' }, { line1: '7 Low Road' }],
  [{ premises: '7', address_line_1: '7 Low Road' }, { line1: '7 Low Road' }],
  [{ premises: 'The Mill' }, { line1: 'The Mill' }],
  [
    { postal_code: null, locality: '' },
    { postcode: null, town: null },
  ],
])('an address of %j', (address, expected) => {
  expect(withMember({ registered_office_address: address })?.address).toMatchObject(expected)
})

test('a community interest company has one type, whichever of the register’s interfaces says it', () => {
  const company = createCompany(
    { number: '07777777', name: 'ACORN CIC', category: 'Community Interest Company' },
    '2026-11-02',
  )
  const fromFile = toFacts(toBulkRow(company, new Map()))
  const fromRest = parseProfile(presentProfile(company, '2026-11-02'))
  const fromStream = parseProfile(presentStreamedProfile(company, '2026-11-02'))
  const types = [fromFile, fromRest, fromStream].map((facts) => facts?.type)
  expect(types).toEqual(Array.from({ length: 3 }, () => 'community-interest-company'))
  for (const mark of [{ subtype: 'community-interest-company' }, { is_community_interest_company: true }]) {
    expect(parseProfile({ ...PROFILE, ...mark })?.type).toBe('community-interest-company')
  }
  expect(parseProfile({ ...PROFILE, subtype: 'private-fund-limited-partnership' })?.type).toBe('ltd')
})
