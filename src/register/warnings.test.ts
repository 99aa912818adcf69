/** Warnings of a company: each rule, the order, and nothing for a company in good order. */
import { expect, test } from 'vitest'
import { toRecord } from '../lib/text/loose-json.ts'
import type { Company } from './company.ts'
import { deriveCompanyFacts } from './derived.ts'
import { type Officer, parsePsc } from './details/part-items.ts'
import { listWarnings } from './warnings.ts'

const TODAY = '2026-11-17'
const GOOD = {
  number: '01234567',
  name: 'ACORN LTD',
  status: 'active',
  statusDetail: null,
  dissolvedOn: null,
  address: {
    careOf: null,
    poBox: null,
    line1: '1 High Street',
    line2: null,
    town: 'Leeds',
    county: null,
    country: null,
    postcode: 'LS1 1AA',
  },
  accountsNextDue: '2027-01-31',
  confirmationNextDue: '2027-02-28',
  charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
  sicCodes: ['62020'],
  source: 'snapshot',
} as unknown as Company
const NO_PARTS = {
  officers: { items: [], total: null },
  charges: { items: [], total: null },
  insolvency: { items: [], total: null },
}

const DEFAULT_OFFICE =
  'high: The registered office is the default address of Companies House: the company’s own address was rejected.'

const FALSE_STATEMENT = 'strike-off-under-section-1002a-of-the-companies-act-2006-incorporation'
const FALSE_STATEMENT_WARNING =
  'high: The registrar is striking the company off, or has done so, because of a false statement in its application for incorporation.'

const warn = (changed: Partial<Company>, officers: object[] = [], records: Parameters<typeof parsePsc>[0][] = []) => {
  const company = { ...GOOD, ...changed }
  const facts = deriveCompanyFacts(company, NO_PARTS as unknown as Parameters<typeof deriveCompanyFacts>[1], TODAY)
  const items = officers as unknown as Officer[]
  const whole = { asOf: null, total: null, missing: null }
  const owners = records.map((record) => ({ ...parsePsc(record), company: null }))
  const parts = { officers: { items, ...whole }, pscs: { items: owners, ...whole } }
  return listWarnings({ company, ...parts }, facts, TODAY).map(({ severity, text }) => `${severity}: ${text}`)
}
const at = (address: Partial<Company['address']>) => ({ address: { ...GOOD.address, ...address } })

test.each<[string, Partial<Company>, string[]]>([
  ['in good order', {}, []],
  ['due today', { accountsNextDue: TODAY }, []],
  ['a day late', { accountsNextDue: '2026-11-16' }, ['medium: The accounts are 1 day overdue.']],
  ['228 days late', { confirmationNextDue: '2026-04-03' }, ['high: The confirmation statement is 228 days overdue.']],
  [
    'an overseas entity that is late',
    { number: 'OE001234', status: 'registered', accountsNextDue: null, confirmationNextDue: '2026-11-16' },
    ['medium: The yearly update statement is 1 day overdue.'],
  ],
  [
    'to be struck off',
    { statusDetail: 'active-proposal-to-strike-off' },
    ['high: There is an active proposal to strike the company off the register.'],
  ],
  ['insolvent', { status: 'administration' }, ['high: Insolvency: in administration.']],
  [
    'dissolved, whatever was due',
    { status: 'dissolved', dissolvedOn: '2025-03-01', accountsNextDue: '2020-01-01' },
    ['high: The company was dissolved on 1 March 2025. It is no longer on the live register.'],
  ],
  [
    'at the default address',
    at({ line1: 'PO Box 4385', line2: '01234567 - Companies House Default Address', postcode: 'CF14 8LH' }),
    [DEFAULT_OFFICE],
  ],
  ['in the box alone', at({ poBox: '24238', line1: 'SC123456', postcode: 'EH7 9HR' }), [DEFAULT_OFFICE]],
  ['at another box of that postcode', at({ poBox: '1', postcode: 'CF14 8LH' }), []],
  [
    'with an office in dispute',
    { remarks: ['registered-office-is-in-dispute'] },
    ['medium: The registered office is in dispute: the company may have no right to use it.'],
  ],
  [
    'with an office that no post reaches',
    { remarks: ['undeliverable-registered-office-address'] },
    ['medium: Post cannot be delivered to the registered office.'],
  ],
  ['that was set up with a false statement', { remarks: [FALSE_STATEMENT] }, [FALSE_STATEMENT_WARNING]],
  [
    'that was struck off for a false statement',
    { status: 'dissolved', remarks: [FALSE_STATEMENT] },
    ['high: The company was dissolved. It is no longer on the live register.', FALSE_STATEMENT_WARNING],
  ],
  ['with a remark of another kind', { remarks: ['overseas-entity-dissolved-wound-up-or-ceased-to-exist'] }, []],
  ['whose remarks nobody has read', { remarks: null }, []],
  ['dormant', { sicCodes: ['99999'] }, ['low: The company says that it is dormant.']],
])('a company %s', (_name, changed, texts) => {
  expect(warn(changed)).toEqual(texts)
})

