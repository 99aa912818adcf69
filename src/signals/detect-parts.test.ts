import { describe, expect, test } from 'vitest'
import { detectSignals } from './detect/record.ts'

interface Around {
  source?: string
  day?: string
  incorporatedOn?: string
}

function detect(kind: string, before: object | null, after: object | null, around: Around = {}) {
  return detectSignals({
    companyNumber: '01234567',
    companyName: 'ACME WIDGETS LIMITED',
    incorporatedOn: around.incorporatedOn ?? '2010-05-04',
    kind,
    before,
    after,
    source: around.source ?? 'stream',
    reference: `${kind}s:1`,
    occurredAt: new Date(`${around.day ?? '2026-03-03'}T12:00:00Z`),
  })
}

const types = (...change: Parameters<typeof detect>) => detect(...change).map(({ signalType }) => signalType)

const JANE = {
  name: 'SMITH, Jane Anne, Dr',
  officer_role: 'director',
  appointed_on: '2026-02-20',
  links: { self: '/company/01234567/appointments/appointment1' },
}
const OLD_JANE = { ...JANE, appointed_on: '2015-01-01' }

describe('filings', () => {
  const filing = (type: string, values: object = {}, more: object = {}) => ({
    type,
    date: '2026-03-01',
    description_values: { change_date: '2026-03-01', default_address: 'PO Box 4385, Cardiff', ...values },
    links: { self: '/company/01234567/filing-history/filing1' },
    ...more,
  })
  const MEMBER = { description: 'default-companies-house-service-address-applied-member' }

  test.each<[string, object, string]>([
    [
      'of an officer',
      filing('RP09', { officer_name: 'Jane Smith' }),
      'Companies House replaced the service address of Jane Smith, an officer of ACME WIDGETS LIMITED, with its own default address on 1 March 2026.',
    ],
    [
      'of a member without a name',
      filing('RP09', {}, MEMBER),
      'Companies House replaced the service address of a member of ACME WIDGETS LIMITED with its own default address on 1 March 2026.',
    ],
    [
      'of an owner',
      filing('RP10', { psc_name: 'Sam Baker' }),
      'Companies House replaced the service address of Sam Baker, a person with significant control of ACME WIDGETS LIMITED, with its own default address on 1 March 2026.',
    ],
  ])('a default service address %s is a notice, once for each filing', (_, filed, summary) => {
    const [signal] = detect('filing', null, filed)
    expect(signal).toMatchObject({
      signalType: 'default_service_address_applied',
      severity: 'notice',
      summary,
      occurredOn: '2026-03-01',
      dedupe: { key: 'filing1', leavingKey: null },
    })
    expect(types('filing', filed, filed)).toEqual([])
    expect(types('filing', null, filed, { day: '2027-01-01' })).toEqual([])
  })

  test.each([
    ['RP05', 'default-companies-house-registered-office-address-applied', 'default_office_applied'],
    ['RP09', 'default-companies-house-service-address-applied-officer', 'default_service_address_applied'],
    ['RP09', 'default-companies-house-service-address-applied-member', 'default_service_address_applied'],
    ['RP10', 'default-companies-house-service-address-applied-psc', 'default_service_address_applied'],
    ['OC-UPHELD', 'court-upheld-registrars-decision-on-registered-office-address', 'default_office_upheld'],
  ])(
    'a filing of type %s is known by its description %s where the type is another',
    (type, description, signalType) => {
      const byDescription = detect('filing', null, filing('NEW-CODE', {}, { description }))
      expect(byDescription).toMatchObject([{ signalType }])
      expect(byDescription).toEqual(detect('filing', null, filing(type, {}, { description })))
    },
  )

  test('a decision that a court upheld is a warning', () => {
    expect(detect('filing', null, filing('OC-UPHELD'))).toMatchObject([
      { signalType: 'default_office_upheld', severity: 'warning' },
    ])
    expect(types('filing', null, filing('CS01'))).toEqual([])
  })
})

