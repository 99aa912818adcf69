/** No e-mail shows a person the register's codes: whatever changes, its sentence is made of words. */
import { expect, test } from 'vitest'
import { ACCOUNTS_TYPES, COMPANY_STATUSES, type CompanyFacts } from '../../register/index.ts'
import { detectSignals } from '../detect/record.ts'
import { SIGNAL_TYPES } from '../signals.ts'
import { describeTestSignal } from '../test-mode/test-signal-words.ts'
import { digestEmail } from './digest-email.ts'

/** Three or more small words with hyphens between them, or two with underlines: only a machine writes so. */
const MACHINE_PHRASE = /\b[a-z]+(?:-[a-z]+){2,}\b|\b[a-z]+_[a-z_]+\b/

function mail(summaries: readonly string[]): string {
  const lines = summaries.map((summary) => ({
    companyNumber: '01234567',
    companyName: 'ACME LIMITED',
    severity: 'notice' as const,
    summary,
    occurredOn: '2026-03-03',
  }))
  const site = 'https://nameplate.test/'
  const { subject, text } = digestEmail({
    day: '2026-03-04',
    lines,
    signals: lines.length,
    warnings: 0,
    site,
    unsubscribeLink: site,
  })
  return `${subject}\n${text}`
}

const FACTS = {
  number: '01234567',
  name: 'ACME LIMITED',
  previousNames: [],
  status: 'active',
  statusDetail: null,
  type: 'ltd',
  incorporatedOn: '2010-05-04',
  dissolvedOn: null,
  address: { line1: '1 Mill Lane', postcode: 'HG4 1AA' },
  accountsType: 'full',
  sicCodes: ['62020'],
  remarks: [],
} as unknown as CompanyFacts

const detect = (kind: string, before: unknown, after: unknown) =>
  detectSignals({
    companyNumber: '01234567',
    companyName: 'ACME LIMITED',
    incorporatedOn: '2010-05-04',
    kind,
    before,
    after,
    source: 'stream',
    reference: 'test',
    occurredAt: new Date('2026-03-03T12:00:00Z'),
  }).map(({ summary }) => summary)

const companyChanges: Array<[string, Partial<CompanyFacts>]> = [
  ...COMPANY_STATUSES.map((status): [string, Partial<CompanyFacts>] => [status, { status }]),
  ...['active-proposal-to-strike-off', 'voluntary-arrangement-moratorium-in-force', 'transferred-from-uk'].map(
    (statusDetail): [string, Partial<CompanyFacts>] => [statusDetail, { statusDetail }],
  ),
  ...ACCOUNTS_TYPES.map((accountsType): [string, Partial<CompanyFacts>] => [
    accountsType,
    { accountsType, accountsLastMadeUp: '2026-03-01' },
  ]),
  ['a sector that no list has', { sicCodes: ['62090', '00000'] }],
  ['a remark', { remarks: ['strike-off-under-section-1002a-of-the-companies-act-2006-incorporation'] }],
]

test.each(companyChanges)('a change to %s is in words', (_, change) => {
  const summaries = detect('company', FACTS, { ...FACTS, ...change })
  expect(mail(summaries)).not.toMatch(MACHINE_PHRASE)
})

test('sectors have their names', () => {
  const [summary] = detect('company', FACTS, { ...FACTS, sicCodes: ['31090', '00000'] })
  expect(summary).toBe(
    'ACME LIMITED changed its SIC codes from 62020 (Information technology consultancy activities) to 00000 and 31090 (Manufacture of other furniture).',
  )
})

const CASES = ['creditors-voluntary-liquidation', 'corporate-voluntary-arrangement-moratorium', 'a-code-from-tomorrow']
const DATES = ['wound-up-on', 'due-to-be-dissolved-on', 'voluntary-arrangement-started-on', 'a-day-of-tomorrow']

test.each(CASES)('an insolvency of the type %s is in words, also when it goes on', (type) => {
  const opened = { cases: [{ type, number: 1, dates: [{ type: 'petitioned-on', date: '2026-02-20' }] }] }
  const went = { cases: [{ type, number: 1, dates: DATES.map((each) => ({ type: each, date: '2026-03-02' })) }] }
  const [started, ...more] = [...detect('insolvency', null, opened), ...detect('insolvency', opened, went)]
  expect(mail([started ?? '', ...more])).not.toMatch(MACHINE_PHRASE)
  expect(more.join()).toContain('commencement of winding up (2 March 2026), due to be dissolved (2 March 2026)')
})

test.each([
  ['charge', { charge_code: '012345670001', status: 'outstanding', delivered_on: '2026-03-01' }],
  ['officer', { name: 'SMITH, Jane', officer_role: 'llp-designated-member', appointed_on: '2026-03-01' }],
  [
    'psc',
    {
      kind: 'individual-person-with-significant-control',
      name: 'Jane Smith',
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      notified_on: '2026-03-01',
    },
  ],
  [
    'psc',
    {
      kind: 'persons-with-significant-control-statement',
      statement: 'psc-contacted-but-no-response',
      notified_on: '2026-03-01',
    },
  ],
  [
    'filing',
    { type: 'RP09', description: 'default-companies-house-service-address-applied-officer', date: '2026-03-01' },
  ],
])('a new %s is in words', (kind, part) => {
  const summaries = detect(kind, null, { ...part, links: { self: '/company/01234567/x/id1' } })
  expect(summaries.length).toBeGreaterThan(0)
  expect(mail(summaries)).not.toMatch(MACHINE_PHRASE)
})

test.each(SIGNAL_TYPES)('the test signal %s is in words', (type) => {
  const { summary } = describeTestSignal(type, { name: 'TEST MODE TRADING LTD', day: '2026-03-03' })
  expect(mail([summary])).not.toMatch(MACHINE_PHRASE)
})

test('the rule sees codes', () => {
  for (const code of ['mortgage-create-with-deed', 'active-proposal-to-strike-off', 'company_status_detail'])
    expect(mail([`It says ${code}.`])).toMatch(MACHINE_PHRASE)
})
