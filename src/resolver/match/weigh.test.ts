/** The argument in numbers: every finding with its weight, adding up to the total. */
import { describe, expect, test } from 'vitest'
import { type FixtureCompany, fixtureRegister } from '../register-view.fixture.ts'
import type { Explanation } from '../resolution.ts'
import { fixtureSite } from '../site.fixture.ts'
import data from './calibration.json' with { type: 'json' }
import { matchSite } from './match-site.ts'
import { present } from './present.ts'
import { PRIOR } from './weights.ts'

const REGISTER: FixtureCompany[] = [
  { number: '04999990', name: 'HARROWGILL JOINERY LTD', postcode: 'LS1 4AP' },
  { number: '07777002', name: 'HARROWGILL KITCHENS LTD', postcode: 'LS1 4AP' },
  { number: '07777003', name: 'HARROWGILL DOORS LTD', postcode: 'LS1 4AP', status: 'dissolved' },
  { number: '01234568', name: 'BRAMLEY GROUP PLC', postcode: 'SW1A 1AA' },
  { number: '09876543', name: 'PIXEL FOUNDRY LTD', postcode: 'M1 1AA' },
]

function resolve(footer: string, brand = 'Harrowgill Joinery') {
  const html = `<html><head><title>${brand}</title></head><body><a class="logo" href="/">${brand}</a>
    <main><p>${'We make stairs and doors that last, and send them everywhere. '.repeat(8)}</p></main>
    <footer>${footer}</footer></body></html>`
  const { verdict, site } = matchSite(fixtureSite('harrowgilljoinery.co.uk', { '/': html }), fixtureRegister(REGISTER))
  return present(verdict, site)
}

const SITES = {
  'number, name and office': 'Harrowgill Joinery Ltd, LS1 4AP. Registered in England No. 04999990',
  'number and name': 'Harrowgill Joinery Ltd. Registered in England No. 04999990',
  'number alone': 'Company number 04999990',
  'name and office': 'Harrowgill Joinery Ltd, Leeds LS1 4AP',
  'name alone': '© Harrowgill Joinery Ltd',
  'two companies': 'Harrowgill Joinery Ltd, No. 04999990. Harrowgill Kitchens Ltd, No. 07777002.',
  dissolved: 'Harrowgill Doors Ltd. Registered in England No. 07777003',
  'another’s number': 'Harrowgill Joinery Ltd. Registered in England No. 09876543',
  'an agency too': 'Harrowgill Joinery Ltd, No. 04999990. Website by Pixel Foundry Ltd, No. 09876543.',
  'another country': 'Harrowgill Joinery GmbH, HRB 12345',
  nothing: 'Follow us',
}

const inTenths = (bits: number) => Math.round(bits * 10)
const sumOf = ({ prior, features }: Explanation) =>
  inTenths(prior) + features.reduce((sum, { weight }) => sum + inTenths(weight), 0)

describe.each(Object.entries(SITES))('a site that prints %s', (_what, footer) => {
  const { explanation, candidates, confidence, outcome, company } = resolve(footer)

  test('the prior and the weights make the total', () => {
    expect(explanation.prior).toBe(PRIOR)
    expect(inTenths(explanation.total)).toBe(sumOf(explanation))
  })

  test('every weight says in a sentence what it is for', () => {
    for (const { says, name } of explanation.features) {
      expect(name).not.toBe('')
      expect(says).toMatch(/^\p{Lu}.*\.$/u)
    }
  })

  test('the margin is what the best is ahead by', () => {
    const { runnerUp, margin, total } = explanation
    if (runnerUp === null) expect(margin).toBeNull()
    else {
      expect(inTenths(margin ?? Number.NaN)).toBe(inTenths(total) - inTenths(runnerUp.total))
      expect(runnerUp.companyNumber).not.toBe(candidates[0]?.company.number)
    }
  })

  test('confidence is the best candidate’s, between nothing and the cap', () => {
    expect(confidence).toBe(candidates[0]?.confidence ?? null)
    for (const one of candidates) {
      expect(one.confidence).toBeGreaterThanOrEqual(0)
      expect(one.confidence).toBeLessThanOrEqual(data.cap)
      expect(one.reasons.length).toBeGreaterThan(0)
    }
    expect(candidates.length).toBeLessThanOrEqual(5)
  })

  test('a company is given when, and only when, it is matched', () => {
    expect(company?.number ?? null).toBe(outcome === 'matched' ? candidates[0]?.company.number : null)
  })
})

describe('more proof weighs more', () => {
  const totals = (['number, name and office', 'number and name', 'number alone', 'name and office'] as const).map(
    (what) => resolve(SITES[what]).explanation.total,
  )
  test('office on top of number and name, name on top of number', () => {
    expect(totals.toSorted((one, other) => other - one)).toEqual(totals)
    expect(new Set(totals).size).toBe(totals.length)
  })

  test('a proven company is likelier than not, a name alone is not', () => {
    expect(resolve(SITES['number and name']).explanation.total).toBeGreaterThan(7)
    expect(resolve(SITES['name alone']).explanation.total).toBeLessThan(7)
  })

  test('what speaks against a company weighs against it', () => {
    const { features } = resolve(SITES.dissolved).explanation
    expect(features.find(({ name }) => name === 'dissolved')?.weight).toBeLessThan(0)
  })
})

test('the runner-up is the next company the site mentions, far behind', () => {
  const { runnerUp, margin } = resolve(SITES['an agency too']).explanation
  expect(runnerUp?.companyName).toBe('PIXEL FOUNDRY LTD')
  expect(margin).toBeGreaterThan(20)
})

test('evidence quotes the page, for and against', () => {
  const { evidence } = resolve(SITES['an agency too'])
  const said = evidence.map(({ supports, strength, quote }) => [supports, strength, quote])
  expect(said).toContainEqual(['04999990', 'decisive', expect.stringContaining('Harrowgill Joinery Ltd')])
  expect(said).toContainEqual(['09876543', 'against', expect.stringContaining('Website by Pixel Foundry Ltd')])
})