describe('officers', () => {
  test.each<[string, object | null, object | null, string[]]>([
    ['a new director', null, JANE, ['director_appointed']],
    ['a director who came long ago', null, OLD_JANE, []],
    ['a director without a date, from before 1992', null, { ...JANE, appointed_on: undefined }, []],
    ['a corporate director', null, { ...JANE, officer_role: 'corporate-director' }, ['director_appointed']],
    ['a member of an LLP', null, { ...JANE, officer_role: 'llp-designated-member' }, ['director_appointed']],
    ['a corporate member of an LLP', null, { ...JANE, officer_role: 'corporate-llp-member' }, ['director_appointed']],
    ['a secretary', null, { ...JANE, officer_role: 'secretary' }, []],
    ['a nominee secretary', null, { ...JANE, officer_role: 'corporate-nominee-secretary' }, []],
    ['a limited partner', null, { ...JANE, officer_role: 'limited-partner-in-a-limited-partnership' }, []],
    ['a new address', OLD_JANE, { ...OLD_JANE, address: { locality: 'York' } }, []],
    ['a resignation', OLD_JANE, { ...OLD_JANE, resigned_on: '2026-03-01' }, ['director_resigned']],
    ['a resignation reported late', OLD_JANE, { ...OLD_JANE, resigned_on: '2024-03-01' }, ['director_resigned']],
    [
      'a resignation that was known',
      { ...JANE, resigned_on: '2026-03-01' },
      { ...JANE, resigned_on: '2026-03-01' },
      [],
    ],
    ['an unknown one who resigned lately', null, { ...OLD_JANE, resigned_on: '2026-03-01' }, ['director_resigned']],
    ['an unknown one who resigned long ago', null, { ...OLD_JANE, resigned_on: '2024-03-01' }, []],
    ['came and went', null, { ...JANE, resigned_on: '2026-03-01' }, ['director_appointed', 'director_resigned']],
    ['a record that was deleted', JANE, null, []],
    ['a date that is none', null, { ...JANE, appointed_on: '2026-02-30' }, []],
    ['something else entirely', null, { name: 7, officer_role: ['director'], links: 'none' }, []],
  ])('%s', (_, before, after, expected) => {
    expect(types('officer', before, after)).toEqual(expected)
  })

  test('are told by name, role and date', () => {
    const [appointed] = detect('officer', null, JANE)
    expect(appointed).toMatchObject({
      severity: 'notice',
      occurredOn: '2026-02-20',
      summary: 'ACME WIDGETS LIMITED appointed Dr Jane Anne SMITH as a director on 20 February 2026.',
      changes: [{ field: 'director', from: null, to: 'Dr Jane Anne SMITH' }],
      dedupe: { key: 'appointment1', leavingKey: null },
    })
    const member = { name: 'BIRCH, ASH & CO', officer_role: 'corporate-llp-member', resigned_on: '2026-03-01' }
    const [resigned] = detect('officer', null, { ...JANE, ...member, appointed_on: '2015-01-01' })
    expect(resigned?.summary).toBe('BIRCH, ASH & CO resigned as an LLP member of ACME WIDGETS LIMITED on 1 March 2026.')
  })

  test('who are there from the first day belong to the incorporation', () => {
    expect(types('officer', null, JANE, { incorporatedOn: JANE.appointed_on })).toEqual([])
  })

  test('have one key, whichever way they come', () => {
    const [stream] = detect('officer', null, JANE)
    const [rest] = detect('officer', null, { ...JANE, etag: 'another' }, { source: 'rest', day: '2026-04-20' })
    expect(rest?.dedupe).toEqual(stream?.dedupe)
  })
})

const CHARGE = {
  charge_code: '012345670003',
  charge_number: 3,
  status: 'outstanding',
  created_on: '2026-02-10',
  delivered_on: '2026-02-17',
  persons_entitled: [{ name: 'Lowmoor Bank PLC' }, { name: 'Fen Trustees' }],
  links: { self: '/company/01234567/charges/charge1' },
}
const OLD_CHARGE = { ...CHARGE, created_on: '2014-02-10', delivered_on: '2014-02-17' }
const SATISFIED = { status: 'fully-satisfied', satisfied_on: '2026-03-02' }

