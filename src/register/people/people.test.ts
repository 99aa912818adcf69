import { describe, expect, test } from 'vitest'
import { toPersonKey, toWithheldKeys } from './person-key.ts'
import { peopleIn, redactItem, replaceNames, toNamePattern } from './redact.ts'

describe('names of one person are recognised as the same', () => {
  test.each([
    ['SMITH, Jane Anne, Dr', 'Dr Jane Anne Smith'],
    ['SMITH, Jane Anne', 'Mrs Jane Anne SMITH'],
    ["O'BRIEN, Séan", 'Mr Sean O’Brien'],
    ['SMITH-JONES, Ann', 'Ann Smith Jones'],
    ['SMITH, John, Captain', 'Capt John Smith'],
    ['SMITH, John, The Rt Hon', 'Sir John Smith'],
    ['LORD, Jack', 'Mr Jack Lord'],
  ])('%s and %s', (officer, owner) => {
    expect(toPersonKey(officer)).toBe(toPersonKey(owner))
  })

  test('and other people as others', () => {
    const names = ['SMITH, Jane', 'SMITH, Jane Anne', 'SMITH, John', 'LORD, Jack', 'BARON, Jack']
    expect(new Set(names.map(toPersonKey)).size).toBe(names.length)
    expect(toPersonKey('Lord')).toBe('LORD')
    expect(toWithheldKeys({ companyNumber: '01234567', name: ' . ', birth: null })).toEqual([])
  })
})

test('a company in an office or in control is no person', () => {
  expect(peopleIn('officer', '01234567', { name: 'JANE SMITH LIMITED', officer_role: 'corporate-director' })).toEqual(
    [],
  )
  const kind = 'corporate-entity-person-with-significant-control'
  expect(peopleIn('psc', '01234567', { name: 'JANE SMITH LIMITED', kind })).toEqual([])
})

test('an officer whose name is withheld keeps the office and its days, and nothing else', () => {
  const officer = {
    name: 'SMITH, Jane',
    officer_role: 'director',
    appointed_on: '2020-01-02',
    date_of_birth: { month: 6, year: 1975 },
    nationality: 'British',
    country_of_residence: 'England',
    occupation: 'Painter',
    address: { postal_code: 'LS1 4AP' },
    former_names: [{ surname: 'DOE' }],
    person_number: '123456780001',
    identity_verification_details: {
      appointment_verification_statement_due_on: '2026-01-01',
      authorised_corporate_service_provider_name: 'ACSP LTD',
    },
    links: { self: '/company/01234567/appointments/a', officer: { appointments: '/officers/x/appointments' } },
  }
  expect(redactItem('officer', officer, ['SMITH, Jane'])).toEqual({
    name_withheld: true,
    officer_role: 'director',
    appointed_on: '2020-01-02',
    identity_verification_details: { appointment_verification_statement_due_on: '2026-01-01' },
    links: { self: '/company/01234567/appointments/a' },
  })
})

test('a name is replaced in sentences and lists as whole words only', () => {
  const shown = replaceNames({ summary: 'Li resigned. Lily and Li (2) stayed.', to: ['Li', 'Lily'] }, [
    toNamePattern('Li'),
  ])
  expect(shown).toEqual({
    summary: 'A person whose name is withheld resigned. Lily and a person whose name is withheld (2) stayed.',
    to: ['a person whose name is withheld', 'Lily'],
  })
  expect(replaceNames('a.b*c resigned', [toNamePattern('a.b*c')])).toBe('A person whose name is withheld resigned')
})

test.each(['SMITH, Jane Anne, Dr', 'Dr Jane Anne Smith', 'Jane Anne SMITH'])(
  '%s is found with other titles, order and capitals',
  (name) => {
    const pattern = [toNamePattern(name)]
    for (const written of [
      'Jane Anne SMITH',
      'Mrs. Jane Anne Smith',
      'The Rt Hon Jane Anne Smith',
      'SMITH, Jane Anne',
      'SMITH, Jane Anne, Dame',
      'jane anne smith',
    ])
      expect(replaceNames(`ACME appointed ${written} as a director.`, pattern)).toBe(
        'ACME appointed a person whose name is withheld as a director.',
      )
    for (const other of ['Jane SMITH', 'Jane Anne SMITHSON', 'Mary Jane-Anne Smith'])
      expect(replaceNames(other, pattern)).toBe(other)
  },
)
