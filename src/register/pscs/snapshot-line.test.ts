import { expect, test } from 'vitest'
import { PSC_COLUMN_NAMES, type PscRow } from './psc-row.ts'
import { PSC_COPY_COLUMNS, toPscCopyLine } from './snapshot-line.ts'

/** Every column has a value of its own, so that two columns that were swapped are seen. */
const ROW: PscRow = {
  company_number: '01234567',
  psc_id: 'an-id',
  kind: 'corporate-entity-person-with-significant-control',
  name: 'A "B" LIMITED',
  birth_year: 1970,
  birth_month: 4,
  nationality: 'British',
  country_of_residence: 'Wales',
  address: '1 High Street',
  natures_of_control: ['voting-rights-75-to-100-percent', 'odd "one"'],
  notified_on: '2020-01-02',
  ceased_on: '2021-03-04',
  is_ceased: true,
  is_sanctioned: false,
  statement: 'a-statement',
  identification: { legal_form: 'Ltd', registration_number: '1\\2' },
  identity: { identity_verified_on: '2025-11-18' },
  exemptions: { exemption_0: { items: [] } },
  owner_number: '07654321',
  owner_number_other: 'SC654321',
  owner_key: 'key',
  name_key: 'A B',
  control: 'majority',
}

const LINE = { hash: 42, changedAt: '2026-10-17T00:00:00Z', isPlain: false }

test('a line for COPY has the value of each column in its position', () => {
  const values = toPscCopyLine(ROW, LINE).slice(0, -1).split('\t')
  const columns = PSC_COPY_COLUMNS.split(', ')
  const written = Object.fromEntries(columns.map((name, index) => [name, values[index]]))
  expect(values).toHaveLength(columns.length)
  expect(written).toEqual({
    ...ROW,
    birth_year: '1970',
    birth_month: '4',
    natures_of_control: '{voting-rights-75-to-100-percent,"odd \\\\"one\\\\""}',
    is_ceased: 't',
    is_sanctioned: 'f',
    identification: '{"legal_form":"Ltd","registration_number":"1\\\\\\\\2"}',
    identity: JSON.stringify(ROW.identity),
    exemptions: JSON.stringify(ROW.exemptions),
    row_hash: '42',
    changed_at: LINE.changedAt,
  })
})

test('a line for COPY says where a value is missing, and escapes what would end a value or a line', () => {
  const empty = Object.fromEntries(PSC_COLUMN_NAMES.map((name) => [name, null])) as unknown as PscRow
  const row: PscRow = { ...empty, name: 'a\tb\nc\\d', natures_of_control: [], is_ceased: false, is_sanctioned: true }
  const values = toPscCopyLine(row, LINE).slice(0, -1).split('\t')
  expect(values[PSC_COLUMN_NAMES.indexOf('name')]).toBe('a\\tb\\nc\\\\d')
  expect(values[PSC_COLUMN_NAMES.indexOf('natures_of_control')]).toBe('{}')
  expect(values.filter((value) => value === '\\N')).toHaveLength(PSC_COLUMN_NAMES.length - 4)
})
