/** The kind of a site, by its own words. */
import { describe, expect, test } from 'vitest'
import { fixtureSite } from '../site.fixture.ts'
import type { SiteKind } from './site-kind.ts'

const LONG = `<p>${'We make stairs and doors that last, and send them everywhere. '.repeat(40)}</p>`
const kindOf = (body: string, domain = 'harrowgill.co.uk') =>
  fixtureSite(domain, { '/': `<html><head><title>Harrowgill</title></head><body>${body}</body></html>` }).kind

const PLAIN: SiteKind = {
  placeholder: null,
  fictional: null,
  franchise: null,
  notCompany: null,
  publicBody: null,
  club: null,
  commentary: null,
  aboutOthers: null,
  reused: null,
  imitation: null,
}

describe('there is no site yet', () => {
  test.each([
    'This domain is for sale',
    'harrowgill.co.uk is for sale',
    'Buy this domain',
    'This domain name has been registered by a customer of ours',
    'harrowgill.co.uk is parked free, courtesy of the registrar',
    'Related searches: oak stairs, oak doors',
    'Welcome to nginx!',
    'Apache2 Ubuntu Default Page',
    'This account has been suspended',
    'Website coming soon',
    'Under construction',
    'Future home of something quite cool',
    'Index of /',
  ])('%s', (words) => {
    expect(kindOf(`<p>${words}</p>`).placeholder).not.toBeNull()
  })

  test('but a full site may have something coming soon', () => {
    expect(kindOf(`${LONG}<p>New showroom coming soon</p>`).placeholder).toBeNull()
  })
})

describe('each kind is told by its words, and quotes them', () => {
  test.each<[keyof SiteKind, string, string]>([
    ['fictional', 'Harrowgill is a fictional company made for coursework.', 'fictional company'],
    ['fictional', 'This is not a real business.', 'not a real business'],
    ['fictional', 'This website was built for demonstration purposes only', 'for demonstration purposes only'],
    ['fictional', 'This is a demo store.', 'demo store'],
    ['franchise', 'Each branch is independently owned and operated.', 'independently owned and operated'],
    ['notCompany', 'Mark Hill is a sole trader.', 'is a sole trader'],
    ['notCompany', 'Harrowgill is not a limited company', 'is not a limited company'],
    ['publicBody', 'Harrowgill is a local authority.', 'is a local authority'],
    ['publicBody', 'St Mary’s is a voluntary aided primary school.', 'voluntary aided'],
    ['club', 'Hon. Secretary: Mark Hill', 'Secretary: Mark'],
    ['club', 'We are an unincorporated association', 'unincorporated association'],
    ['commentary', 'This is an unofficial fan site.', 'unofficial'],
  ])('%s: %s', (kind, words, quoted) => {
    expect(kindOf(`${LONG}<p>${words}</p>`)[kind]?.toLowerCase()).toContain(quoted.toLowerCase())
  })

  test('a franchise is quoted with what is said of it', () => {
    expect(kindOf(`${LONG}<p>This is a franchise run by Mark Hill of Leeds.</p>`).franchise).toBe(
      'franchise run by Mark Hill of Leeds',
    )
  })

  test.each(['harrowgill.gov.uk', 'surgery.nhs.uk', 'harrowgill.leeds.sch.uk'])('%s is a public body’s', (domain) => {
    expect(kindOf(LONG, domain).publicBody).toBe(domain)
  })

  test.each(['bramleyreviews.co.uk', 'bramley-complaints.com', 'bramleyownersclub.org.uk'])(
    '%s is about somebody',
    (domain) => {
      expect(kindOf(LONG, domain).commentary).not.toBeNull()
    },
  )
})

test('an ordinary company’s site is of no special kind', () => {
  const footer = '<footer>© 2024 Harrowgill Joinery Ltd. Registered in England 04999990.</footer>'
  expect(kindOf(LONG + footer)).toEqual(PLAIN)
})

test('a company that has Franchising in its name is no franchise for that', () => {
  expect(kindOf(`${LONG}<p>Harrowgill Franchising Ltd</p>`).franchise).toBeNull()
})

describe('somebody else uses the name', () => {
  test.each([
    'This domain was bought at auction by an independent publisher',
    'Guest posts welcome, casino links too',
    'Write for us and earn a link; sponsored posts accepted',
  ])('taken over: %s', (sentence) => {
    expect(kindOf(`${LONG}<p>${sentence}.</p>`).reused).not.toBeNull()
  })

  test('returns go to another country', () => {
    const kind = kindOf(`${LONG}<p>Return address: Room 1104, Futian Plaza, Shenzhen, China.</p>`)
    expect(kind.imitation).toContain('Return address')
  })

  test('letters of another alphabet stand in the domain', () => {
    expect(kindOf(LONG, 'xn--vellcottbank-09j.co.uk').imitation).toContain('another alphabet')
    // A Welsh or French letter is no disguise.
    expect(kindOf(LONG, 'xn--caf-dma.co.uk').imitation).toBeNull()
  })

  test.each(['harrowgillreviews.co.uk', 'harrowgill-scam.com', 'thetruth-harrowgilltruth.com'])(
    'about somebody: %s',
    (domain) => {
      expect(kindOf(LONG, domain).aboutOthers).not.toBeNull()
    },
  )
})