const director = (dueOn: string | null, more: object = {}) => ({
  role: 'director',
  resigned_on: null,
  identity: dueOn === null ? null : { due_on: dueOn, start_on: null, end_on: null, verified_on: null },
  ...more,
})

test.each<[string, object[], string[]]>([
  ['none says anything', [director(null)], []],
  ['one is due', [director('2026-12-01'), director(null)], []],
  [
    'one of two is late',
    [director('2026-11-01'), director(null)],
    ['medium: 1 of 2 directors is late to verify their identity.'],
  ],
  [
    'all are late',
    [director('2026-11-01'), director('2026-10-01')],
    ['high: No director has verified their identity, and all who must are late.'],
  ],
  [
    'all are late beside a company, which never verifies',
    [director('2026-11-01'), director(null, { role: 'corporate-director' })],
    ['high: No director has verified their identity, and all who must are late.'],
  ],
  [
    'one of two is late beside a company',
    [director('2026-11-01'), director(null), director(null, { role: 'corporate-director' })],
    ['medium: 1 of 3 directors is late to verify their identity.'],
  ],
  [
    'all are late who must verify, beside a managing officer',
    [director('2026-11-01'), director(null, { role: 'managing-officer' })],
    ['high: No director has verified their identity, and all who must are late.'],
  ],
  ['companies alone', [director(null, { role: 'corporate-director' })], []],
  ['only those who left are late', [director('2026-11-01', { resigned_on: '2026-11-10' }), director(null)], []],
  ['a secretary is late', [director('2026-11-01', { role: 'secretary' })], []],
])('directors: %s', (_name, officers, texts) => {
  expect(warn({}, officers)).toEqual(texts)
})

const LATE = { appointment_verification_statement_due_on: '2026-11-01' }
const IN_TIME = { appointment_verification_statement_due_on: '2026-12-01' }
const owner = (more: object) => ({ kind: 'individual-person-with-significant-control', name: 'Jo Smith', ...more })

test.each<[string, object[], string[]]>([
  ['one in good order', [owner({}), owner({ identity_verification_details: IN_TIME })], []],
  [
    'one sanctioned',
    [owner({}), owner({ is_sanctioned: true })],
    ['high: The register marks an owner of the company as sanctioned.'],
  ],
  ['one marked as not sanctioned', [owner({ is_sanctioned: false })], []],
  ['one sanctioned who has ceased', [owner({ is_sanctioned: true, ceased_on: '2025-01-01' })], []],
  [
    'one late',
    [owner({}), owner({ identity_verification_details: LATE })],
    ['low: 1 person with significant control is late to verify their identity.'],
  ],
  [
    'two late',
    [owner({ identity_verification_details: LATE }), owner({ identity_verification_details: LATE })],
    ['low: 2 persons with significant control are late to verify their identity.'],
  ],
  ['one late who has ceased', [owner({ identity_verification_details: LATE, ceased_on: '2025-01-01' })], []],
])('owners: %s', (_name, owners, texts) => {
  expect(warn({}, [], owners.map(toRecord))).toEqual(texts)
})

test('the most serious comes first', () => {
  const late = warn({ accountsNextDue: '2026-01-01' }, [director('2026-11-01'), director(null)])
  expect(late.map((text) => text.split(':')[0])).toEqual(['high', 'medium'])
  const texts = warn({
    status: 'liquidation',
    statusDetail: 'active-proposal-to-strike-off',
    accountsNextDue: '2026-11-01',
  })
  expect(texts.map((text) => text.slice(0, 15))).toEqual(['high: Insolvenc', 'high: There is ', 'medium: The acc'])
})