describe('charges', () => {
  test.each<[string, object | null, object | null, string[]]>([
    ['a new charge', null, CHARGE, ['charge_registered']],
    ['an old charge we did not know', null, OLD_CHARGE, []],
    ['a charge that is satisfied', OLD_CHARGE, { ...OLD_CHARGE, ...SATISFIED }, ['charge_satisfied']],
    ['the older word for it', OLD_CHARGE, { ...OLD_CHARGE, ...SATISFIED, status: 'satisfied' }, ['charge_satisfied']],
    ['satisfied in part', OLD_CHARGE, { ...OLD_CHARGE, status: 'part-satisfied' }, []],
    ['satisfied before', { ...CHARGE, ...SATISFIED }, { ...CHARGE, ...SATISFIED, status: 'satisfied' }, []],
    ['an old one satisfied lately', null, { ...OLD_CHARGE, ...SATISFIED }, ['charge_satisfied']],
    ['satisfied long ago', null, { ...OLD_CHARGE, ...SATISFIED, satisfied_on: '2019-01-01' }, []],
    ['satisfied, nobody says when', null, { ...OLD_CHARGE, status: 'satisfied' }, []],
    ['deleted', CHARGE, null, []],
  ])('%s', (_, before, after, expected) => {
    expect(types('charge', before, after)).toEqual(expected)
  })

  test('are told with the lenders', () => {
    expect(detect('charge', null, CHARGE)[0]).toMatchObject({
      occurredOn: '2026-02-17',
      summary:
        'ACME WIDGETS LIMITED had a charge (012345670003) in favour of Lowmoor Bank PLC and Fen Trustees registered against it on 17 February 2026.',
      changes: [{ field: 'charge_status', from: null, to: 'outstanding' }],
      dedupe: { key: 'charge1', leavingKey: null },
    })
    expect(detect('charge', CHARGE, { ...CHARGE, ...SATISFIED })[0]?.summary).toBe(
      'ACME WIDGETS LIMITED satisfied a charge (012345670003) in favour of Lowmoor Bank PLC and Fen Trustees on 2 March 2026.',
    )
  })
})

const LIQUIDATION = {
  type: 'creditors-voluntary-liquidation',
  number: '1',
  dates: [{ type: 'wound-up-on', date: '2026-02-25' }],
  practitioners: [{ name: 'Marian Copeland', role: 'practitioner', appointed_on: '2026-02-25', address: {} }],
}
const inCases = (...cases: object[]) => ({ etag: 'x', cases, status: ['liquidation'] })
const dated = (...dates: [string, string][]) =>
  inCases({ ...LIQUIDATION, dates: dates.map(([type, date]) => ({ type, date })) })

describe('insolvency', () => {
  const started = ['insolvency_started']
  const updated = ['insolvency_updated']
  test.each<[string, object | null, object | null, string[]]>([
    ['a first case', null, inCases(LIQUIDATION), started],
    ['a first case in an empty record', inCases(), inCases(LIQUIDATION), started],
    ['an old case we did not know', null, dated(['wound-up-on', '2019-02-25']), []],
    ['a case without a date we did not know', null, dated(), []],
    ['a second case', inCases(LIQUIDATION), inCases(LIQUIDATION, { ...LIQUIDATION, number: '2', dates: [] }), started],
    ['nothing new', inCases(LIQUIDATION), { ...inCases(LIQUIDATION), etag: 'y' }, []],
    ['a number that is an integer', inCases({ ...LIQUIDATION, number: 1 }), inCases(LIQUIDATION), []],
    [
      'another date',
      inCases(LIQUIDATION),
      dated(['wound-up-on', '2026-02-25'], ['case-end-on', '2026-03-02']),
      updated,
    ],
    ['other practitioners', inCases(LIQUIDATION), inCases({ ...LIQUIDATION, practitioners: [] }), updated],
    ['deleted', inCases(LIQUIDATION), null, []],
    ['nonsense', { cases: 'none' }, { cases: [null, 7, {}] }, []],
  ])('%s', (_, before, after, expected) => {
    expect(types('insolvency', before, after)).toEqual(expected)
  })

  test('is told with its type and date', () => {
    expect(detect('insolvency', null, inCases(LIQUIDATION))[0]).toMatchObject({
      severity: 'warning',
      occurredOn: '2026-02-25',
      summary:
        'ACME WIDGETS LIMITED entered insolvency proceedings (creditors voluntary liquidation) on 25 February 2026.',
      dedupe: { key: '1', leavingKey: null },
    })
    const ahead = dated(['wound-up-on', '2026-02-25'], ['due-to-be-dissolved-on', '2026-06-02'])
    expect(detect('insolvency', inCases(LIQUIDATION), ahead)[0]).toMatchObject({
      occurredOn: '2026-03-03',
      changes: [{ field: 'due_to_be_dissolved_on', from: null, to: '2026-06-02' }],
    })
  })

  test('an update has one key however its parts are ordered', () => {
    const dates: [string, string][] = [
      ['wound-up-on', '2026-02-25'],
      ['case-end-on', '2026-03-02'],
    ]
    const [first] = detect('insolvency', inCases(LIQUIDATION), dated(...dates))
    const [again] = detect('insolvency', inCases(LIQUIDATION), dated(...dates.toReversed()), { day: '2026-03-09' })
    expect(again?.dedupe).toEqual(first?.dedupe)
  })
})

