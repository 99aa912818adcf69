/** A newcomer to `npm run dev` finds the way to the mailbox, and the page of the outside world. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { DEMO_DOMAINS } from '../rig/demo-domains.ts'
import { OUTSIDE_CHANGES } from '../rig/outside-changes.ts'
import { listenOutside } from '../rig/outside-page.ts'
import { Receiver } from '../rig/web/index.ts'
import { SIGNAL_TYPES } from '../src/signals/index.ts'
import { describeInBrowser, expectGood, useChromium } from './setup/chromium.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { prepare, startTestService, type TestService, useTestService } from './setup/harness.ts'

const RECEIVER_URL = 'https://hooks.partner.co.uk/nameplate'
const CONSOLE_URL = 'http://localhost:4000/console'

const receiver = new Receiver()
const officers = [director('PEMBERTON, Ada'), director('INSKIP, Tamsin')]
const house = SimulatedCompaniesHouse.fromCompanies(
  [ALDER, BRACKEN].map(({ number, name }) => ({ number, name, incorporatedOn: '2010-01-01', officers })),
)
const outside = prepare(
  () => listenOutside({ house, receiver, receiverUrl: RECEIVER_URL, consoleUrl: CONSOLE_URL }, 0),
  async (page) => page.close(),
)

function director(name: string) {
  const id = Math.random().toString(36).slice(2)
  return {
    name,
    officer_role: 'director',
    appointed_on: '2012-01-01',
    etag: id,
    links: { self: `/x/appointments/${id}` },
  }
}

const HTML = { accept: 'text/html,*/*' }
const requestChange = (form: Record<string, string>, headers: Record<string, string> = HTML) =>
  fetch(outside.url, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })

describe('the outside world', () => {
  test('says what it is, leads back to the console, and names the receiver’s address', async () => {
    const page = await (await fetch(`${outside.url}/?company_number=${BRACKEN.number}`)).text()
    expect(page).toContain('<h1>The outside world</h1>')
    expect(page).toContain(`href="${CONSOLE_URL}"`)
    expect(page).toContain(`value="${RECEIVER_URL}"`)
    expect(page).toContain(`name="company_number" value="${BRACKEN.number}"`)
    expect(page).toContain(BRACKEN.name)
    expect(page).toContain('Nothing has arrived yet')
  })

  test.each(Object.entries(OUTSIDE_CHANGES))(
    '%s happens to the company, and the page says so',
    async (change, { says, signal }) => {
      expect(SIGNAL_TYPES).toContain(signal)
      const before = JSON.stringify(house.findCompany(ALDER.number))
      const answer = await requestChange({ company_number: ALDER.number, change })
      expect(answer.status).toBe(303)
      expect(JSON.stringify(house.findCompany(ALDER.number))).not.toBe(before)
      const page = await (await fetch(new URL(answer.headers.get('location') ?? '', outside.url))).text()
      expect(page).toMatch(/role="status"/)
      expect(page).toContain(says)
      expect(page).toContain(`name="company_number" value="${ALDER.number}"`)
    },
  )

  test('a number is taken as people write it', async () => {
    expect((await requestChange({ company_number: ` ${Number(BRACKEN.number)} `, change: 'rename' })).status).toBe(303)
    expect(house.findCompany(BRACKEN.number)?.name).toBe('BRACKENMILL TEXTILES GROUP LIMITED')
    await requestChange({ company_number: BRACKEN.number, change: 'rename' })
    expect(house.findCompany(BRACKEN.number)?.name).toBe(BRACKEN.name)
  })

  test('what cannot happen is explained: on the page to a person, in a line to a program', async () => {
    const unknown = await requestChange({ company_number: '"><b>', change: 'rename' })
    expect(unknown.status).toBe(400)
    const page = await unknown.text()
    expect(page).toMatch(/role="alert"/)
    expect(page).not.toContain('"><b>')
    const response = await requestChange({ company_number: ALDER.number, change: 'toString' }, { accept: '*/*' })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/^Send company_number .*rename/),
    ])
    for (let left = 5; left > 0; left -= 1) await requestChange({ company_number: BRACKEN.number, change: 'resign' })
    expect(await (await requestChange({ company_number: BRACKEN.number, change: 'resign' })).text()).toContain(
      'No director',
    )
  })

  describeInBrowser('in a browser', () => {
    const browser = useChromium()

    test.each([
      ['phone-dark', 360, 'dark'],
      ['desk-light', 1_280, 'light'],
    ] as const)('%s: it can be read and used, and shows a webhook as it arrives', async (name, width, colorScheme) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      await page.goto(`${outside.url}/?company_number=${ALDER.number}`)
      await expectGood(page, `outside-before-${name}`)
      await page.getByLabel('It appoints a director').check()
      await page.getByRole('button', { name: 'Make it happen' }).click()
      await page.getByRole('status').getByText('It appoints a director').waitFor()
      const type = `event_${name.replace('-', '_')}`
      await deliver(type)
      await page.getByRole('heading', { name: type }).waitFor()
      await page.getByText('What was sent').first().click()
      await page.getByText('"hello": "there"').first().waitFor()
      await expectGood(page, `outside-${name}`)
      await context.close()
    })
  })
})

async function deliver(event: string): Promise<void> {
  const headers = { 'x-webhook-event': event, 'x-webhook-attempt': '1', 'x-webhook-id': `evt_${event}` }
  const body = '{"hello":"there"}'
  const at = new Date()
  receiver.take({ at, method: 'POST', path: '/', headers, body, rawBody: Buffer.from(body), answeredStatus: null })
}

test('the examples offered are sites of the demo world, and every outcome is among them', () => {
  const labels = readFileSync(join(import.meta.dirname, '../worlds/demo/labels.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  const outcomes = new Map(labels.map((line) => line.split(',', 2) as [string, string]))
  const offered = DEMO_DOMAINS.map((domain) => outcomes.get(domain))
  expect(offered).not.toContain(undefined)
  expect(new Set(offered)).toEqual(new Set(outcomes.values()))
  expect(offered[0]).toBe('matched')
})

describe('the site of a development service', () => {
  const it = useTestService({ developmentPages: [{ name: 'Mailbox', url: 'http://localhost:4001' }] })
  const form = { email: 'new@customer.test', password: 'seven quiet harbours' }
  const send = (service: TestService, path: string) =>
    service.visit('POST', path, {
      rawBody: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.config.siteUrl.origin },
    })
  const LINK = '<a href="http://localhost:4001">mailbox</a>'

  test('shows the way to the mailbox after sign-up, and to somebody who has not verified yet', async () => {
    expect((await send(it, '/sign-up')).text).toContain(LINK)
    const refused = await send(it, '/sign-in')
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('not verified yet')
    expect(refused.text).toContain(LINK)
    expect((await it.visit('GET', '/sign-in')).text).not.toContain(LINK)
  })

  test('and a service without one says nothing of it', async () => {
    await using plain = await startTestService()
    expect(plain.config).toMatchObject({ demoDomains: [], developmentPages: [] })
    const sent = await send(plain, '/sign-up')
    expect(sent.status).toBe(200)
    expect(sent.text).not.toContain('runs for development')
  })
})
