/** The landing page: a visitor without an account sees an answer with its proof, and what is free stays free. */
import { describe, expect, test } from 'vitest'
import { endIncident, openIncident } from '../src/incidents/index.ts'
import { describeInBrowser, useChromium } from './setup/chromium.ts'
import { ALDER, siteOf } from './setup/companies.ts'
import { useTestService } from './setup/harness.ts'

const EXAMPLE = 'alderfinch-joinery.co.uk'
const it = useTestService({
  companies: [ALDER],
  sites: { [EXAMPLE]: siteOf(ALDER), 'another.co.uk': siteOf(ALDER) },
  demoDomains: [EXAMPLE],
})
const read = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
  const response = await fetch(new URL(path, it.config.siteUrl), { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

// The first, because the page is kept for a quarter of a minute once it was read.
test('the status page shows what the operator says, and that it is over', async () => {
  const id = await openIncident(it.app, { title: 'Sites are read slowly', says: 'We look for the cause.' })
  it.clock.advance(60)
  const open = await it.run('incident', 'list', '--json')
  expect(JSON.parse(open.stdout).incidents).toMatchObject([{ id, title: 'Sites are read slowly', endedAt: null }])
  await endIncident(it.app, { id, says: 'A cable was loose.' })
  expect((await it.run('incident', 'update', id, 'It stays well.')).code).toBe(0)
  const { text } = await read('/status')
  for (const said of ['All systems operational.', 'Sites are read slowly', 'A cable was loose.', 'It stays well.']) {
    expect(text).toContain(said)
  }
  expect((await it.run('incident', 'update', 'inc_nothing', 'x')).code).not.toBe(0)
})

describe('an example', () => {
  test('is read for the first visitor, and shown with the company, the quote and the page', async () => {
    const first = await read('/')
    expect(first.text).toContain(`Reading ${EXAMPLE}`)
    await it.settle()
    await expect.poll(async () => (await read('/')).text).toContain(ALDER.name)
    const { text } = await read(`/?domain=${EXAMPLE}`)
    expect(text).toContain(ALDER.name)
    expect(text).toContain(`<mark>${ALDER.number}</mark>`)
    expect(text).toContain(`https://${EXAMPLE}/`)
    expect((await read(`/try?domain=${EXAMPLE}`)).text).toContain(ALDER.name)
  })

  test('is one of the operator’s: no other site is read for a visitor', async () => {
    const { text } = await read('/try?domain=another.co.uk')
    expect(text).toContain('This domain is not one of the examples')
    await it.settle()
    expect(await it.app.db.query(`select from known_domain where domain = 'another.co.uk'`)).toEqual([])
  })

  test('costs no account anything', async () => {
    await it.expectBalanced()
    expect(await it.app.db.query('select from ledger_entry')).toEqual([])
  })

  test('is there for every visitor of the page, however many come from one address', async () => {
    for (let count = 0; count < 40; count += 1) expect((await read('/')).text).toContain(ALDER.name)
  })

  test('is refused kindly to a visitor who opens very many', async () => {
    const texts: string[] = []
    for (let count = 0; count < 40; count += 1) texts.push((await read(`/try?domain=${EXAMPLE}`)).text)
    expect(texts.at(-1)).toContain('Wait a minute')
  })

  test('whose name is markup stays text', async () => {
    const { text } = await read('/?domain=%3Cscript%3Ealert(1)%3C/script%3E')
    expect(text).not.toContain('<script>alert')
  })
})

describe('files that programs look for', () => {
  test.each([
    ['/robots.txt', 'text/plain', 'Sitemap: '],
    ['/sitemap.xml', 'application/xml', '<loc>'],
    ['/.well-known/security.txt', 'text/plain', 'Contact: mailto:'],
    ['/assets/icon.svg', 'image/svg+xml', '<svg'],
    ['/assets/card.jpg', 'image/jpeg', ''],
  ])('%s', async (path, type, content) => {
    const { status, headers, text } = await read(path)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
    expect(text).toContain(content)
  })

  test('/favicon.ico leads to the icon', async () => {
    expect((await read('/favicon.ico')).headers.get('location')).toBe('/assets/icon.svg')
  })

  test('every address of the sitemap is a page', async () => {
    const { text } = await read('/sitemap.xml')
    const addresses = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
    expect(addresses.length).toBeGreaterThan(25)
    for (const path of addresses) expect([path, (await read(path)).status]).toEqual([path, 200])
  })
})

test('a style sheet of another release is there while one goes out', async () => {
  const { status, headers } = await read('/assets/site-0123456789.css')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
})

test('an address that leads nowhere is a page for a person and JSON for a program', async () => {
  const page = await read('/no-such-page')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('There is no such page')
  const program = await read('/no-such-page', { accept: 'application/json' })
  expect(JSON.parse(program.text)).toMatchObject({ code: 'not_found' })
  const api = await read('/v1/no-such-thing')
  expect(JSON.parse(api.text)).toMatchObject({ code: 'not_found' })
})

describeInBrowser('in a browser', () => {
  const browser = useChromium()

  test('the answer appears without another page, and the search of the documentation works by keyboard', async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    await page.goto(new URL('/', it.config.siteUrl).href)
    await page.getByLabel('Pick an example domain').fill(EXAMPLE)
    await page.getByRole('button', { name: 'Show the proof' }).click()
    await page.waitForURL(`**/?domain=${EXAMPLE}`)
    await page.goto(new URL('/docs', it.config.siteUrl).href)
    await page.keyboard.press('/')
    await page.keyboard.type('verify webhook signature')
    await page.getByText(/^\d+ found, first Webhooks$/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks/)
    await page.close()
  })

  test('a language that was chosen once is chosen on the next page too', async () => {
    const page = await browser.newPage()
    await page.goto(new URL('/', it.config.siteUrl).href)
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.reload()
    expect(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true')
    await page.close()
  })
})
