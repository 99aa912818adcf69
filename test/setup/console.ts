/**
 * The console in a real browser: accessible, within its window, and without an unexpected word in the browser's console. Both
 * themes, and each screen empty, on its way, failed and full, are looked at where every page is.
 */
import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { EVERY_PAGE, expectAccessible, expectFitsWidth, keepScreenshot, useChromium, WINDOWLESS } from './chromium.ts'
import type { TestAccount, TestService } from './harness.ts'

const DESK = { width: 1_280, height: 900 }
export const PHONE = { width: 360, height: 740 }
const TIMEOUT_MS = 60_000

/** A window of one account's console, with what the browser complained about. */
class ConsoleWindow {
  readonly page: Page
  readonly complaints: string[] = []
  #site: URL

  constructor(page: Page, site: URL) {
    this.#site = site
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
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

  async expectGoodInBothThemes(name: string): Promise<void> {
    if (!EVERY_PAGE) return this.expectGood(name)
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme })
      await this.expectGood(`${name}-${colorScheme}`, colorScheme === 'light' ? 'all' : 'colours')
    }
  }

  /** In both themes at a desk and on a phone, where `says` is still shown. */
  async expectGoodEverywhere(name: string, says: string | RegExp): Promise<void> {
    for (const size of [DESK, PHONE]) {
      await this.page.setViewportSize(size)
      await this.page.getByText(says).first().waitFor()
      if (EVERY_PAGE || size === DESK) await this.expectGoodInBothThemes(`${name}-${size.width}`)
      else await expectFitsWidth(this.page)
    }
  }

  /** The browser complains of a refusal that the test has caused: this one, and nothing else until now. */
  expectRefused(status: number): void {
    expectRefusal(this.complaints.splice(0), status)
  }
}

function expectRefusal(complaints: readonly string[], status: number): void {
  expect(complaints).toEqual([expect.stringContaining(`status of ${status}`)])
}

function expectNoComplaint(complaints: readonly string[], name: string): void {
  expect(complaints, name).toEqual([])
}

interface Screen {
  name: string
  /** Below /console. */
  path: string | (() => string)
  /** The call of the API that the screen cannot do without: a part of its path. */
  call: string
  /** Words that only the empty screen has; absent where a screen is never empty. */
  emptySays?: string
  /** Words that only the full screen has. */
  fullSays: string | RegExp
}

interface People {
  /** Has nothing yet. */
  newcomer?: TestAccount
  /** Has something of everything. */
  owner: TestAccount
}

/** The console of a service, in one browser for the tests of a block. */
export function useConsole(it: TestService, { newcomer, owner }: People) {
  const browser = useChromium(WINDOWLESS)

  async function openContext(options: { viewport?: typeof DESK } = {}): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: DESK,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(TIMEOUT_MS)
    return context
  }

  /** Opens a window for the rest of the test: at this address below /console, if one is given. */
  async function open(account: TestAccount, path?: string, viewport = DESK) {
    const context = await openContext({ viewport })
    const site = it.config.siteUrl
    await context.addCookies([{ name: 'session', value: account.token, url: site.href }])
    const window = new ConsoleWindow(await context.newPage(), site)
    if (path !== undefined) await window.go(path)
    return { window, page: window.page }
  }

  /** The four states of a screen in both themes; the full one also on a phone. */
  function testScreen({ name, path, call, emptySays, fullSays }: Screen): void {
    test.runIf(EVERY_PAGE)(`${name}: empty, loading, error and full, in both themes`, async () => {
      const address = typeof path === 'string' ? path : path()
      if (emptySays !== undefined && newcomer !== undefined) {
        const { window, page } = await open(newcomer, address)
        await page.getByText(emptySays).first().waitFor()
        await window.expectGoodInBothThemes(`${name}-empty`)
        await page.close()
      }
      const { window, page } = await open(owner)
      const held: Route[] = []
      const isCall = (url: URL) => url.pathname.includes(call)
      await page.route(isCall, (route) => void held.push(route))
      await window.go(address)
      // The screen itself is there before what it shows.
      await page
        .getByRole('status', { name: /^Loading (?!the screen$)/ })
        .first()
        .waitFor()
      await window.expectGoodInBothThemes(`${name}-loading`)
      // Beside the first, which asks no more: without any route the browser would let go of what is held.
      await page.route(isCall, (route) => route.abort('connectionfailed'))
      for (const route of held) await route.abort('connectionfailed').catch(() => undefined)
      await page.getByRole('alert').first().waitFor()
      // That the connection failed is what we made the browser say.
      const { complaints } = window
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('ERR_')))
      await window.expectGoodInBothThemes(`${name}-error`)
      await page.unroute(isCall)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await window.expectGoodEverywhere(`${name}-full`, fullSays)
    })
  }

  return { open, openContext, testScreen }
}
