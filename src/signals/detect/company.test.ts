import { describe, expect, test } from 'vitest'
import type { CompanyFacts } from '../../register/index.ts'
import { detectSignals } from './record.ts'

const ACME: CompanyFacts = {
  number: '01234567',
  name: 'ACME WIDGETS LIMITED',
  previousNames: [],
  status: 'active',
  statusDetail: null,
  type: 'ltd',
  incorporatedOn: '2010-05-04',
  dissolvedOn: null,
  address: {
    careOf: null,
    poBox: null,
    line1: '12 EXCHANGE COURT',
    line2: null,
    town: 'LEEDS',
    county: null,
    country: null,
    postcode: 'LS1 4QX',
  },
  countryOfOrigin: 'United Kingdom',
  accountsRefDay: 31,
  accountsRefMonth: 3,
  accountsNextDue: '2026-12-31',
  accountsLastMadeUp: '2025-03-31',
  accountsType: 'micro-entity',
  confirmationNextDue: '2026-05-18',
  confirmationLastMadeUp: '2025-05-04',
  charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
  sicCodes: ['62020', '62090'],
  remarks: [],
}
const FALSE_STATEMENT = 'strike-off-under-section-1002a-of-the-companies-act-2006-incorporation'
const PROPOSED = { statusDetail: 'active-proposal-to-strike-off' }

type Facts = Partial<CompanyFacts>

function detect(before: Facts | null, after: Facts | null, around: { source?: string; occurredAt?: Date } = {}) {
  return detectSignals({
    companyNumber: ACME.number,
    companyName: after?.name ?? ACME.name,
    incorporatedOn: ACME.incorporatedOn,
    kind: 'company',
    before: before && { ...ACME, ...before },
    after: after && { ...ACME, ...after },
    source: around.source ?? 'stream',
    reference: 'companies:1',
    occurredAt: around.occurredAt ?? new Date('2026-03-03T12:00:00Z'),
  })
}

const types = (before: Facts | null, after: Facts | null) => detect(before, after).map(({ signalType }) => signalType)

describe('fires', () => {
  test.each<[string, Facts, Facts, string, string]>([
    [
      'status_changed',
      {},
      { status: 'liquidation' },
      'warning',
      'ACME WIDGETS LIMITED changed status from active to liquidation.',
    ],
    [
      'status_changed',
      PROPOSED,
      { status: 'dissolved', dissolvedOn: '2026-02-24' },
      'warning',
      'ACME WIDGETS LIMITED was dissolved on 24 February 2026.',
    ],
    [
      'status_changed',
      { status: 'voluntary-arrangement' },
      {},
      'notice',
      'ACME WIDGETS LIMITED changed status from voluntary arrangement to active.',
    ],
    [
      'status_changed',
      {},
      { status: 'receivership' },
      'warning',
      'ACME WIDGETS LIMITED changed status from active to receiver action.',
    ],
    [
      'status_changed',
      { status: 'dissolved' },
      { status: 'dissolved', statusDetail: 'petition-to-restore-dissolved' },
      'warning',
      'ACME WIDGETS LIMITED is still dissolved, and the detail of its status changed from none to petition to restore dissolved.',
    ],
    [
      'strike_off_proposed',
      {},
      PROPOSED,
      'warning',
      'A proposal to strike ACME WIDGETS LIMITED off the register was published.',
    ],
    [
      'strike_off_discontinued',
      PROPOSED,
      {},
      'notice',
      'The proposal to strike ACME WIDGETS LIMITED off the register was discontinued, and the company stays active.',
    ],
    [
      'name_changed',
      {},
      { name: 'BOLT LTD', previousNames: [{ name: 'ACME WIDGETS LIMITED', ceased_on: '2026-03-01' }] },
      'notice',
      'ACME WIDGETS LIMITED changed its name to BOLT LTD on 1 March 2026.',
    ],
    [
      'registered_office_changed',
      {},
      { address: { ...ACME.address, line1: '1 High Street', town: 'York', postcode: 'YO1 7HH' } },
      'notice',
      'ACME WIDGETS LIMITED moved its registered office from 12 EXCHANGE COURT, LEEDS, LS1 4QX to 1 High Street, York, YO1 7HH.',
    ],
    [
      'sic_codes_changed',
      {},
      { sicCodes: ['62020'] },
      'info',
      'ACME WIDGETS LIMITED changed its SIC codes from 62020 (Information technology consultancy activities) and 62090 (Other information technology service activities) to 62020 (Information technology consultancy activities).',
    ],
    [
      'accounts_filed',
      {},
      { accountsLastMadeUp: '2026-03-31' },
      'info',
      'ACME WIDGETS LIMITED filed micro-entity accounts made up to 31 March 2026.',
    ],
    [
      'accounts_filed',
      { accountsLastMadeUp: null, accountsType: null },
      {},
      'info',
      'ACME WIDGETS LIMITED filed micro-entity accounts made up to 31 March 2025.',
    ],
    [
      'accounts_type_changed',
      {},
      { accountsType: 'full' },
      'info',
      'ACME WIDGETS LIMITED now files full accounts; the last ones were micro-entity accounts.',
    ],
    [
      'confirmation_filed',
      {},
      { confirmationLastMadeUp: '2026-05-04' },
      'info',
      'ACME WIDGETS LIMITED filed a confirmation statement made up to 4 May 2026.',
    ],
    [
      'registered_office_disputed',
      {},
      { remarks: ['registered-office-is-in-dispute'] },
      'notice',
      'The registered office of ACME WIDGETS LIMITED is in dispute.',
    ],
    [
      'registered_office_undeliverable',
      { remarks: ['registered-office-is-in-dispute'] },
      { remarks: ['registered-office-is-in-dispute', 'undeliverable-registered-office-address'] },
      'notice',
      'Post cannot be delivered to the registered office of ACME WIDGETS LIMITED.',
    ],
    [
      'false_statement_strike_off',
      {},
      { remarks: [FALSE_STATEMENT] },
      'warning',
      'The registrar is striking off ACME WIDGETS LIMITED, or intends to, because of a false statement in its application for incorporation.',
    ],
    [
      'false_statement_strike_off',
      {},
      { remarks: ['strike-off-under-section-1002a-of-some-later-act'] },
      'warning',
      'The registrar is striking off ACME WIDGETS LIMITED, or intends to, because of a false statement.',
    ],
    [
      'confirmation_filed',
      { number: 'OE001234' },
      { number: 'OE001234', confirmationLastMadeUp: '2026-05-04' },
      'info',
      'ACME WIDGETS LIMITED filed its yearly update statement made up to 4 May 2026.',
    ],
  ])('%s', (signalType, before, after, severity, summary) => {
    expect(detect(before, after)).toMatchObject([{ signalType, severity, summary }])
  })

  test('several at once, when one event brings several changes', () => {
    expect(types({}, { name: 'BOLT LTD', sicCodes: [], accountsLastMadeUp: '2026-03-31' })).toEqual([
      'name_changed',
      'sic_codes_changed',
      'accounts_filed',
    ])
  })

  test('both for a company that is restored with a proposal to strike it off', () => {
    expect(types({ status: 'dissolved' }, PROPOSED)).toEqual(['status_changed', 'strike_off_proposed'])
  })
})

