import { expect, test } from 'vitest'
import { type Company, deriveCompanyFacts, parseOfficer } from '../../register/index.ts'
import officers from '../../register/words/codes/officers.json' with { type: 'json' }
import { detectSignals } from './record.ts'

const ON = '2026-03-01'
const COMPANY = {
  number: 'OE001234',
  name: 'ACME HOLDINGS SA',
  status: 'registered',
  statusDetail: null,
  address: {},
  charges: {},
} as unknown as Company
const NOTHING = { items: [], total: null, missing: null, asOf: new Date(), includes: null }

/** Returns what the signals and the profile say of an officer of this role who resigned. */
function resign(role: string) {
  const before = { name: 'WEBER, Anna', officer_role: role, appointed_on: '2020-01-01', links: { self: '/x/weber' } }
  const after = { ...before, resigned_on: ON }
  const signals = detectSignals({
    companyNumber: COMPANY.number,
    companyName: COMPANY.name,
    incorporatedOn: '2019-01-01',
    kind: 'officer',
    before,
    after,
    source: 'stream',
    reference: 'officers:1',
    occurredAt: new Date(`${ON}T12:00:00Z`),
  })
  const parts = { officers: { ...NOTHING, items: [parseOfficer(after)] }, charges: NOTHING, insolvency: NOTHING }
  const facts = deriveCompanyFacts(COMPANY, parts, ON)
  return { signals: signals.map(({ signalType }) => signalType), profile: facts.recent_director_resignation }
}

test('when a managing officer resigns, the profile says so too, and not only the signal', () => {
  expect(resign('managing-officer')).toEqual({ signals: ['director_resigned'], profile: true })
})

test.each(Object.keys(officers.officer_role))('a resignation as %s is a signal where the profile has it', (role) => {
  const { signals, profile } = resign(role)
  expect(signals).toEqual(profile ? ['director_resigned'] : [])
})
