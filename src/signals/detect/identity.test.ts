/** People who are late to verify their identity: every shape of the record, around every day. */
import { describe, expect, test } from 'vitest'
import { parseIdentity } from '../../register/details/identity.ts'
import { parseOfficer } from '../../register/details/part-items.ts'
import { type CompanyWithLateOfficers, deriveIdentity } from '../../register/index.ts'
import { detectLateDirectors, detectLateOwners, QUIET_FOR_IDENTITY } from './identity.ts'
import { isQuietDay } from './sweep-days.ts'

const DUE_ON = '2027-02-10'
const TODAY = '2027-02-11'
const DUE = 'appointment_verification_statement_due_on'
const START = 'appointment_verification_start_on'
const END = 'appointment_verification_end_on'

const director = (id: string, identity: unknown, facts: object = {}) => ({
  id,
  ...parseOfficer({
    name: `SMITH, ${id}`,
    officer_role: 'director',
    identity_verification_details: identity,
    ...facts,
  }),
})

const company = (...officers: CompanyWithLateOfficers['officers']): CompanyWithLateOfficers => ({
  number: '01234567',
  name: 'ACME WIDGETS LIMITED',
  officers,
  isWhole: true,
})

const typesOf = (of: CompanyWithLateOfficers, due = { dueOn: DUE_ON, today: TODAY }) =>
  detectLateDirectors(of, due).map(({ signalType }) => signalType)

const ONE = 'director_identity_overdue'
const ALL = 'all_directors_overdue'
const verified = director('Vera', { [START]: '2026-01-01', [END]: '9999-12-31' })
const late = director('Jane', { [DUE]: DUE_ON })

describe('directors', () => {
  test.each<[string, unknown, boolean]>([
    ['nothing', undefined, false],
    ['an empty block', {}, false],
    ['a text instead of a block', 'verified', false],
    ['only the due day', { [DUE]: DUE_ON }, true],
    [
      'the due day and the start of its window',
      { appointment_verification_statement_date: '2027-01-27', [DUE]: DUE_ON },
      true,
    ],
    ['an empty start', { [DUE]: DUE_ON, [START]: '' }, true],
    ['a null start', { [DUE]: DUE_ON, [START]: null }, true],
    ['an end alone', { [DUE]: DUE_ON, [END]: '2027-01-01' }, true],
    ['a start', { [DUE]: DUE_ON, [START]: '2027-02-01' }, false],
    ['a start after the due day', { [DUE]: DUE_ON, [START]: '2027-02-11' }, false],
    ['a start and the end of time', { [DUE]: DUE_ON, [START]: '2026-01-01', [END]: '9999-12-31' }, false],
    ['a start and an end that has passed', { [DUE]: DUE_ON, [START]: '2026-01-01', [END]: '2027-01-01' }, false],
    [
      'a check by a service provider',
      { [DUE]: DUE_ON, [START]: '2026-01-01', identity_verified_on: '2025-12-20' },
      false,
    ],
    ['another due day before', { [DUE]: '2027-02-09' }, false],
    ['another due day after', { [DUE]: '2027-02-11' }, false],
    ['a due day that is none', { [DUE]: '2027-02-30' }, false],
  ])('a record with %s', (_name, identity, isLate) => {
    expect(typesOf(company(verified, director('Jane', identity)))).toEqual(isLate ? [ONE] : [])
  })

  test.each<[string, object, boolean]>([
    ['a director', {}, true],
    ['a member of a partnership', { officer_role: 'llp-designated-member' }, true],
    ['a nominee', { officer_role: 'nominee-director' }, true],
    ['a secretary', { officer_role: 'secretary' }, false],
    ['an unknown role', { officer_role: undefined }, false],
    ['someone who resigned', { resigned_on: '2027-02-01' }, false],
    ['someone who resigned today', { resigned_on: TODAY }, false],
    ['someone who resigns tomorrow', { resigned_on: '2027-02-12' }, true],
  ])('%s', (_name, facts, isLate) => {
    expect(typesOf(company(verified, director('Jane', { [DUE]: DUE_ON }, facts)))).toEqual(isLate ? [ONE] : [])
  })

  test('is reported with the name and the day, and known by both', () => {
    expect(detectLateDirectors(company(verified, late), { dueOn: DUE_ON, today: TODAY })).toEqual([
      {
        companyNumber: '01234567',
        companyName: 'ACME WIDGETS LIMITED',
        signalType: ONE,
        severity: 'notice',
        summary:
          'Jane SMITH, a director of ACME WIDGETS LIMITED, has not verified their identity, which was due on 10 February 2027.',
        occurredOn: TODAY,
        changes: [{ field: ONE, from: false, to: true }],
        sourceKind: 'sweep',
        sourceReference: DUE_ON,
        dedupe: { key: '2027-02-10:Jane', leavingKey: null },
      },
    ])
  })
})

