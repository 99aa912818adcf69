/** The organisation in a page's structured data: JSON-LD and microdata, right and wrong. */
import { describe, expect, test } from 'vitest'
import { fixtureSite } from '../site.fixture.ts'

const identitiesIn = (html: string) =>
  fixtureSite('harrowgill.co.uk', { '/': `<html><body>${html}<p>Oak stairs.</p></body></html>` }).structured

const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const organisation = (fields: object) =>
  identitiesIn(jsonLd({ '@context': 'https://schema.org', '@type': 'Organization', ...fields }))

describe('a company number is found in the fields where sites put it', () => {
  test.each([
    ['identifier', { identifier: '04999990' }],
    ['an identifier with its scheme', { identifier: { propertyID: 'Companies House', value: '04999990' } }],
    [
      'a list of identifiers',
      {
        identifier: [
          { name: 'VAT', value: '99999997' },
          { name: 'CRN', value: '04999990' },
        ],
      },
    ],
    ['a number that lost its zero', { identifier: 4_999_990 }],
    ['taxID', { taxID: '04999990' }],
    ['leiCode', { leiCode: '04999990' }],
    ['companyRegistration', { companyRegistration: 'GB-COH-04999990' }],
    ['registrationNumber', { registrationNumber: '4999990' }],
  ])('%s', (_field, fields) => {
    expect(organisation({ legalName: 'Harrowgill Joinery Ltd', ...fields })).toMatchObject([
      { names: ['Harrowgill Joinery Ltd'], numbers: ['04999990'] },
    ])
  })

  test('a Scottish one too', () => {
    expect(organisation({ name: 'Harrowgill', identifier: 'SC 301234' })[0]?.numbers).toEqual(['SC301234'])
  })

  test('and in microdata', () => {
    const [identity] = identitiesIn(
      '<div itemscope itemtype="https://schema.org/Organization"><span itemprop="legalName">Harrowgill Joinery Ltd</span> <span itemprop="leiCode">04999990</span></div>',
    )
    expect(identity).toMatchObject({ names: ['Harrowgill Joinery Ltd'], numbers: ['04999990'] })
  })
})

describe('other numbers are left alone', () => {
  test.each([
    ['a D-U-N-S number', { iso6523Code: '0060:123456789' }],
    ['a real LEI', { leiCode: '213800ABCDEFGH123456' }],
    ['a charity’s', { identifier: { propertyID: 'Charity number', value: '1099990' } }],
    ['a Dutch one', { identifier: { propertyID: 'KvK', value: '04999990' } }],
    ['a placeholder', { identifier: '12345678' }],
    ['an address', { identifier: 'https://harrowgill.co.uk/#organization' }],
    ['something nested deep', { identifier: { value: { value: { text: '04999990' } } } }],
  ])('%s', (_what, fields) => {
    expect(organisation({ name: 'Harrowgill', ...fields })[0]?.numbers).toEqual([])
  })
})

test('names and address are read, and the quote is what the page says', () => {
  const [identity] = organisation({
    legalName: 'Harrowgill Joinery Ltd',
    name: 'Harrowgill',
    vatID: 'GB 999 9999 73',
    address: { '@type': 'PostalAddress', postalCode: 'ls1 4ap', addressCountry: 'GB' },
  })
  expect(identity).toMatchObject({
    names: ['Harrowgill Joinery Ltd', 'Harrowgill'],
    postcodes: ['LS14AP'],
  })
  expect(identity?.quote).toContain('"legalName":"Harrowgill Joinery Ltd"')
})

describe('whose data it is', () => {
  test('the publisher of a page speaks for the site', () => {
    const page = {
      '@type': 'WebPage',
      publisher: { '@type': 'Organization', name: 'Harrowgill', identifier: '04999990' },
    }
    expect(identitiesIn(jsonLd(page))).toMatchObject([{ numbers: ['04999990'] }])
  })

  test.each(['Product', 'Offer', 'Article', 'Review', 'JobPosting', 'Event', 'Person'])(
    'what a %s names is somebody else',
    (type) => {
      const item = { '@type': type, name: 'Bramley', identifier: '01234568', seller: { identifier: '01234568' } }
      expect(identitiesIn(jsonLd(item))).toEqual([])
    },
  )
})

test.each([
  ['nothing', null],
  ['a text', 'Harrowgill'],
  ['an empty organisation', { '@type': 'Organization' }],
  ['wrong types', { '@type': ['Organization', 7], name: 9, identifier: [[[]], { value: {} }], address: 'Leeds' }],
  ['a name of 10,000 letters', { '@type': 'Organization', name: 'x'.repeat(10_000) }],
])('%s is no identity', (_what, data) => {
  expect(identitiesIn(jsonLd(data))).toEqual([])
})

test('of a thousand items a bounded number is read, each quoted briefly', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    '@type': 'Organization',
    name: `Shop ${index} ${'x'.repeat(100)}`,
    description: 'y'.repeat(500),
  }))
  const identities = identitiesIn(many.map(jsonLd).join(''))
  expect(identities.length).toBeGreaterThan(0)
  expect(identities.length).toBeLessThanOrEqual(50)
  for (const { quote } of identities) expect(quote.length).toBeLessThanOrEqual(300)
})