const PSC = {
  kind: 'individual-person-with-significant-control',
  name: 'Dr Jane Anne Smith',
  natures_of_control: ['ownership-of-shares-75-to-100-percent'],
  notified_on: '2026-02-20',
  address: { address_line_1: '1 High Street', locality: 'York' },
  etag: 'a',
  links: { self: '/company/01234567/persons-with-significant-control/individual/psc1' },
}
const OLD_PSC = { ...PSC, notified_on: '2016-04-06' }
const LESS = { natures_of_control: ['ownership-of-shares-25-to-50-percent'] }
const CEASED = { ceased_on: '2026-03-01' }

describe('persons with significant control', () => {
  const PROTECTED = { kind: 'super-secure-person-with-significant-control', name: undefined }

  test.each<[string, object | null, object | null, string | null]>([
    [
      'notified',
      null,
      PSC,
      'Dr Jane Anne Smith became a person with significant control of ACME WIDGETS LIMITED on 20 February 2026.',
    ],
    ['notified long ago', null, OLD_PSC, null],
    [
      'changed',
      OLD_PSC,
      { ...OLD_PSC, ...LESS },
      'Details of Dr Jane Anne Smith, a person with significant control of ACME WIDGETS LIMITED, changed: natures of control.',
    ],
    [
      'another tag, and the members in another order',
      OLD_PSC,
      { ...OLD_PSC, etag: 'b', address: { locality: 'York', address_line_1: '1 High Street' } },
      null,
    ],
    [
      'ceased',
      OLD_PSC,
      { ...OLD_PSC, ...CEASED },
      'Dr Jane Anne Smith ceased to be a person with significant control of ACME WIDGETS LIMITED on 1 March 2026.',
    ],
    [
      'ceased, with a name that is withheld',
      { ...OLD_PSC, name: undefined },
      { ...OLD_PSC, name: undefined, ...CEASED },
      'A person whose name is withheld ceased to be a person with significant control of ACME WIDGETS LIMITED on 1 March 2026.',
    ],
    [
      'ceased, with a name that the register keeps back, and no date',
      { ...OLD_PSC, ...PROTECTED },
      { ...OLD_PSC, ...PROTECTED, ceased: true },
      'A person whose details are protected ceased to be a person with significant control of ACME WIDGETS LIMITED.',
    ],
    [
      'an unknown one who ceased lately',
      null,
      { ...OLD_PSC, ...CEASED },
      'Dr Jane Anne Smith ceased to be a person with significant control of ACME WIDGETS LIMITED on 1 March 2026.',
    ],
    ['ceased long ago', null, { ...OLD_PSC, ceased_on: '2019-01-01' }, null],
    ['deleted', PSC, null, null],
    ['a statement', null, { ...PSC, kind: 'persons-with-significant-control-statement' }, null],
  ])('%s', (_, before, after, expected) => {
    const changed = detect('psc', before, after).filter(({ signalType }) => signalType === 'psc_changed')
    expect(changed.map(({ summary }) => summary)).toEqual(expected === null ? [] : [expected])
  })

  test('being notified, changing and ceasing are three signals', () => {
    const keys = [
      detect('psc', null, PSC),
      detect('psc', PSC, { ...PSC, ...LESS }),
      detect('psc', { ...PSC, ...LESS }, PSC),
      detect('psc', PSC, { ...PSC, ...CEASED }),
    ].map(([detected]) => detected?.dedupe.key)
    expect(new Set(keys).size).toBe(4)
    expect(detect('psc', PSC, { ...PSC, ...LESS }, { day: '2026-05-01' })[0]?.dedupe.key).toBe(keys[1])
  })

  test('who are there from the first day belong to the incorporation', () => {
    expect(types('psc', null, PSC, { incorporatedOn: PSC.notified_on })).toEqual([])
  })
})

test('a filing is silent: what it brings about is told by itself', () => {
  expect(types('filing', null, { type: 'AA', category: 'accounts', date: '2026-03-03' })).toEqual([])
})
