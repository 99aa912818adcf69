/**
 * Does five tasks of a customer in a running `npm run dev`, in a real browser, by what is on the screen alone, and counts the
 * clicks, after a walk from sign-up to an exported file by keyboard alone. Fails above eight clicks for a task.
 * `npm run tasks [-- address]`
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { walkByKeyboard } from './tasks/keyboard-walk.ts'

const SITE = process.argv[2] ?? 'http://localhost:4000/'
const CLICKS_MAX = 8
const STEP_MS_MAX = 30_000
const visitor = { email: `tasks-${Date.now()}@example.test`, password: 'twelve green lanterns' }

/** A person at a screen, who clicks and types. */
class Person {
  clicks = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async clickButton(name: string): Promise<void> {
    await this.click(this.page.getByRole('button', { name, exact: true }).first())
  }

  async clickLink(name: string | RegExp): Promise<void> {
    await this.click(this.page.getByRole('link', { name }).first())
  }

  async type(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label).first().fill(text)
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }
}

const TASKS: Record<string, (person: Person) => Promise<void>> = {
  'Prove which company is behind harbourlantern.co.uk': async (person) => {
    await person.type('Domain, web address or e-mail address', 'harbourlantern.co.uk')
    await person.clickButton('Find the company')
    await person.page.getByRole('heading', { name: 'Proof' }).waitFor()
    await person.page.locator('mark').first().waitFor()
  },
  'Watch a company': async (person) => {
    await person.clickLink('Companies')
    await person.type('Name, company number or postcode', 'harbour lantern')
    await person.clickLink(/HARBOUR LANTERN/i)
    await person.clickButton('Watch the company')
    await person.sees('Watched')
  },
  'Verify a pack: open the page that was saved and find quote, page, time and hash': async (person) => {
    await person.type('Domain, web address or e-mail address', 'harbourlantern.co.uk')
    await person.clickButton('Find the company')
    const saved = person.page.waitForEvent('download')
    await person.clickButton('Page to print (unsigned)')
    const pack = readFileSync(await (await saved).path(), 'utf8')
    for (const part of ['08496536', 'https://harbourlantern.co.uk/', /\d{2}:\d{2}/, /[0-9a-f]{64}/]) {
      if (!(typeof part === 'string' ? pack.includes(part) : part.test(pack)))
        throw new Error(`the pack has no ${part}`)
    }
  },
  'Connect an agent': async (person) => {
    await person.clickLink('Keys and agents')
    const address = (await person.page.getByRole('region', { name: 'the agent address' }).textContent()) ?? ''
    await person.page.goto(await authorizeAddress(new URL(address).origin))
    // Nothing listens at the address of this agent: the request with the code is enough.
    const called = person.page.waitForRequest(/callback\?code=/)
    await person.clickButton('Allow')
    await called
  },
  'Send a webhook again': async (person) => {
    await receiveSignal(person.page)
    person.clicks = 0
    await person.clickLink('Webhooks')
    await person.clickLink(/hooks\./)
    await person.click(person.page.getByRole('button', { name: /^Send again/ }).first())
    await person.sees('Sending the event again.')
  },
}

/** Prepares the task: a destination, and a change of the watched company that was sent to it. */
async function receiveSignal(page: Page): Promise<void> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Outside world' }).first().click()
  const outside = await opened
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByLabel('Address').fill(await outside.getByLabel('Address of the receiver').inputValue())
  await page.getByRole('button', { name: 'Add the destination' }).click()
  await page.getByText('whsec_', { exact: false }).first().waitFor()
  await outside.getByRole('radio').first().check()
  await outside.getByRole('button', { name: 'Make it happen' }).click()
  await outside.getByText('has happened', { exact: false }).waitFor()
  await outside.locator('#received article').first().waitFor()
}

/** An agent registers itself and sends the person to this address. */
async function authorizeAddress(origin: string): Promise<string> {
  const redirect = 'http://127.0.0.1:8765/callback'
  const response = await fetch(new URL('/oauth/register', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Table agent',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id: clientId } = (await response.json()) as { client_id: string }
  const challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url')
  const address = new URL('/oauth/authorize', origin)
  address.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'service:mcp offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'x',
    resource: new URL('/mcp', origin).href,
  }).toString()
  return address.href
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
})
try {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  context.setDefaultTimeout(STEP_MS_MAX)
  const keys = await walkByKeyboard(context, SITE, visitor)
  console.log(`${String(keys).padStart(3)} keys    Sign up, resolve, review and export, by keyboard alone`)
  for (const [task, walk] of Object.entries(TASKS)) await doTask(context, task, walk)
} finally {
  await browser.close()
}

async function doTask(context: BrowserContext, task: string, walk: (person: Person) => Promise<void>): Promise<void> {
  const page = await context.newPage()
  await page.goto(new URL('/console', SITE).href)
  const person = new Person(page)
  await walk(person)
  console.log(`${String(person.clicks).padStart(3)} clicks  ${task}`)
  if (person.clicks > CLICKS_MAX) throw new Error(`more than ${CLICKS_MAX} clicks`)
  await page.close()
}
