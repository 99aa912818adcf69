/** The rules for a verdict, each on a small site: matched, needs review, no match, or not a UK company. */
import { describe, expect, test } from 'vitest'
import { type FixtureCompany, fixtureRegister } from '../register-view.fixture.ts'
import type { Outcome, Situation } from '../resolution.ts'
import { fixtureSite } from '../site.fixture.ts'
import { matchSite } from './match-site.ts'

const HARROWGILL = { number: '04999990', name: 'HARROWGILL JOINERY LTD', postcode: 'LS1 4AP' }
const KITCHENS = { number: '07777002', name: 'HARROWGILL KITCHENS LTD', postcode: 'LS1 4AP' }
const BRAMLEY = { number: '01234568', name: 'BRAMLEY GROUP PLC', postcode: 'SW1A 1AA' }
const PIXEL = { number: '09876543', name: 'PIXEL FOUNDRY LTD', postcode: 'M1 1AA' }
const LENDER = { number: '05551234', name: 'LENDER FINANCE LIMITED', postcode: 'CF10 1AA' }
const OTHERS = [KITCHENS, BRAMLEY, PIXEL, LENDER]

interface Site {
  footer?: string
  main?: string
  pages?: Record<string, string>
  /** The site's name, on its logo and in its titles. */
  brand?: string
  domain?: string
  register?: FixtureCompany[]
  certificate?: { organisation: string; serialNumber: string; jurisdictionCountry: string }
}

function decideSite(site: Site) {
  const { footer = '', main = '', pages = {}, brand = 'Harrowgill Joinery', domain = 'harrowgilljoinery.co.uk' } = site
  const page = (content: string) => `<html><head><title>${brand} | Handmade</title></head><body>
    <header><a class="logo" href="/">${brand}</a></header>
    <main><p>${'We make stairs and doors that last, and send them everywhere. '.repeat(8)}</p>${content}</main>
    <footer>${footer}</footer></body></html>`
  const html = Object.entries({ '/': main, ...pages }).map(([path, content]) => [path, page(content)])
  const findings = fixtureSite(domain, Object.fromEntries(html) as Record<string, string>)
  const certificates = site.certificate ? [{ ...NO_FIELDS, host: domain, ...site.certificate }] : []
  const view = fixtureRegister([...(site.register ?? [HARROWGILL]), ...OTHERS])
  const { verdict } = matchSite({ ...findings, certificates }, view)
  return { ...verdict, numbers: verdict.candidates.map(({ company }) => company.number) }
}

const NO_FIELDS = {
  commonName: null,
  organisationalUnit: null,
  locality: null,
  region: null,
  country: null,
  businessCategory: null,
  issuer: null,
  validFrom: '',
  validTo: '',
  fingerprint256: '',
}

/** Each: what the site prints, and the rule it shows. */
type Rule = [rule: string, site: Site]

const STAIRWELL = { brand: 'Stairwell', domain: 'stairwell.co.uk' }

