/**
 * Walks through a running `npm run dev` as a person who has never seen it, in a real browser: from the home page to a
 * signal in the feed and at a webhook receiver. It knows one address and follows what is on the screen.
 * `SCREENSHOTS=folder` keeps a picture of every step.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const START = process.argv[2] ?? 'http://localhost:4000/'
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']
const STEP_MS_MAX = 30_000
const SECONDS_MAX = 180
const WINDOW = { width: 1_280, height: 860 }

const visitor = { email: `visitor-${Date.now()}@example.test`, password: 'twelve green lanterns' }
const startedAt = Date.now()
let steps = 0

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
try {
  const context = await browser.newContext({ viewport: WINDOW })
  context.setDefaultTimeout(STEP_MS_MAX)
  const complaints = listenForComplaints(context)
  await visit(context)
  const seconds = (Date.now() - startedAt) / 1_000
  if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`)
  if (seconds > SECONDS_MAX) throw new Error(`it took ${seconds.toFixed(0)} s, more than ${SECONDS_MAX}`)
  console.log(`first visit: ${steps} steps in ${seconds.toFixed(1)} s, no complaint in the browser's console`)
} finally {
  await browser.close()
}

async function visit(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(START)
  await signUp(page)
  await signIn(page)
  const { company, number } = await resolve(page)
  await page.getByRole('button', { name: 'Watch the company' }).click()
  await page.getByText('You are watching', { exact: false }).waitFor()
  await done(page, 'watched')
  const outside = await openOutside(context, page)
  await addDestination(page, await outside.getByLabel('Address of the receiver').inputValue())
  await outside.getByLabel('Company number').fill(number)
  await outside.getByRole('radio').first().check()
  await outside.getByRole('button', { name: 'Make it happen' }).click()
  await outside.getByText('has happened', { exact: false }).waitFor()
  await done(outside, 'change-caused')
  await page.getByRole('link', { name: 'Signals' }).click()
  await page.getByRole('main').getByText(company, { exact: false }).first().waitFor()
  await done(page, 'signal-in-feed')
  await outside.locator('#received article').first().waitFor()
  await outside.locator('#received summary').first().click()
  await done(outside, 'signal-at-receiver')
}

async function signUp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Start free' }).first().click()
  await fill(page)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
  await done(page, 'signed-up')
  await page.getByRole('link', { name: 'mailbox' }).click()
  const mail = page.locator('article', { hasText: visitor.email })
  await mail.getByRole('link', { name: 'Follow its link' }).click()
  await page.getByRole('button', { name: 'Verify my address' }).click()
  await page.getByText('Your e-mail address is verified', { exact: false }).waitFor()
  await done(page, 'verified')
}

async function signIn(page: Page): Promise<void> {
  await fill(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Which company is behind this domain?' }).waitFor()
  await done(page, 'signed-in')
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(visitor.email)
  await page.getByLabel('Password').fill(visitor.password)
}

async function resolve(page: Page): Promise<{ company: string; number: string }> {
  await page.locator('.examples').getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  const company = (await page.locator('.company-name').textContent()) ?? ''
  const number = (await page.locator('mark').first().textContent()) ?? ''
  await done(page, 'resolved')
  return { company, number }
}

async function openOutside(context: BrowserContext, page: Page): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Outside world' }).first().click()
  return opened
}

async function addDestination(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: 'Add the destination' }).click()
  await page.getByText('whsec_', { exact: false }).first().waitFor()
  await done(page, 'destination-added')
}

async function done(page: Page, step: string): Promise<void> {
  steps += 1
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${step}`)
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${String(steps).padStart(2, '0')}-${step}.png`) })
}

function listenForComplaints(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  return complaints
}
