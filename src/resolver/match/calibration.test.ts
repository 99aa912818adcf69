/** A confidence is a probability that was measured, and never more certain than what was measured. */
import { describe, expect, test } from 'vitest'
import type { Situation } from '../resolution.ts'
import data from './calibration.json' with { type: 'json' }
import { CALIBRATION_VERSION, confidenceOf, rateKey } from './calibration.ts'

const SITUATIONS: Situation[] = [
  'proven',
  'several',
  'dissolved',
  'franchise',
  'commentary',
  'contradiction',
  'rival',
  'contested',
  'untied',
  'named',
  'namesake',
  'foreign',
  'nobody',
]

const confidence = (situation: Situation, candidates: number, index = 0) =>
  confidenceOf({ situation, candidates, index })

describe('every situation, with up to five candidates', () => {
  const standpoints = SITUATIONS.flatMap((situation) =>
    [1, 2, 3, 4, 5].map((candidates) => [situation, candidates] as const),
  )

  test.each(standpoints)(
    '%s with %d: probabilities, best first, that add up to no more than one',
    (situation, many) => {
      const shares = Array.from({ length: many }, (_, index) => confidence(situation, many, index))
      for (const share of shares) {
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(data.cap)
      }
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1.001 + many * 0.0005)
    },
  )
})

test('what is proven is surer than anything a person must look at', () => {
  const others = SITUATIONS.filter((situation) => situation !== 'proven' && situation !== 'nobody')
  for (const situation of others) expect(confidence('proven', 1)).toBeGreaterThan(confidence(situation, 2))
  expect(confidence('proven', 1)).toBeGreaterThan(0.95)
})

test('rates are kept per number of candidates, three and more together', () => {
  expect([1, 2, 3, 5].map((candidates) => rateKey({ situation: 'several', candidates }))).toEqual([
    'several',
    'several/2',
    'several/3',
    'several/3',
  ])
})

test('the measured rates are probabilities of situations that exist', () => {
  for (const [key, rate] of Object.entries(data.rates)) {
    expect(SITUATIONS, key).toContain(key.split('/')[0])
    expect(rate, key).toBeGreaterThanOrEqual(0)
    expect(rate, key).toBeLessThanOrEqual(1)
  }
  expect(data.cap).toBeLessThan(1)
  expect(CALIBRATION_VERSION).toMatch(/^\d{4}-\d\d/)
})
