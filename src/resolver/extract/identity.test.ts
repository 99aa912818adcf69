/** How a site names itself: by its domain, logo, titles and copyright lines, and not by what others put there. */
import { describe, expect, test } from 'vitest'
import { fixtureSite } from '../site.fixture.ts'
import { toLabel } from './identity.ts'

const brandsOf = (domain: string, ...pages: string[]) =>
  fixtureSite(
    domain,
    Object.fromEntries(pages.map((html, index) => [index === 0 ? '/' : `/page-${index}`, html])),
  ).identity.brands.map(({ name }) => name)

const page = ({ title = '', head = '', body = '' }: { title?: string; head?: string; body?: string }) =>
  `<html><head><title>${title}</title>${head}</head><body>${body}<p>We make stairs.</p></body></html>`

describe('the letters of a domain', () => {
  test.each([
    ['harrowgill.co.uk', 'harrowgill'],
    ['harrowgill-joinery.com', 'harrowgilljoinery'],
    ['www.harrowgill.co.uk', 'harrowgill'],
    ['harrowgill.uk.com', 'harrowgill'],
    ['harrowgill.wixsite.com', 'harrowgill'],
    ['xn--drcymru-bvb.cymru', 'dwrcymru'],
    ['24-7care.london', '247care'],
  ])('%s: %s', (domain, label) => {
    expect(toLabel(domain)).toBe(label)
  })
})

describe('a site’s names', () => {
  test.each([
    ['its logo', page({ body: '<header><a class="logo" href="/">Harrowgill Joinery</a></header>' })],
    ['the picture of its logo', page({ body: '<a href="/"><img class="logo" alt="Harrowgill Joinery logo"></a>' })],
    ['og:site_name', page({ head: '<meta property="og:site_name" content="Harrowgill Joinery">' })],
    ['the end of a title', page({ title: 'Oak stairs | Harrowgill Joinery' })],
    ['the beginning of a title', page({ title: 'Harrowgill Joinery - oak stairs in Leeds' })],
    ['a welcome', page({ title: 'Welcome to Harrowgill Joinery' })],
    ['a title with “by”', page({ title: 'Oak stairs by Harrowgill Joinery' })],
  ])('%s', (_where, html) => {
    expect(brandsOf('stairwell.co.uk', html).map((name) => name.replace(/ logo$/, ''))).toContain('Harrowgill Joinery')
  })

  test('a line of copyright counts where it looks like the domain', () => {
    const html = page({ body: '<footer>© 2024 Harrowgill Joinery. All rights reserved.</footer>' })
    expect(brandsOf('harrowgill.co.uk', html)).toContain('Harrowgill Joinery')
  })

  test('a line of copyright alone makes no name: it may be the theme’s or the photographer’s', () => {
    const html = page({ title: 'Stairwell', body: '<footer>© 2024 Pixel Foundry. All rights reserved.</footer>' })
    expect(brandsOf('stairwell.co.uk', html)).not.toContain('Pixel Foundry')
  })

  test('titles that every site has are no names', () => {
    expect(brandsOf('stairwell.co.uk', page({ title: 'Home | Contact us' }))).toEqual([])
  })

  test('what stands on one page of several is not the site’s name', () => {
    const pages = ['Oak stairs', 'About Mark', 'Ash doors'].map((title) => page({ title: `${title} | Harrowgill` }))
    expect(brandsOf('stairwell.co.uk', ...pages)).toEqual(['Harrowgill'])
  })

  test('the most telling comes first, and they are at most twelve', () => {
    const links = Array.from({ length: 40 }, (_, index) => `<a class="logo" href="/">Brand ${index}</a>`).join('')
    const html = page({
      title: 'Oak stairs | Harrowgill',
      head: '<meta property="og:site_name" content="Harrowgill">',
      body: links,
    })
    const brands = brandsOf('harrowgill.co.uk', html)
    expect(brands[0]).toBe('Harrowgill')
    expect(brands.length).toBeLessThanOrEqual(12)
  })
})

test('a page of nothing but copyright signs is read in no time', () => {
  const before = process.cpuUsage()
  expect(brandsOf('harrowgill.co.uk', page({ body: `<footer>${'© '.repeat(20_000)}</footer>` }))).toEqual([])
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(1_500)
})
