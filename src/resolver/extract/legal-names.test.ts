/** Where a company's name begins and ends in a sentence, and which country's law knows its ending. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLegalNames, listNameKeys } from './legal-names.ts'

const namesIn = (text: string) => findLegalNames(text).map(({ name }) => name)

describe('a name is found whole', () => {
  test.each([
    'Harrowgill Joinery Ltd',
    'HARROWGILL JOINERY LIMITED',
    'The Harrowgill Company Ltd',
    'Harrowgill & Sons Ltd',
    'Harrowgill and Sons Limited',
    'R Harrowgill & Co Limited',
    'O’Neill & Co. Ltd',
    'J. P. Harrowgill Ltd',
    'J.P. Harrowgill (Leeds) Limited',
    'A.B.C. Joinery Ltd',
    'Harrowgill (UK) Ltd',
    'Harrowgill-Joinery Ltd',
    'House of Oak Ltd',
    'St. Mary’s Care Ltd',
    "Sainsbury's Supermarkets Ltd",
    'H&M Hennes & Mauritz UK Ltd',
    '2 Sisters Food Group Ltd',
    '24/7 Care Ltd',
    '@Work Ltd',
    'eBay (UK) Limited',
    'Marks and Spencer p.l.c.',
    'Harrowgill Public Limited Company',
    'Hollis Webb LLP',
    'Hollis Webb Limited Liability Partnership',
    'Harrowgill CIC',
    'Harrowgill Community Interest Company',
    'Harrowgill Limited Partnership',
    'Dŵr Cymru Cyfyngedig',
    'Cwmni Da Cyf',
  ])('%s', (name) => {
    expect(findLegalNames(name)).toEqual([{ name, start: 0, end: name.length, country: null }])
  })
})

describe('the sentence around a name is left outside', () => {
  test.each([
    '© 2024 Harrowgill Joinery Ltd',
    '© 2019-2024 Harrowgill Joinery Ltd. All rights reserved.',
    'Copyright Harrowgill Joinery Ltd',
    'This website is operated by Harrowgill Joinery Ltd',
    'Registered in England. Harrowgill Joinery Ltd',
    'Address: Harrowgill Joinery Ltd, Leeds',
    'Contact Harrowgill Joinery Ltd',
    'Designed by Harrowgill Joinery Ltd',
    'At Harrowgill Joinery Ltd we care.',
    'In 2020 Harrowgill Joinery Ltd',
    'Welcome To Harrowgill Joinery Ltd',
    'Harrowgill Joinery Ltd trading as Stairwell',
    '(Harrowgill Joinery Ltd)',
    '“Harrowgill Joinery Ltd”',
    'Harrowgill Joinery Ltd’s doors',
    'Leeds | Harrowgill Joinery Ltd | Doors',
  ])('%s', (text) => {
    expect(namesIn(text)).toEqual(['Harrowgill Joinery Ltd'])
  })

  test('two names are two', () => {
    expect(namesIn('Harrowgill Joinery Ltd and Pixel Foundry Ltd')).toEqual([
      'Harrowgill Joinery Ltd',
      'Pixel Foundry Ltd',
    ])
  })

  test('where capitals run into a name, the register is asked without the first words too', () => {
    expect(listNameKeys('Privacy Policy Harrowgill Joinery Ltd')).toEqual([
      'PRIVACY POLICY HARROWGILL JOINERY',
      'POLICY HARROWGILL JOINERY',
      'HARROWGILL JOINERY',
      'JOINERY',
    ])
  })
})

test.each([
  ['Harrowgill GmbH', 'Germany'],
  ['Harrowgill GmbH & Co. KG', 'Germany'],
  ['Harrowgill B.V.', 'the Netherlands'],
  ['Harrowgill SAS', 'France'],
  ['Harrowgill S.r.l.', 'Italy'],
  ['Harrowgill Sp. z o.o.', 'Poland'],
  ['Harrowgill A/S', 'Denmark'],
  ['Harrowgill AB', 'Sweden'],
  ['Harrowgill OÜ', 'Estonia'],
  ['Harrowgill, Inc.', 'the United States'],
  ['Harrowgill LLC', 'the United States'],
  ['Harrowgill Pty Ltd', 'Australia'],
  ['Harrowgill Pte. Ltd', 'Singapore'],
  ['Harrowgill Private Limited', 'India'],
  ['Harrowgill DAC', 'Ireland'],
])('%s is of %s', (name, country) => {
  expect(findLegalNames(`Sold by ${name} of old`)).toMatchObject([{ name, country }])
})

describe('no name', () => {
  test.each([
    'a limited company',
    'Limited time offer',
    'a company limited by guarantee',
    'Company Limited',
    'Private Limited Company',
    'Ltd',
    'Ltd Ltd Ltd',
    'such as doors',
    'A Day Spa',
    'We sell plc valves',
  ])('%s', (text) => {
    expect(findLegalNames(text)).toEqual([])
  })
})

describe('whatever the text', () => {
  const texts = fc
    .array(
      fc.oneof(
        fc.constantFrom('Ltd', 'Limited', ' ', ' (', ') ', 'Acme', ', ', 'GmbH', '& ', '\n', '© 2024 ', 'of', '“'),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''))

  test('names lie inside it, in order and apart', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0
        for (const { start, end, name } of findLegalNames(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(text.slice(start, end)).toBe(name)
          expect(name.trim().length).toBeGreaterThan(3)
          last = end
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([['Ltd '], ['A Ltd '], ['A & '], ['('], ['Aaaa '], ['of the '], [' ']])(
    '20,000 characters of “%s” take less than 200 ms',
    (unit) => {
      const text = `${unit.repeat(Math.ceil(20_000 / unit.length))}Ltd`
      const before = process.threadCpuUsage()
      findLegalNames(text)
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(200)
    },
  )
})
