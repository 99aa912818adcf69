/** The pieces of a site that name a company: what is quoted as evidence. */
import { describe, expect, test } from 'vitest'
import { fixtureSite } from '../site.fixture.ts'
import { sentenceAt } from './passages.ts'

const passagesOf = (pages: Record<string, string>) => fixtureSite('harrowgill.co.uk', pages).passages
const footer = (html: string) => `<html><body><p>Oak stairs.</p><footer>${html}</footer></body></html>`

test('only what names a company, a number or a postcode is kept', () => {
  const passages = passagesOf({
    '/': footer('<p>Follow us</p><p>Harrowgill Joinery Ltd</p><p>Company No. 04999990</p><p>Leeds LS1 4AP</p>'),
  })
  expect(passages.map(({ text }) => text.split('\n').length > 1 || text)).not.toContain('Follow us')
  expect(passages.some(({ names }) => names.some(({ name }) => name === 'Harrowgill Joinery Ltd'))).toBe(true)
  expect(passages.some(({ postcodes }) => postcodes.some(({ code }) => code === 'LS14AP'))).toBe(true)
})

describe('a number without a name', () => {
  test('takes the name from the box beside it', () => {
    const [passage] = passagesOf({
      '/': footer('<div><p>Harrowgill Joinery Ltd</p><p>Company No. 04999990</p></div>'),
    }).filter(({ numbers }) => numbers.length > 0)
    expect(passage?.names.map(({ name }) => name)).toEqual(['Harrowgill Joinery Ltd'])
    expect(passage?.text).toBe('Harrowgill Joinery Ltd\nCompany No. 04999990')
  })

  test('does not reach across the page for one', () => {
    const [passage] = passagesOf({
      '/': '<main><section><p>Bramley Group plc chose us.</p></section><section><p>Company No. 04999990</p></section></main>',
    }).filter(({ numbers }) => numbers.length > 0)
    expect(passage?.names).toEqual([])
  })

  test('stays as it is when it has a name already', () => {
    const [passage] = passagesOf({
      '/': footer('<div><p>Made by Pixel Foundry Ltd</p><p>Harrowgill Joinery Ltd, Company No. 04999990</p></div>'),
    }).filter(({ numbers }) => numbers.length > 0)
    expect(passage?.text).toBe('Harrowgill Joinery Ltd, Company No. 04999990')
  })
})

test('the same words on every page are one passage that knows its pages', () => {
  const html = footer('<p>Harrowgill Joinery Ltd. Company No. 04999990</p>')
  const passages = passagesOf({ '/': html, '/about': html, '/contact': html })
  expect(passages).toHaveLength(1)
  expect(passages[0]?.page.url).toBe('https://harrowgill.co.uk/')
  expect(passages[0]?.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/about', '/contact'])
})

test('where it stands is known: region, headings, quotation', () => {
  const [small, quoted] = passagesOf({
    '/': `<h1>Doors</h1><h2>Our suppliers</h2><blockquote><p>Bramley Group plc</p></blockquote><footer><p>Harrowgill Joinery Ltd</p></footer>`,
  }).toSorted((one, other) => Number(one.quoted) - Number(other.quoted))
  expect(small).toMatchObject({ region: 'footer', quoted: false })
  expect(quoted).toMatchObject({ quoted: true, headings: ['Doors', 'Our suppliers'] })
})

test('links to other sites are marked, links to the register are not', () => {
  const [passage] = passagesOf({
    '/': footer(
      '<p>Harrowgill Joinery Ltd (<a href="https://find-and-update.company-information.service.gov.uk/company/04999990">04999990</a>), site by <a href="https://pixelfoundry.co.uk">Pixel Foundry Ltd</a>, <a href="/terms">terms</a></p>',
    ),
  })
  expect(passage?.outbound.map(({ start, end }) => passage.text.slice(start, end))).toEqual(['Pixel Foundry Ltd'])
})

test('the menu of a footer is known: links to pages of the site between separators, and no words of a sentence', () => {
  const [passage] = passagesOf({
    '/': footer(
      '<p><a href="/wool">Our wool</a> | <a href="/pay">Payments</a> by Bramley Group plc, company no. 04999990 · <a href="/gifts">Gift vouchers</a></p>',
    ),
  })
  expect(passage?.menu.map(({ start, end }) => passage.text.slice(start, end))).toEqual(['Our wool', 'Gift vouchers'])
})

test('the sentence around a position is found', () => {
  const [passage] = passagesOf({
    '/': footer(
      '<p>© 2024. Harrowgill Joinery Ltd is registered in England. Company No. 04999990 | All rights reserved</p>',
    ),
  })
  const { start, end } = passage ? sentenceAt(passage, passage.names[0]?.start ?? 0) : { start: 0, end: 0 }
  expect(passage?.text.slice(start, end)).toBe('Harrowgill Joinery Ltd is registered in England')
})

test('a page of ten thousand names is read in bounded time and room', () => {
  const html = Array.from(
    { length: 10_000 },
    (_, index) => `<p>Shop ${index} Ltd, Company No. 0${4_000_000 + index}</p>`,
  )
  const before = process.threadCpuUsage()
  const passages = passagesOf({ '/': `<main>${html.join('')}</main>` })
  const { user, system } = process.threadCpuUsage(before)
  expect(passages.length).toBeGreaterThan(100)
  expect(passages.length).toBeLessThanOrEqual(600)
  expect((user + system) / 1_000).toBeLessThan(3_000)
})

test('a block of 100,000 characters is cut', () => {
  const [passage] = passagesOf({ '/': `<main><p>${'Harrowgill Joinery Ltd. '.repeat(5_000)}</p></main>` })
  expect(passage?.text.length).toBeLessThanOrEqual(4_000)
})
