/** Bare details of a company say no more than the law asks. Any other word may say that the company is someone else's. */
import { expect, test } from 'vitest'
import { fixtureRegister } from '../register-view.fixture.ts'
import { fixtureSite } from '../site.fixture.ts'
import { isPureDisclosure } from './disclosure.ts'

const company = fixtureRegister([{ number: '04999990', name: 'BRAMLEY GROUP PLC' }]).companies.get('04999990')

function isPure(html: string): boolean {
  const findings = fixtureSite('harrowgill.co.uk', { '/': `<p>Oak stairs.</p><footer>${html}</footer>` })
  const [passage] = findings.passages.filter(({ numbers }) => numbers.length > 0)
  if (!passage || !company) throw new Error('no number was read')
  return isPureDisclosure(findings, passage, [...passage.names, ...passage.numbers], company)
}

test.each([
  ['details alone', '<p>© 2026 Bramley Group plc. Registered in England and Wales no. 04999990</p>', true],
  ['a menu beside them', '<p><a href="/wool">our wool</a> | Bramley Group plc, company no. 04999990</p>', true],
  ['words before them', '<p>payments by Bramley Group plc, company no. 04999990</p>', false],
  ['a link as words before them', '<p><a href="/p">payments</a> by Bramley Group plc, company no. 04999990</p>', false],
])('%s', (_, html, expected) => {
  expect(isPure(html)).toBe(expected)
})
