/** A person who has never seen the service, in a real browser: the steps with their time and pictures, sign-up and sign-in. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']
const STEP_MS_MAX = 30_000

export interface VisitOptions {
  name: string
  window: { width: number; height: number }
  secondsMax: number
  /** Takes the pictures of a step; without it, one of the window. */
  picture?: (page: Page, file: string) => Promise<void>
  folder: string | undefined
}

export interface Visit {
  context: BrowserContext
  /** A step is done: prints its time and keeps its picture. */
  done: (page: Page, step: string) => Promise<void>
}

/** Runs a visit and fails where it takes too long or the browser complains. */
export async function runVisit(options: VisitOptions, walk: (visit: Visit) => Promise<void>): Promise<void> {
  const { name, window, secondsMax, folder, picture = (page, file) => save(page, file) } = options
  const startedAt = Date.now()
  let steps = 0
  /** A person does not wait for pictures. */
  let picturesMs = 0
  const passed = () => (Date.now() - startedAt - picturesMs) / 1_000
  const done = async (page: Page, step: string) => {
    steps += 1
    console.log(`${passed().toFixed(1).padStart(6)} s  ${step}`)
    if (!folder) return
    const from = Date.now()
    mkdirSync(folder, { recursive: true })
    await picture(page, join(folder, `${String(steps).padStart(2, '0')}-${step}`))
    picturesMs += Date.now() - from
  }
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ARGUMENTS,
  })
  try {
    const context = await browser.newContext({ viewport: window, reducedMotion: 'reduce' })
    context.setDefaultTimeout(STEP_MS_MAX)
    const complaints = listenForComplaints(context)
    await walk({ context, done })
    const seconds = passed()
    if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`)
    if (seconds > secondsMax) throw new Error(`it took ${seconds.toFixed(0)} s, more than ${secondsMax}`)
    console.log(`${name}: ${steps} steps in ${seconds.toFixed(1)} s, no complaint in the browser's console`)
  } finally {
    await browser.close()
  }
}

async function save(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: `${file}.png` })
}

/** From the home page to the console, by the links and the mail that the person sees. */
export async function signUp({ done }: Visit, page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Start free' }).first().click()
  await fill(page, email)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
  await done(page, 'signed-up')
  await page.getByRole('link', { name: 'mailbox' }).click()
  const mail = page.locator('article', { hasText: email })
  await mail.getByRole('link', { name: 'Follow its link' }).click()
  await page.getByRole('button', { name: 'Verify my address' }).click()
  await page.getByText('Your e-mail address is verified', { exact: false }).waitFor()
  await done(page, 'verified')
  await fill(page, email)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Which company is behind this domain?' }).waitFor()
  await done(page, 'signed-in')
}

async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill('twelve green lanterns')
}

function listenForComplaints(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  return complaints
}