describe('stays silent', () => {
  test.each<[string, Facts | null, Facts | null]>([
    ['at the first sight of a company', null, {}],
    ['when a company leaves the register', {}, null],
    ['when nothing changed', {}, {}],
    ['when only the case and the spacing of a name differ', {}, { name: 'Acme  Widgets Limited' }],
    [
      'when an address is written another way',
      {},
      { address: { ...ACME.address, line1: '12', line2: 'Exchange Court', town: 'Leeds', country: 'England' } },
    ],
    [
      'when one source has no address',
      {},
      { address: { ...ACME.address, line1: null, town: null, postcode: null, country: 'England' } },
    ],
    ['when SIC codes come in another order', {}, { sicCodes: ['62090', '62020'] }],
    ['when a made-up date goes back', {}, { accountsLastMadeUp: '2024-03-31', confirmationLastMadeUp: '2024-05-04' }],
    ['when dates are not known any more', {}, { accountsLastMadeUp: null, confirmationLastMadeUp: null }],
    ['when the type of the first accounts appears', { accountsType: null }, {}],
    ['when the type is not available', {}, { accountsType: 'no-accounts-type-available' }],
    ['when a due date moves', {}, { accountsNextDue: '2027-03-31', confirmationNextDue: '2027-05-18' }],
    ['when the status is not known', {}, { status: 'unknown' }],
    ['when the first profile that is read has remarks', { remarks: null }, { remarks: [FALSE_STATEMENT] }],
    ['when a remark is gone', { remarks: [FALSE_STATEMENT] }, { remarks: [] }],
    ['when an annotation says something else', {}, { remarks: ['other'] }],
    [
      'when a change is from a release without remarks',
      { remarks: undefined as never },
      { remarks: undefined as never },
    ],
  ])('%s', (_, before, after) => {
    expect(types(before, after)).toEqual([])
  })
})

test('what changed is told by the names our API has, with the day it happened', () => {
  const [signal] = detect({}, { accountsLastMadeUp: '2026-03-31', accountsNextDue: '2027-12-31' })
  expect(signal?.changes).toEqual([
    { field: 'accounts_last_made_up_to', from: '2025-03-31', to: '2026-03-31' },
    { field: 'accounts_next_due', from: '2026-12-31', to: '2027-12-31' },
  ])
  // Half past eleven in the evening UTC is the next day in a London summer.
  const [late] = detect({}, { sicCodes: [] }, { occurredAt: new Date('2026-07-03T23:30:00Z') })
  expect(late?.occurredOn).toBe('2026-07-04')
  const [renamed] = detect({}, { name: 'B', previousNames: [{ name: ACME.name, ceased_on: '2026-03-01' }] })
  expect(renamed?.occurredOn).toBe('2026-03-01')
})

