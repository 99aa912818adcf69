/** VAT numbers: only those that say so, and only those whose check digits agree. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findVatNumbers, isVatNumber } from './vat-numbers.ts'

/** Nine digits with the check digits of the old scheme, or of the one since 2010. */
const vatNumbers = fc.tuple(fc.integer({ min: 1_000_000, max: 9_999_999 }), fc.boolean()).map(([stem, since2010]) => {
  const sum = String(stem)
    .split('')
    .reduce((total, digit, place) => total + Number(digit) * (8 - place), 0)
  const check = (97 - ((sum + (since2010 ? 55 : 0)) % 97)) % 97
  return `${stem}${String(check).padStart(2, '0')}`
})

describe('a VAT number is found in every usual form', () => {
  test.each([
    'VAT 999999973',
    'VAT No. GB 999 9999 73',
    'VAT Reg: 999 9999 73',
    'VAT Registration Number GB999999973',
    'V.A.T. No 999999973',
    'VAT number: GB 999 9999 73 001',
    'VAT: XI 999999973',
    'Rhif TAW 999999973',
    'Company No. 04999990, VAT Reg. No. GB999999973.',
  ])('%s', (text) => {
    const [found, ...more] = findVatNumbers(text)
    expect(more).toEqual([])
    expect(found?.number).toBe('999999973')
    expect(text.slice(found?.start, found?.end)).toMatch(/^(?:VAT|V\.A\.T|TAW)/)
  })
})

test.each([
  ['a wrong check digit', 'VAT 999999974'],
  ['nobody saying that it is one', 'GB999999973'],
  ['a rate and a price', 'VAT (20%) £999.00'],
  ['a company number after the word', 'VAT no. 04999990'],
  ['no number', 'Prices include VAT.'],
])('%s is none', (_what, text) => {
  expect(findVatNumbers(text)).toEqual([])
})

describe('check digits', () => {
  test('a number made by the rule is right, by either rule', () => {
    fc.assert(fc.property(vatNumbers, (number) => isVatNumber(number)))
  })

  test('one wrong digit is refused in more than 97 of 100 cases', () => {
    let [slips, accepted] = [0, 0]
    fc.assert(
      fc.property(
        vatNumbers,
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (number, place, shift) => {
          const wrong = (Number(number[place]) + shift) % 10
          slips += 1
          accepted += isVatNumber(number.slice(0, place) + wrong + number.slice(place + 1)) ? 1 : 0
        },
      ),
      { numRuns: 3_000, seed: 97 },
    )
    expect(slips).toBe(3_000)
    expect(accepted / slips).toBeLessThan(0.03)
  })

  test.each(['', '99999997', '9999999730', 'GB9999999', '99999997a'])('“%s” is not nine digits', (text) => {
    expect(isVatNumber(text)).toBe(false)
  })
})

test('20,000 characters of hostile text take less than 200 ms', () => {
  for (const unit of ['VAT ', 'VAT 9', 'v.a.t.', '9', 'VAT                                        ']) {
    const text = unit.repeat(Math.ceil(20_000 / unit.length))
    const before = process.threadCpuUsage()
    findVatNumbers(text)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000, unit).toBeLessThan(200)
  }
})
