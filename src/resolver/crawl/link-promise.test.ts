import { describe, expect, test } from 'vitest'
import type { Link, Region } from '../page/document.ts'
import { countOwnLinks, rankLinks, readLink, readPhrase } from './link-promise.ts'

const home = new URL('https://www.acme.co.uk/')
const link = (href: string, text = '', region: Region = 'main'): Link => ({
  href: new URL(href, home).href,
  text,
  region,
})
const paths = (links: Link[]) => rankLinks(links, home).map(({ url }) => url.pathname)

describe('the words of a link say what its page holds', () => {
  test.each([
    ['Legal', 'legal'],
    ['Legal bits', 'legal'],
    ['Legal & regulatory', 'legal'],
    ['Company information', 'legal'],
    ['Company details', 'legal'],
    ['Imprint', 'legal'],
    ['Impressum', 'legal'],
    ['Mentions légales', 'legal'],
    ['Small print', 'legal'],
    ['Boring but important', 'legal'],
    ['Disclaimer', 'legal'],
    ['Modern Slavery Statement', 'legal'],
    ['Complaints', 'legal'],
    ['Hysbysiad cyfreithiol', 'legal'],
    ['Terms', 'terms'],
    ['T&Cs', 'terms'],
    ["T & C's", 'terms'],
    ['Terms of sale', 'terms'],
    ['Conditions of business', 'terms'],
    ['Terms & Privacy', 'terms'],
    ['Telerau ac amodau', 'terms'],
    ['AGB', 'terms'],
    ['Privacy & cookies', 'privacy'],
    ['GDPR', 'privacy'],
    ['Data protection', 'privacy'],
    ['How we use your data', 'privacy'],
    ['Polisi preifatrwydd', 'privacy'],
    ['About', 'about'],
    ['Who we are', 'about'],
    ['Our story', 'about'],
    ['Our company', 'about'],
    ['Amdanom ni', 'about'],
    ['Über uns', 'about'],
    ['Contact us', 'contact'],
    ['Get in touch', 'contact'],
    ['Find us', 'contact'],
    ['Cysylltu', 'contact'],
    ['Cookies', 'cookies'],
    ['Accessibility', 'other'],
  ])('%s: %s', (phrase, kind) => {
    expect(readPhrase(phrase)?.kind).toBe(kind)
  })

  test.each([
    'Shop',
    'Our services',
    'Legal services',
    'Legal advice for landlords',
    'Contact lenses',
    'Term dates',
    'Privacy screens',
    'Home',
    'Book now',
    '',
    'What the new GDPR rules mean for the terms and privacy notices of small businesses',
  ])('%j promises nothing', (phrase) => {
    expect(readPhrase(phrase)).toBeNull()
  })

  test.each([
    ['/tandcs', 'terms'],
    ['/terms-conditions.html', 'terms'],
    ['/legal/privacy', 'privacy'],
    ['/policies/terms-of-service', 'terms'],
    ['/about/our-company', 'about'],
    ['/pages/contact', 'contact'],
    ['/privacyPolicy', 'privacy'],
    ['/cookie-policy', 'cookies'],
    ['/statutory-information', 'legal'],
    ['/legal/x1', 'legal'],
  ])('the path %s: %s', (path, kind) => {
    expect(readLink({ text: '', region: 'main' }, new URL(path, home))?.kind).toBe(kind)
  })
})

describe('the order in which pages are asked for', () => {
  test('legal, terms, privacy, about, contact, cookies', () => {
    const found = paths([
      link('/cookies', 'Cookies'),
      link('/contact', 'Contact'),
      link('/about', 'About'),
      link('/privacy', 'Privacy'),
      link('/terms', 'Terms'),
      link('/legal', 'Legal'),
    ])
    expect(found).toEqual(['/legal', '/terms', '/privacy', '/about', '/contact', '/cookies'])
  })

  test('the footer before the rest of the page', () => {
    expect(paths([link('/a', 'Privacy'), link('/b', 'Privacy', 'footer')])).toEqual(['/b', '/a'])
  })

  test('an exact name before one with strange words', () => {
    expect(paths([link('/a', 'About our new electric vans'), link('/b', 'About us')])).toEqual(['/b', '/a'])
  })

  test('the same page is listed once, however it is written', () => {
    const found = paths([
      link('/privacy', 'Privacy'),
      link('/privacy/', 'Privacy', 'footer'),
      link('http://acme.co.uk/privacy#top', 'Privacy'),
    ])
    expect(found).toEqual(['/privacy/'])
  })

  test('links to the other spelling of the site are asked where the home page answered', () => {
    expect(rankLinks([link('http://acme.co.uk/privacy', 'Privacy')], home)[0]?.url.href).toBe(
      'https://www.acme.co.uk/privacy',
    )
  })
})

test.each([
  ['another site', 'https://facebook.com/legal'],
  ['a neighbour on shared hosting', 'https://other.github.io/legal'],
  ['a PDF', '/docs/privacy.pdf'],
  ['an image', '/legal.jpg'],
  ['an article', '/blog/privacy'],
  ['an article by date', '/2024/05/privacy'],
  ['a product', '/products/privacy-policy'],
  ['the basket', '/basket'],
  ['a login', '/account/login'],
  ['a query of many parts', '/legal?session=1&from=2'],
  ['a test host', 'https://staging.acme.co.uk/legal'],
  ['credentials', 'https://user:secret@www.acme.co.uk/legal'],
  ['an endless path', `/legal/${'x'.repeat(400)}`],
  ['the home page', '/#legal'],
])('%s is never asked for', (_, href) => {
  expect(paths([link(href, 'Legal')])).toEqual([])
})

test('a subdomain is asked after the same page of the host', () => {
  expect(paths([link('https://help.acme.co.uk/a', 'Privacy'), link('/b', 'Privacy')])).toEqual(['/b', '/a'])
})

test('a page with a hundred thousand links is ranked by its ends, in time', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => link(`/page-${index}`, `Privacy ${index}`))
  const startedAtMs = performance.now()
  const ranked = rankLinks([...many, link('/legal', 'Legal', 'footer')], home)
  expect(ranked[0]?.url.pathname).toBe('/legal')
  expect(ranked.length).toBeLessThanOrEqual(3_000)
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})

test('own links are counted by page', () => {
  expect(countOwnLinks([link('/'), link('/a'), link('/a/'), link('/b'), link('https://x.com/acme')], home)).toBe(2)
})