describe('all directors', () => {
  const earlier = director('Early', { [DUE]: '2027-01-05' })
  const later = director('Later', { [DUE]: '2027-03-05' })
  const corporate = director('Corp', undefined, { officer_role: 'corporate-director' })

  test.each<[string, CompanyWithLateOfficers, string[]]>([
    ['the only one', company(late), [ONE, ALL]],
    ['two due on one day', company(late, director('John', { [DUE]: DUE_ON })), [ONE, ONE, ALL]],
    ['the last after one who was late before', company(earlier, late), [ONE, ALL]],
    ['one of two, the other verified', company(late, verified), [ONE]],
    ['one of two, the other due later', company(late, later), [ONE]],
    ['one of two, the other without a word of it', company(late, director('Quiet', undefined)), [ONE]],
    ['one beside a company, which never verifies', company(late, corporate), [ONE, ALL]],
    ['one of two beside a company', company(late, verified, corporate), [ONE]],
    ['companies alone', company(corporate), []],
    ['one beside a secretary', company(late, director('Sec', undefined, { officer_role: 'secretary' })), [ONE, ALL]],
    ['one beside a verified one who left', company(late, { ...verified, resigned_on: '2027-01-01' }), [ONE, ALL]],
    ['of a list that is not whole', { ...company(late), isWhole: false }, [ONE]],
    ['nobody', company(), []],
  ])('%s', (_name, of, expected) => {
    expect(typesOf(of)).toEqual(expected)
  })

  test('are all late on the last of their days, also when a sweep does both days later', () => {
    const both = company(earlier, late)
    expect(typesOf(both, { dueOn: '2027-01-05', today: '2027-06-01' })).toEqual([ONE])
    expect(typesOf(both, { dueOn: DUE_ON, today: '2027-06-01' })).toEqual([ONE, ALL])
  })

  test('is a warning, known by the day', () => {
    expect(detectLateDirectors(company(late), { dueOn: DUE_ON, today: TODAY })[1]).toMatchObject({
      severity: 'warning',
      summary: 'No director of ACME WIDGETS LIMITED has verified their identity. The last was due on 10 February 2027.',
      dedupe: { key: DUE_ON, leavingKey: null },
    })
  })
})

describe('owners', () => {
  const detect = (identity: unknown, facts: { isCeased?: boolean; name?: string | null } = {}) =>
    detectLateOwners(
      {
        number: '01234567',
        name: 'ACME WIDGETS LIMITED',
        owners: [{ id: 'psc1', name: 'Dr Jane Smith', isCeased: false, identity: parseIdentity(identity), ...facts }],
      },
      { dueOn: DUE_ON },
    )

  test.each<[string, unknown, boolean]>([
    ['nothing', undefined, false],
    ['only the due day', { [DUE]: DUE_ON }, true],
    ['a window and its due day', { appointment_verification_statement_date: '2027-01-27', [DUE]: DUE_ON }, true],
    [
      'a start and an end without a due day, as protected people have',
      { [START]: '2026-01-01', [END]: '9999-12-31' },
      false,
    ],
    ['a start', { [DUE]: DUE_ON, [START]: '2027-02-01' }, false],
    ['an earlier due day', { [DUE]: '2027-02-09' }, false],
    ['a later due day', { [DUE]: '2027-02-11' }, false],
  ])('a record with %s', (_name, identity, isLate) => {
    expect(detect(identity)).toHaveLength(isLate ? 1 : 0)
  })

  test('one who ceased is not late', () => {
    expect(detect({ [DUE]: DUE_ON }, { isCeased: true })).toEqual([])
  })

  test('is reported with the name and the day, and known by both', () => {
    expect(detect({ [DUE]: DUE_ON })[0]).toMatchObject({
      signalType: 'psc_identity_overdue',
      severity: 'notice',
      summary:
        'Dr Jane Smith, a person with significant control of ACME WIDGETS LIMITED, has not verified their identity, which was due on 10 February 2027.',
      occurredOn: TODAY,
      changes: [{ field: 'psc_identity_overdue', from: false, to: true }],
      dedupe: { key: '2027-02-10:psc1', leavingKey: null },
    })
  })
})

test.each<[string, boolean]>([
  ['2025-11-18', false],
  ['2026-11-17', false],
  ['2026-11-18', true],
  ['2026-11-19', true],
  ['2026-11-30', true],
  ['2026-12-01', true],
  ['2026-12-17', true],
  ['2026-12-18', true],
  ['2026-12-19', false],
  ['2027-01-18', false],
  ['2027-11-18', false],
  ['2027-12-01', false],
])('the first month after the transition is quiet: %s', (day, isQuiet) => {
  expect(isQuietDay(QUIET_FOR_IDENTITY, day)).toBe(isQuiet)
})

test('what is late here is what the profile calls overdue', () => {
  const { identity } = late
  expect([DUE_ON, TODAY].map((today) => deriveIdentity(identity, true, today)?.state)).toEqual(['due', 'overdue'])
})
