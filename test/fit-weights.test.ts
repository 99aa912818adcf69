/** The weights of the argument are what labelled answers teach, and a world that is left out teaches nothing. */
import { describe, expect, test } from 'vitest'
import type { Weights } from '../src/resolver/match/weigh.ts'
import type { ResolvedSite } from '../tools/accuracy/answer.ts'
import { restate } from '../tools/accuracy/held-out.ts'
import { listEmptyQuotes } from '../tools/accuracy/quotes.ts'
import { fitCalibration, fitWeights, measureVetoes, type NamedCompany } from '../tools/weights/fit.ts'

/** So many companies with these features, of which so many were right. */
function companies(world: string, count: number, right: number, ...features: string[]): NamedCompany[] {
  return Array.from({ length: count }, (_, index) => ({ world, isMatch: true, features, right: index < right ? 1 : 0 }))
}

const SITES = [
  ...companies('one', 100, 98, 'disclosure.number_name', 'role.stated'),
  ...companies('one', 100, 3, 'disclosure.number_name', 'role.third_party'),
  ...companies('two', 100, 40, 'disclosure.name', 'role.stated'),
  ...companies('two', 100, 1, 'disclosure.name', 'role.third_party'),
]

describe('fitted weights', () => {
  test('give each kind of company the share that was right', () => {
    const weights = fitWeights(SITES)
    const shareOf = (...ids: string[]) => 1 / (1 + 2 ** -ids.reduce((bits, id) => bits + (weights[id] ?? 0), -22.4))
    expect(shareOf('disclosure.number_name', 'role.stated')).toBeCloseTo(0.98, 1)
    expect(shareOf('disclosure.name', 'role.stated')).toBeCloseTo(0.4, 1)
    expect(shareOf('disclosure.number_name', 'role.third_party')).toBeLessThan(0.1)
  })

  test('stay as assumed for what no site has', () => {
    expect(fitWeights(SITES)['certificate.issued']).toBe(fitWeights([])['certificate.issued'])
  })

  test('are made more modest where another world shows them too sure', () => {
    const sure = companies('three', 200, 60, 'disclosure.number_name', 'role.stated')
    const [first, ...more] = fitCalibration([...SITES, ...sure])
    expect([first, ...more].map((point) => point?.bits)).toEqual(
      [first, ...more].map((point) => point?.bits).toSorted((one, other) => Number(one) - Number(other)),
    )
    expect(more.at(-1)?.bits).toBeLessThan(more.at(-1)?.sum ?? 0)
  })
})

test('a veto states how often the best candidate was right under it', () => {
  const candidates = Array.from({ length: 8 }, (_, index) => ({ world: 'one', veto: 'rival', right: index % 2 }))
  const others = companies('one', 8, 0, 'role.third_party').map((one) => ({ ...one, isMatch: false }))
  const rates = measureVetoes([...candidates, { world: 'one', veto: null, right: 1 }], others)
  expect(rates).toEqual({ rival: 0.5, not_chosen: 0.1 })
})

test('an answer can be stated again with other weights', () => {
  const weights: Weights = {
    weights: { 'disclosure.number_name': 30.4, 'site_name.same': 0 },
    calibration: [
      { sum: 0, bits: 0 },
      { sum: 8, bits: 8 },
    ],
    vetoes: { rival: 0.4 },
    caps: { own_name: 0.97, named_stranger: 0.97, stranger: 0.9 },
  }
  const line = { says: '', weight: 1, found: null, registered: null }
  const number = { ...line, kind: 'evidence', name: 'disclosure', level: 'number_name' } as const
  const own = { ...line, kind: 'evidence', name: 'site_name', level: 'same' } as const
  const veto = { ...line, kind: 'veto', name: 'veto', level: 'rival' } as const
  const calibration = { ...line, kind: 'calibration', name: 'calibration', level: '' } as const
  expect(restate({ features: [number, own, calibration] }, weights)).toBe(0.97)
  expect(restate({ features: [number, calibration] }, weights)).toBe(0.9)
  expect(restate({ features: [number, own, calibration, veto] }, weights)).toBe(0.4)
})

test('a quote without the number or name that it is quoted for is found', () => {
  const item = (says: string, quote: string) => ({ kind: 'company_number', supports: '01234567', says, quote })
  const evidence = [
    item('It prints HARBOUR TEA LTD with its number.', 'Harbour Tea Ltd, company no. 1234567'),
    item('It prints HARBOUR TEA LTD with its number.', 'Company no. 1234567'),
    item('It prints the number of HARBOUR TEA LTD.', 'Company no. 1234567'),
    item('It prints the number of HARBOUR TEA LTD.', 'Harbour Tea Ltd'),
  ]
  const site = { domain: 'harbourtea.co.uk', resolution: { evidence }, error: null, milliseconds: 1 }
  const empty = listEmptyQuotes([site as unknown as ResolvedSite])
  expect(empty.map(({ quote }) => quote)).toEqual(['Company no. 1234567', 'Harbour Tea Ltd'])
})
