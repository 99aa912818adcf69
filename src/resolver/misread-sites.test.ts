/** Sites that were misread once, each by its symptom. */
import { describe, expect, test } from 'vitest'
import { matchSite } from './match/match-site.ts'
import { type FixtureCompany, fixtureRegister } from './register-view.fixture.ts'
import { fixtureSite } from './site.fixture.ts'

const OWN: FixtureCompany = { number: '04301825', name: 'HARROWGILL JOINERY LTD', postcode: 'LS1 4AP' }
const STRANGER: FixtureCompany = { number: '06318212', name: 'WINTERBOURNE GALE LIMITED', postcode: 'LS1 4AP' }
const TEXT = '<p>We make stairs and windows, and have done so for thirty years, in a mill by the river.</p>'

interface Site {
  domain?: string
  brand?: string
  footer?: string
  main?: string
  terms?: string
  register?: FixtureCompany[]
}

function decide({ domain = 'harrowgilljoinery.co.uk', brand = 'Harrowgill Joinery', ...site }: Site) {
  const { footer = '', main = '', terms, register = [OWN, STRANGER] } = site
  const page = (body: string) =>
    `<html><head><title>${brand}</title></head><body><main><h1>${brand}</h1>${TEXT}${body}</main><footer>${footer}</footer></body></html>`
  const pages = { '/': page(main), ...(terms === undefined ? {} : { '/terms': page(terms) }) }
  const { verdict } = matchSite(fixtureSite(domain, pages), fixtureRegister(register))
  return verdict.outcome === 'matched' ? verdict.candidates[0]?.company.number : verdict.outcome
}

const OTHERS_SITE = { domain: 'stairwell.co.uk', brand: 'Stairwell' }

describe('a number is read', () => {
  const own = (number: string, printed: string): [string, Site] => [
    printed,
    { footer: printed, register: [{ ...OWN, number }] },
  ]
  test.each([
    own('04301825', 'Harrowgill Joinery Ltd, company number 04.301.825'),
    own('06318212', 'Harrowgill Joinery Ltd, company number 06-318-212'),
    own('06318212', 'Harrowgill Joinery Ltd, company number 06‑318‑212'),
    own('04412345', 'Harrowgill Joinery Ltd, registered in England no. 4412345'),
    own('SO302561', 'Harrowgill Joinery Ltd, registered number so302561'),
    own('SC394194', '<span>Harrowgill Joinery Ltd SC394194</span><a href="/p">Privacy</a>'),
    own('10021748', 'Harrowgill Joinery Ltd, registered in England, number 1OO21748'),
    own('04301825', 'NICEIC approved. Harrowgill Joinery Ltd 04301825'),
    own('RS007130', 'Harrowgill Joinery Ltd, a registered society, register number RS007130'),
  ])('%s', (_printed, site) => {
    expect(decide(site)).toBe(site.register?.[0]?.number)
  })

  test('in another block than the name', () => {
    const footer = '<div><h4>Stairwell is operated by:</h4><p>Winterbourne Gale Limited</p><p>06318212</p></div>'
    expect(decide({ ...OTHERS_SITE, footer })).toBe(STRANGER.number)
  })

  test('but a case of a court is none', () => {
    expect(decide({ footer: 'Case no. 4301825/2018' })).not.toBe(OWN.number)
  })
})

describe('a company of another name', () => {
  test.each([
    ['is the owner of the domain', 'stairwell.co.uk is operated by Winterbourne Gale Limited (06318212).'],
    ['trades as the site', 'Winterbourne Gale Limited, no. 06318212, trading as Stairwell'],
    ['has the site as a division', 'Stairwell – a division of Winterbourne Gale Limited (company no. 06318212)'],
    ['is what the site’s name means', '“Stairwell” on this website means Winterbourne Gale Limited (no. 06318212).'],
    ['is the legal name', 'We trade as Stairwell but our legal name is Winterbourne Gale Limited, number 06318212.'],
  ])('%s', (_what, footer) => {
    expect(decide({ ...OTHERS_SITE, footer })).toBe(STRANGER.number)
  })

  test.each([
    ['has another trading name', 'PayQuick is a trading name of Winterbourne Gale Limited, company number 06318212.'],
    ['had the site before', 'Stairwell was a trading name of Winterbourne Gale Limited, company number 06318212.'],
    [
      'runs the site for another',
      'This page is managed by Winterbourne Gale Limited on behalf of Stairwell. No. 06318212',
    ],
    [
      'is under a heading for the web site',
      '<h4>Website</h4><p>Winterbourne Gale Limited. Company number 06318212.</p>',
    ],
    ['licenses it', 'Stairwell is regulated by Winterbourne Gale Limited. Our company number is 06318212.'],
  ])('is no match if it %s', (_what, footer) => {
    expect(decide({ ...OTHERS_SITE, footer })).not.toBe(STRANGER.number)
  })

  test('is no match in a second copyright line, which a template left behind', () => {
    const footer =
      '<p>© 2025 Stairwell</p><p>© 2025 Winterbourne Gale Limited. Company number 06318212. Leeds LS1 4AP</p>'
    expect(decide({ ...OTHERS_SITE, main: '<p>Find us at LS1 4AP.</p>', footer })).not.toBe(STRANGER.number)
  })

  test('is a match by its details alone if the site gives its postcode elsewhere, too', () => {
    const footer = 'Winterbourne Gale Limited. Registered in England, company number 06318212.'
    expect(decide({ ...OTHERS_SITE, main: '<p>Find us at LS1 4AP.</p>', footer })).toBe(STRANGER.number)
    expect(decide({ ...OTHERS_SITE, footer })).toBe('needs_review')
  })
})

describe('a company of the site’s name', () => {
  const footer = 'Harrowgill Joinery Ltd. Registered in England No. 04301825. Leeds LS1 4AP'
  test.each([
    ['says that it is not responsible', 'Harrowgill Joinery Ltd is not responsible for other sites.'],
    ['was a partnership that was dissolved', 'Harrowgill Joinery Ltd was dissolved in 2019 as a partnership.'],
    ['has other trading names', 'Stairwell and Windowell are trading names of Harrowgill Joinery Ltd.'],
    ['has members', 'A partner is a member of Harrowgill Joinery Ltd.'],
  ])('is a match if it %s', (_what, words) => {
    expect(decide({ footer, terms: `<p>${words}</p>` })).toBe(OWN.number)
  })

  test('is no match where the site says that it has nothing to do with it', () => {
    const words = 'We are sometimes confused with Harrowgill Joinery Ltd (04301825), which is nothing to do with us.'
    expect(decide({ main: `<p>${words}</p>` })).not.toBe(OWN.number)
  })

  test.each(['0431825', '04301852'])(
    'is a match if its number is misprinted as %s, and its office is right',
    (printed) => {
      expect(decide({ footer: footer.replace('04301825', printed) })).toBe(OWN.number)
    },
  )

  test('is to be checked if the name was its former one and is another company’s now', () => {
    const register = [
      { ...OWN, name: 'FERN HILL CARE LIMITED', previous: ['HARROWGILL JOINERY LIMITED'] },
      { number: '07958318', name: 'HARROWGILL JOINERY LTD' },
    ]
    expect(decide({ footer: '© Harrowgill Joinery Limited, Leeds LS1 4AP', register })).toBe('needs_review')
  })
})