describe('matched, with proof that ties the site to one number', () => {
  const rules: Rule[] = [
    ['number and registered name', { footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999990' }],
    ['number beside the site’s own name', { footer: 'Company number 04999990' }],
    ['number, name spelt almost right', { footer: 'Harowgill Joinery Ltd. Registered in England No. 04999990' }],
    ['registered name and registered office', { footer: 'Harrowgill Joinery Ltd, Leeds LS1 4AP' }],
    ['trading name', { ...STAIRWELL, footer: 'Stairwell is a trading name of Harrowgill Joinery Ltd, 04999990' }],
    [
      'who runs the site, on its terms',
      {
        ...STAIRWELL,
        pages: { '/terms': '<p>This website is operated by Harrowgill Joinery Ltd, No. 04999990, Leeds LS1 4AP</p>' },
        main: '<p>Visit our workshop: 1 Mill Lane, Leeds LS1 4AP</p>',
      },
    ],
    [
      'previous name',
      {
        register: [{ ...HARROWGILL, name: 'STAIRWELL MAKERS LTD', previous: ['HARROWGILL JOINERY LTD'] }],
        footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999990',
      },
    ],
    [
      'another name, in the small print of the whole site with its office, and on a page',
      {
        ...STAIRWELL,
        main: '<p>Harrowgill Joinery Ltd, 1 Mill Lane, Leeds</p>',
        footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999990. Leeds LS1 4AP',
      },
    ],
    [
      'certificate',
      {
        certificate: { organisation: 'Harrowgill Joinery Ltd', serialNumber: '04999990', jurisdictionCountry: 'GB' },
      },
    ],
    [
      'data for machines',
      {
        main: `<script type="application/ld+json">${JSON.stringify({ '@type': 'Organization', legalName: 'Harrowgill Joinery Ltd', identifier: '04999990' })}</script>`,
      },
    ],
    [
      'agency credit beside the owner’s own number',
      {
        footer:
          '<p>Harrowgill Joinery Ltd, Company No. 04999990</p><p>Website by Pixel Foundry Ltd, Company No. 09876543</p>',
      },
    ],
    [
      'lender beside the owner’s own number',
      {
        footer:
          'Harrowgill Joinery Ltd (04999990) is a credit broker. Credit is provided by Lender Finance Limited (05551234).',
      },
    ],
    [
      'group, with a clear operator',
      {
        footer: 'Harrowgill Joinery Ltd (04999990) is a wholly owned subsidiary of Bramley Group plc (01234568).',
      },
    ],
    [
      'sister company, where a sentence says which runs the site',
      {
        pages: { '/terms': '<p>This website is operated by Harrowgill Joinery Ltd, company number 04999990.</p>' },
        main: '<p>Our sister company Harrowgill Kitchens Ltd (07777002) fits kitchens.</p>',
      },
    ],
    [
      'namesakes, where a number is printed',
      {
        register: [HARROWGILL, { number: '11111199', name: 'HARROWGILL JOINERY LIMITED', postcode: 'LS1 4AP' }],
        footer: 'Harrowgill Joinery Ltd, 1 High Street, Leeds LS1 4AP. Company No. 04999990',
      },
    ],
  ]
  test.each(rules)('%s', (_rule, site) => {
    expect(decideSite(site)).toMatchObject({ outcome: 'matched', situation: 'proven', numbers: ['04999990'] })
  })

  test('the reason says what decided it', () => {
    const { reason } = decideSite({ footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999990' })
    expect(reason).toContain('HARROWGILL JOINERY LTD')
    expect(reason).toContain('04999990')
  })
})

describe('for a person to look at, best candidate first', () => {
  const rules: Array<[...Rule, situation: Situation, candidates: string[]]> = [
    ['never on a name alone', { footer: '© Harrowgill Joinery Ltd' }, 'named', ['04999990']],
    ['the site’s name is a company’s', {}, 'namesake', ['04999990']],
    [
      'a number beside another company’s name',
      { footer: 'Harrowgill Joinery Ltd. Registered in England No. 09876543' },
      'contradiction',
      ['04999990', '09876543'],
    ],
    [
      'a number that no company has',
      { footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999992' },
      'contradiction',
      ['04999990'],
    ],
    [
      'name and office, with another’s number',
      { footer: 'Harrowgill Joinery Ltd, Leeds LS1 4AP. Registered in England No. 09876543' },
      'contradiction',
      ['04999990', '09876543'],
    ],
    [
      'dissolved',
      {
        register: [{ ...HARROWGILL, status: 'dissolved' }],
        footer: 'Harrowgill Joinery Ltd. Registered in England No. 04999990',
      },
      'dissolved',
      ['04999990', '07777002'],
    ],
    [
      'two companies',
      {
        footer:
          'Harrowgill Joinery Ltd, registered in England 04999990. Harrowgill Kitchens Ltd, registered in England 07777002.',
      },
      'several',
      ['04999990', '07777002'],
    ],
    [
      'a third company that the site’s data for machines names, beside the operator and its predecessor',
      {
        register: [HARROWGILL, { number: '08888001', name: 'HARROWGILL DOORS LTD', status: 'dissolved' }],
        main: `<p>This website is operated by Harrowgill Joinery Ltd, company number 04999990.</p>
          <p>Legal name: Harrowgill Doors Ltd, company number 08888001</p>
          <script type="application/ld+json">${JSON.stringify({ '@type': 'Organization', legalName: 'Bramley Group plc', identifier: '01234568' })}</script>`,
      },
      'several',
      ['04999990', '08888001', '01234568'],
    ],
    [
      'one trading name of two companies',
      {
        ...STAIRWELL,
        footer:
          'Stairwell is a trading name of Harrowgill Joinery Ltd (04999990) and Harrowgill Kitchens Ltd (07777002)',
      },
      'several',
      ['04999990', '07777002'],
    ],
    [
      'franchise',
      {
        brand: 'Bramley',
        domain: 'bramley-leeds.co.uk',
        main: '<p>Your Leeds branch is a franchise run by Mark and Jo.</p>',
        footer: 'Bramley Group plc. Registered in England No. 01234568',
      },
      'franchise',
      ['01234568'],
    ],
    [
      'a company that licenses its name, on the site of a branch that does not say so',
      {
        register: [{ number: '08888002', name: 'BRAMLEY FRANCHISING LTD' }],
        brand: 'Bramley',
        domain: 'bramley-leeds.co.uk',
        footer: '© Bramley Franchising Ltd. Registered in England No. 08888002',
      },
      'franchise',
      ['08888002'],
    ],
    [
      'terms that say who runs the site, and may be copied: nothing else connects the company with it',
      { ...STAIRWELL, pages: { '/terms': '<p>This website is operated by Bramley Group plc, No. 01234568</p>' } },
      'untied',
      ['01234568'],
    ],
    [
      'terms and privacy notice that name a company each',
      {
        pages: {
          '/terms': '<p>Work is carried out by Harrowgill Kitchens Ltd, company number 07777002.</p>',
          '/privacy': '<p>The data controller is Harrowgill Joinery Ltd, company number 04999990.</p>',
        },
      },
      'several',
      ['04999990', '07777002'],
    ],
    [
      'a site about a company',
      {
        brand: 'Bramley Reviews',
        domain: 'bramleyreviews.co.uk',
        footer: 'Bramley Group plc. Registered in England No. 01234568',
      },
      'commentary',
      ['01234568'],
    ],
    [
      'a company with its number, and nothing that ties it to the site',
      { ...STAIRWELL, footer: 'Bramley Group plc. Registered in England No. 01234568' },
      'untied',
      ['01234568'],
    ],
    [
      'a placeholder number proves nothing',
      {
        register: [HARROWGILL, { number: '12345678', name: 'SOMEBODY REAL LTD' }],
        footer: 'Harrowgill Joinery Ltd. Company number 12345678',
      },
      'named',
      ['04999990'],
    ],
    [
      'hidden text proves nothing',
      { footer: '<p style="display:none">Harrowgill Joinery Ltd. Company number 04999990</p>' },
      'namesake',
      ['04999990'],
    ],
  ]
  test.each(rules)('%s', (_rule, site, situation, numbers) => {
    expect(decideSite(site)).toMatchObject({ outcome: 'needs_review', situation, numbers })
  })
})

describe('no company of the site’s own', () => {
  const elsewhere = { ...STAIRWELL, register: [] }
  const rules: Rule[] = [
    ['agency credit', { ...elsewhere, footer: 'Website by Pixel Foundry Ltd. Registered in England No. 09876543' }],
    ['lender', { ...elsewhere, footer: 'Finance is provided by Lender Finance Limited (company number 05551234).' }],
    ['parent only', { ...elsewhere, footer: 'Part of Bramley Group plc. Registered in England No. 01234568' }],
    ['said not to be theirs', { ...elsewhere, footer: 'We have no connection with Bramley Group plc (01234568).' }],
    ['parked', { main: '<p>This domain is for sale.</p>', footer: 'Pixel Foundry Ltd. Company number 09876543' }],
    [
      'not a real company',
      {
        main: '<p>Harrowgill Joinery is a fictional company.</p>',
        footer: 'Harrowgill Joinery Ltd. Company number 04999990',
      },
    ],
    ['a sole trader of a company’s name', { main: '<p>Mark Hill is a sole trader.</p>' }],
    ['a parish council', { ...elsewhere, main: '<p>Harrowgill Parish Council meets in the hall.</p>' }],
    [
      'a directory',
      {
        brand: 'Trade Listings',
        domain: 'tradelistings.co.uk',
        pages: {
          '/a': '<p>Pixel Foundry Ltd, company number 09876543, M1 1AA</p>',
          '/b': '<p>Lender Finance Limited, company number 05551234, CF10 1AA</p>',
          '/c': '<p>Bramley Group plc, company number 01234568, SW1A 1AA</p>',
        },
      },
    ],
    ['hidden particulars of others', { ...elsewhere, footer: '<p hidden>Bramley Group plc, No. 01234568</p>' }],
    ['nothing at all', elsewhere],
  ]
  test.each(rules)('%s', (_rule, site) => {
    expect(decideSite(site)).toMatchObject({ outcome: 'no_match', situation: 'nobody', numbers: [] })
  })
})

describe('another country’s company', () => {
  test.each([
    ['Ireland', 'Harrowgill Joinery Limited. Registered in Ireland No. 348700'],
    ['Germany', 'Harrowgill Joinery GmbH, Amtsgericht München HRB 123456'],
    ['the Netherlands, with eight digits', 'Harrowgill Joinery B.V., KvK 09876543'],
    ['Jersey', 'Harrowgill Joinery Limited is registered in Jersey, number 123456'],
    ['the United States', '© 2024 Harrowgill Joinery, Inc. All rights reserved.'],
    ['Hong Kong', 'Harrowgill Joinery Limited, incorporated in Hong Kong with company number 2345678'],
  ])('%s', (_country, footer) => {
    const { outcome, reason } = decideSite({ register: [], footer })
    expect(outcome satisfies Outcome).toBe('non_uk_entity')
    expect(reason).toContain('Harrowgill Joinery')
  })

  test('a sister abroad does not take the site from the company that runs it', () => {
    const pages = {
      '/terms': '<p>This website is operated by Harrowgill Joinery Ltd, company number 04999990.</p>',
      '/contact': '<p>In America: Harrowgill Joinery, Inc., New York</p>',
    }
    expect(decideSite({ pages })).toMatchObject({ outcome: 'matched', numbers: ['04999990'] })
  })

  test('a certificate of another country proves no UK company', () => {
    const certificate = { organisation: 'Harrowgill Joinery', serialNumber: '04999990', jurisdictionCountry: 'DE' }
    expect(decideSite({ ...STAIRWELL, certificate }).outcome).not.toBe('matched')
  })
})
