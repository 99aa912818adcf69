import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWithRegister } from './differences.ts'

const ADDRESS = {
  careOf: null,
  poBox: null,
  line1: 'Unit 14, Mill Yard',
  line2: '3 Mill Lane',
  town: 'Ripon',
  county: null,
  country: null,
  postcode: 'HG4 1AC',
}
const COMPANY = {
  number: '05820417',
  name: 'BRACKENMILL TEXTILES LIMITED',
  previousNames: [{ name: 'MOORSIDE CLOTH LTD', ceased_on: '2015-02-01' }],
  status: 'active',
  dissolvedOn: null,
  address: ADDRESS,
}
const WHOLE = 'Brackenmill Textiles Ltd, company number 5820417. Unit 14, Mill Yard, 3 Mill Lane, Ripon hg41ac'

describe('the differences between a site and the register, in words', () => {
  const cases: Array<[quote: string, says: string[]]> = [
    [WHOLE, []],
    [WHOLE.replace('Unit 14', 'Unit 4'), ['The site prints Unit 4, the register has Unit 14.']],
    [WHOLE.replace('3 Mill Lane', '30 Mill Lane'), ['The site prints 30 Mill Lane, the register has 3 Mill Lane.']],
    [
      WHOLE.replace('hg41ac', 'LS1 4AP'),
      ['The postcode is another: the site prints LS1 4AP, the register has HG4 1AC.'],
    ],
    [WHOLE.replace('hg41ac', ''), ['The site prints no postcode; the register has HG4 1AC.']],
    [
      WHOLE.replace('5820417', '07214938'),
      ['The site prints the number 07214938; the register has 05820417 for this company.'],
    ],
    [WHOLE.replace(', company number 5820417', ''), ['The site does not print the number 05820417.']],
    [
      WHOLE.replace('Brackenmill Textiles', 'Moorside Cloth'),
      [
        'The site prints MOORSIDE CLOTH LTD, the name of the company until 2015-02-01; the register has BRACKENMILL TEXTILES LIMITED.',
      ],
    ],
    [
      WHOLE.replace('Brackenmill Textiles Ltd', 'Brackenmill'),
      ['The site does not print the registered name, BRACKENMILL TEXTILES LIMITED.'],
    ],
  ]
  test.each(cases)('%s', (quote, says) => {
    expect(compareWithRegister(COMPANY, [quote]).differences.map((one) => one.says)).toEqual(says)
  })

  test('without words about the company only its end is said', () => {
    expect(compareWithRegister(COMPANY, [])).toEqual({ compared: [], differences: [] })
    const gone = { ...COMPANY, status: 'dissolved', dissolvedOn: '2021-03-04' }
    expect(compareWithRegister(gone, []).differences.map(({ says }) => says)).toEqual([
      'The register dissolved the company on 2021-03-04.',
    ])
  })

  test('no agreement is claimed for what the register or the site does not have', () => {
    const comparedOf = (company: Parameters<typeof compareWithRegister>[0], quote: string) =>
      compareWithRegister(company, [quote]).compared
    expect(comparedOf(COMPANY, WHOLE)).toEqual(['name', 'number', 'postcode', 'address'])
    expect(comparedOf(COMPANY, WHOLE.replace('Unit 14', 'Unit 4'))).toContain('address')
    expect(comparedOf(COMPANY, '© 2026 Brackenmill Textiles Ltd')).toEqual(['name', 'number', 'postcode'])
    expect(comparedOf({ ...COMPANY, address: { ...ADDRESS, postcode: null } }, WHOLE)).not.toContain('postcode')
  })

  test('whatever a site prints, it ends soon and says each difference once', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 200 }), { maxLength: 3 }), (quotes) => {
        const kinds = compareWithRegister(COMPANY, quotes).differences.map(
          ({ kind, register }) => `${kind} ${register}`,
        )
        expect(new Set(kinds).size).toBe(kinds.length)
      }),
    )
  })
})