describe('the default address of Companies House', () => {
  const office = (address: Partial<CompanyFacts['address']>) => ({ address: { ...ACME.address, ...address } })
  const inCardiff = office({
    poBox: '4385',
    line1: '01234567 - Companies House Default Address',
    town: 'Cardiff',
    postcode: 'CF14 8LH',
  })

  test.each<[string, Facts, Facts, boolean]>([
    ['in Cardiff', {}, inCardiff, true],
    ['in Cardiff, without the words', {}, office({ line1: 'PO Box 4385, 01234567', postcode: 'CF14 8LH' }), true],
    ['in Edinburgh', {}, office({ line1: 'PO Box 24238', town: 'Edinburgh', postcode: 'EH7 9HR' }), true],
    ['in Belfast', {}, office({ poBox: '2381', line1: 'NI012345', town: 'Belfast', postcode: 'BT1 9DY' }), true],
    ['in capitals', {}, office({ line1: '01234567 - COMPANIES HOUSE DEFAULT ADDRESS' }), true],
    ['at the same postcode only', {}, office({ line1: '1 Western Avenue', postcode: 'CF14 8LH' }), false],
    ['when it is left', inCardiff, {}, false],
    ['from one form to another', inCardiff, office({ line1: 'PO Box 4385', postcode: 'CF14 8LH' }), false],
  ])('%s', (_, before, after, isDefault) => {
    expect(types(before, after)).toEqual([
      'registered_office_changed',
      ...(isDefault ? ['default_office_applied'] : []),
    ])
  })

  test('is a warning with both addresses', () => {
    expect(detect({}, inCardiff)[1]).toMatchObject({
      severity: 'warning',
      summary: 'Companies House replaced the registered office of ACME WIDGETS LIMITED with its own default address.',
      changes: [
        {
          field: 'registered_address',
          from: '12 EXCHANGE COURT, LEEDS, LS1 4QX',
          to: '4385, 01234567 - Companies House Default Address, Cardiff, CF14 8LH',
        },
      ],
    })
  })

  test('has one key from the address and from the filing', () => {
    const filing = { type: 'RP05', date: '2026-03-02', description_values: { change_date: '2026-03-01' } }
    const detectFiling = (after: object, before: object | null = null) =>
      detectSignals({
        companyNumber: ACME.number,
        companyName: ACME.name,
        incorporatedOn: null,
        kind: 'filing',
        before,
        after,
        source: 'stream',
        reference: 'filings:1',
        occurredAt: new Date('2026-03-03T12:00:00Z'),
      })
    const [filed] = detectFiling(filing)
    expect(filed).toMatchObject({ signalType: 'default_office_applied', occurredOn: '2026-03-01' })
    expect(filed?.dedupe).toEqual(detect({}, inCardiff)[1]?.dedupe)
    expect(detectFiling(filing, filing)).toEqual([])
    expect(detectFiling({ type: 'RP05', date: '2024-03-02' })).toEqual([])
    expect(detectFiling({ type: 'AD01', date: '2026-03-02' })).toEqual([])
  })
})

const STEPS: [string, Facts, Facts][] = [
  ['status', {}, { status: 'liquidation' }],
  ['strike-off', {}, PROPOSED],
  ['name', {}, { name: 'BOLT LTD' }],
  ['office', {}, { address: { ...ACME.address, line1: '1 High Street' } }],
  ['SIC codes', {}, { sicCodes: ['62020'] }],
  ['type of accounts', {}, { accountsType: 'full' }],
]

test.each(STEPS)('%s: the same step has the same key, whichever way and whenever it comes', (_, before, after) => {
  const [first] = detect(before, after)
  const [again] = detect(before, after, { source: 'snapshot', occurredAt: new Date('2026-04-01T03:00:00Z') })
  expect(again?.dedupe).toEqual(first?.dedupe)
})

test.each(STEPS)('%s: the way back has another key, and leaves the value the way there went to', (_, before, after) => {
  const [there] = detect(before, after)
  const [back] = detect(after, before)
  expect(back?.dedupe.key).not.toBe(there?.dedupe.key)
  expect(back?.dedupe.key.startsWith(there?.dedupe.leavingKey ?? '?')).toBe(true)
  expect(there?.dedupe.key.startsWith(back?.dedupe.leavingKey ?? '?')).toBe(true)
})

test('an address in capitals and the same as it was filed are one step', () => {
  const to = { ...ACME.address, line1: '1 HIGH STREET', town: 'YORK' }
  const [stream] = detect({}, { address: { ...to, line1: '1 High Street', town: 'York', country: 'England' } })
  const [snapshot] = detect({}, { address: to }, { source: 'snapshot' })
  expect(stream?.dedupe).toEqual(snapshot?.dedupe)
})

test('a filing is known by the date it is made up to', () => {
  const [accounts] = detect({}, { accountsLastMadeUp: '2026-03-31' })
  expect(accounts?.dedupe).toEqual({ key: '2026-03-31', leavingKey: null })
})
