/** The argument in numbers: every finding with its weight, adding up to the total. */
import { describe, expect, test } from 'vitest'
import { type FixtureCompany, fixtureRegister } from '../register-view.fixture.ts'
import type { Explanation } from '../resolution.ts'
import { fixtureSite } from '../site.fixture.ts'
import { matchSite } from './match-site.ts'
import { present } from './present.ts'
import { addVeto, FITTED, PRIOR } from './weigh.ts'

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

const sumOf = ({ prior, features }: Explanation) => features.reduce((sum, { weight }) => sum + weight, prior)
const toBits = (probability: number) => Math.log2(probability / (1 - probability))

describe.each(Object.entries(SITES))('a site that prints %s', (_what, footer) => {
  const { explanation, candidates, confidence, outcome, company } = resolve(footer)

  test('the prior and the weights make the total, which is the log-odds of the confidence', () => {
    expect(explanation.prior).toBe(PRIOR)
    expect(explanation.total).toBeCloseTo(sumOf(explanation), 1)
    if (confidence !== null) expect(Math.abs(toBits(confidence) - sumOf(explanation))).toBeLessThan(0.05)
  })

  test('what is not matched has a veto, and only that', () => {
    const vetoes = explanation.features.filter(({ kind }) => kind === 'veto')
    expect(vetoes.length).toBe(outcome === 'matched' || candidates.length === 0 ? 0 : 1)
  })

  test('the checklist has the same six questions, each answered in a sentence', () => {
    const names = explanation.checklist.map(({ name }) => name)
    const questions = ['number', 'name', 'office', 'own_name', 'runs_site', 'no_other_claimant']
    expect(names).toEqual(candidates.length === 0 ? [] : questions)
    for (const { says } of explanation.checklist) expect(says).toMatch(/^\p{Lu}.*\.$/u)
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
      expect(margin).toBeCloseTo(total - runnerUp.total, 1)
      expect(runnerUp.companyNumber).not.toBe(candidates[0]?.company.number)
    }
  })

  test('confidence is the best candidate’s, between nothing and what unseen sites gave', () => {
    expect(confidence).toBe(candidates[0]?.confidence ?? null)
    for (const one of candidates) {
      expect(one.confidence).toBeGreaterThanOrEqual(0)
      expect(one.confidence).toBeLessThanOrEqual(FITTED.caps.own_name)
      expect(one.reasons.length).toBeGreaterThan(0)
    }
    expect(candidates.length).toBeLessThanOrEqual(5)
    expect(candidates.reduce((sum, one) => sum + one.confidence, 0)).toBeLessThanOrEqual(1.0001)
  })

  test('a company is given when, and only when, it is matched', () => {
    expect(company?.number ?? null).toBe(outcome === 'matched' ? candidates[0]?.company.number : null)
  })
})

describe('more proof weighs more', () => {
  const weightOf = (what: keyof typeof SITES) =>
    resolve(SITES[what]).explanation.features.find(({ name }) => name === 'disclosure')?.weight ?? 0

  test('office on top of number and name, name on top of number, number on top of a name alone', () => {
    const order = ['number, name and office', 'number and name', 'name and office', 'name alone'] as const
    const weights = order.map(weightOf)
    expect(weights.toSorted((one, other) => other - one)).toEqual(weights)
  })

  test('a proven company is surer than a name alone', () => {
    expect(resolve(SITES['number and name']).confidence).toBeGreaterThan(0.9)
    expect(resolve(SITES['name alone']).confidence).toBeLessThan(0.9)
  })
})

describe('the checklist', () => {
  const listMet = (what: keyof typeof SITES) =>
    resolve(SITES[what]).explanation.checklist.flatMap(({ name, isMet }) => (isMet ? [name] : []))

  test('has what the site prints', () => {
    expect(listMet('number, name and office')).toEqual(['number', 'name', 'office', 'own_name', 'no_other_claimant'])
    expect(listMet('name alone')).toEqual(['name', 'own_name', 'no_other_claimant'])
  })

  test('names the other company that the site gives as its own', () => {
    const { checklist } = resolve(SITES['two companies']).explanation
    expect(checklist.at(-1)).toMatchObject({ isMet: false, says: expect.stringContaining('HARROWGILL KITCHENS LTD') })
  })
})

test('a match that another site contests states what is left of it, and shows the veto', () => {
  const { explanation } = resolve(SITES['number and name'])
  const contested = addVeto(explanation, 'Another site claims this company.')
  expect(contested.total).toBe(0)
  expect(sumOf(contested)).toBeCloseTo(0, 1)
  expect(contested.features.at(-1)).toMatchObject({ kind: 'veto', says: 'Another site claims this company.' })
})

test('the runner-up is the next company the site mentions, far behind', () => {
  const { runnerUp, margin } = resolve(SITES['an agency too']).explanation
  expect(runnerUp?.companyName).toBe('PIXEL FOUNDRY LTD')
  expect(margin).toBeGreaterThan(5)
})

test('evidence quotes the page, for and against', () => {
  const { evidence } = resolve(SITES['an agency too'])
  const said = evidence.map(({ supports, strength, quote }) => [supports, strength, quote])
  expect(said).toContainEqual(['04999990', 'decisive', expect.stringContaining('Harrowgill Joinery Ltd')])
  expect(said).toContainEqual(['09876543', 'against', expect.stringContaining('Website by Pixel Foundry Ltd')])
})
