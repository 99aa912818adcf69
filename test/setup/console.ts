/**
 * The console in a real browser. Every screen is looked at empty, on its way, failed and full, in both themes: accessible,
 * within its window, and without an unexpected word in the browser's console.
 */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectFitsWidth, keepScreenshot } from './chromium.ts'
import type { TestAccount, TestService } from './harness.ts'

export const THEMES = ['light', 'dark'] as const
const DESK = { width: 1_280, height: 900 }
const PHONE = { width: 360, height: 740 }
const TIMEOUT_MS = 15_000

export interface ConsoleOptions {
  theme: (typeof THEMES)[number]
  size?: { width: number; height: number }
}

/** A window of one account's console, with what the browser complained about. */
export class ConsoleWindow {
  readonly page: Page
  readonly complaints: string[] = []
  #context: BrowserContext
  #site: URL

  private constructor(context: BrowserContext, page: Page, site: URL) {
    this.#context = context
    this.#site = site
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
  }

  static async open(browser: Browser, it: TestService, account: TestAccount, options: ConsoleOptions) {
    const context = await browser.newContext({ viewport: options.size ?? DESK, colorScheme: options.theme })
    context.setDefaultTimeout(TIMEOUT_MS)
    const site = it.config.siteUrl
    await context.addCookies([{ name: 'session', value: account.token, url: site.href }])
    return new ConsoleWindow(context, await context.newPage(), site)
  }

  async go(path: string): Promise<void> {
    await this.page.goto(new URL(`/console${path}`, this.#site).href)
  }

  /** Every screen is accessible, fits its window and makes the browser complain of nothing. */
  async expectGood(name: string, what: 'all' | 'colours' = 'all'): Promise<void> {
    await keepScreenshot(this.page, name)
    await expectAccessible(this.page, what)
    await expectFitsWidth(this.page)
    expectNoComplaint(this.complaints, name)
  }

  /** The browser complains of a refusal that the test has caused: this one, and nothing else until now. */
  expectRefused(status: number): void {
    expectRefusal(this.complaints.splice(0), status)
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}

function expectRefusal(complaints: readonly string[], status: number): void {
  expect(complaints).toEqual([expect.stringContaining(`status of ${status}`)])
}

function expectNoComplaint(complaints: readonly string[], name: string): void {
  expect(complaints, name).toEqual([])
}

export interface ScreenCase {
  name: string
  /** Below /console. */
  path: string
  /** The call of the API that the screen cannot do without: a part of its path. */
  call: string
  /** Words that only the empty screen has; absent where a screen is never empty. */
  emptySays?: string
  /** Words that only the full screen has. */
  fullSays: string | RegExp
}

interface ScreenFixture {
  it: TestService
  browser: Browser
  /** Has nothing yet. */
  newcomer: TestAccount
  /** Has something of everything. */
  owner: TestAccount
}

/** The four states of a screen in both themes; the full one also on a phone. */
export function testScreen(fixture: () => ScreenFixture, screen: ScreenCase): void {
  test(`${screen.name}: empty, loading, error and full, in both themes`, async () => {
    const { it, browser, newcomer, owner } = fixture()
    if (screen.emptySays !== undefined) {
      const window = await ConsoleWindow.open(browser, it, newcomer, { theme: 'light' })
      await window.go(screen.path)
      await window.page.getByText(screen.emptySays).first().waitFor()
      await expectGoodInBothThemes(window, `${screen.name}-empty`)
      await window.close()
    }
    const window = await ConsoleWindow.open(browser, it, owner, { theme: 'light' })
    await expectLoadingAndError(screen, window)
    for (const size of [DESK, PHONE]) {
      await window.page.setViewportSize(size)
      await window.page.getByText(screen.fullSays).first().waitFor()
      await expectGoodInBothThemes(window, `${screen.name}-full-${size.width}`)
    }
    await window.close()
  })
}

async function expectGoodInBothThemes(window: ConsoleWindow, name: string): Promise<void> {
  for (const theme of THEMES) {
    await window.page.emulateMedia({ colorScheme: theme })
    await window.expectGood(`${name}-${theme}`, theme === 'light' ? 'all' : 'colours')
  }
}

/** Ends with the full screen. */
async function expectLoadingAndError(screen: ScreenCase, window: ConsoleWindow): Promise<void> {
  const { page } = window
  const held: Route[] = []
  const isCall = (url: URL) => url.pathname.includes(screen.call)
  await page.route(isCall, (route) => void held.push(route))
  await window.go(screen.path)
  // The screen itself is there before what it shows.
  await page
    .getByRole('status', { name: /^Loading (?!the screen$)/ })
    .first()
    .waitFor()
  await expectGoodInBothThemes(window, `${screen.name}-loading`)
  // Beside the first, which asks no more: without any route the browser would let go of what is held.
  await page.route(isCall, (route) => route.abort('connectionfailed'))
  for (const route of held) await route.abort('connectionfailed').catch(() => undefined)
  await page.getByRole('alert').first().waitFor()
  // That the connection failed is what we made the browser say.
  window.complaints.splice(0, window.complaints.length, ...window.complaints.filter((text) => !text.includes('ERR_')))
  await expectGoodInBothThemes(window, `${screen.name}-error`)
  await page.unroute(isCall)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText(screen.fullSays).first().waitFor()
}
