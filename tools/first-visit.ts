/**
 * Walks through a running `npm run dev` as a person who has never seen it, in a real browser: from the home page to a
 * signal in the feed and at a webhook receiver. It knows one address and follows what is on the screen.
 * `SCREENSHOTS=folder` keeps a picture of every step.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { runVisit, signUp, type Visit } from './visits/newcomer.ts'

const START = process.argv[2] ?? 'http://localhost:4000/'
const SECONDS_MAX = 180
const WINDOW = { width: 1_280, height: 860 }
const folder = process.env['SCREENSHOTS']

await runVisit({ name: 'first visit', window: WINDOW, secondsMax: SECONDS_MAX, folder }, walk)

async function walk(visit: Visit): Promise<void> {
  const { context, done } = visit
  const page = await context.newPage()
  await page.goto(START)
  await signUp(visit, page, `visitor-${Date.now()}@example.test`)
  const { company, number } = await resolve(page)
  await done(page, 'resolved')
  await page.getByRole('button', { name: 'Watch the company' }).click()
  await page.getByText('You are watching', { exact: false }).waitFor()
  await done(page, 'watched')
  const outside = await openOutside(context, page)
  await addDestination(page, await outside.getByLabel('Address of the receiver').inputValue())
  await done(page, 'destination-added')
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

async function resolve(page: Page): Promise<{ company: string; number: string }> {
  await page.locator('.examples').getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  const company = (await page.locator('.company-name').textContent()) ?? ''
  const number = (await page.locator('mark').first().textContent()) ?? ''
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
}
