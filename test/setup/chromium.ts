/** A real browser. Screenshots are written only when SCREENSHOTS names a folder. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { prepare } from './harness.ts'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']

export const CHROMIUM = PATHS.find((path) => existsSync(path)) ?? null

/** The same browser without a window, which a test with many contexts opens in half the time. */
const SHELL = '/usr/bin/chromium-headless-shell'
export const WINDOWLESS = existsSync(SHELL) ? SHELL : CHROMIUM

/** Without a browser such tests are left out; in CI they fail. */
export function describeInBrowser(name: string, tests: () => void): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- both come from the test file
  describe.skipIf(CHROMIUM === null && !process.env['CI'])(name, tests)
}

/** Tests of every page, and of every state of a screen in both themes, take too long for each change: `.ci/nightly` runs them. */
export const EVERY_PAGE = process.env['EVERY_PAGE'] !== undefined

/** A browser for the tests of a file or block. */
export function useChromium(path = CHROMIUM): Browser {
  return prepare(
    () => {
      if (path === null) throw new Error('no Chromium here: apt-get install chromium')
      return chromium.launch({ executablePath: path, args: ARGUMENTS })
    },
    (browser) => browser.close(),
  )
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: Array<{ html: string }>
}

/** Rules whose result depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * People who cannot see, or use no mouse, can use the page too. A page that was checked in one theme needs only its colours
 * in the other.
 */
export async function expectAccessible(page: Page, what: 'all' | 'colours' = 'all'): Promise<void> {
  // Our policy lets no script run, so the checker comes by the debugger's way and not as a tag.
  const isThere = await page.evaluate(`typeof axe === 'object'`)
  const options = { resultTypes: ['violations'], ...(what === 'all' ? {} : { runOnly: COLOUR_RULES }) }
  const violations = await page.evaluate(
    `(() => { ${isThere ? '' : AXE}; return axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => ({ html })) }))) })()`,
  )
  const problems = (violations as Violation[]).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`)
  expect(problems, page.url()).toEqual([])
}

export async function expectFitsWidth(page: Page): Promise<void> {
  const [content, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ]
  expect(content, `${page.url()} is wider than its window`).toBeLessThanOrEqual(window)
}

/** Shows the page in a theme. Its colours have changed once the browser has drawn it. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** Every page is accessible and fits its window. One that was checked in the light needs only its colours in the dark. */
export async function expectGood(page: Page, name: string, what: 'all' | 'colours' = 'all'): Promise<void> {
  await keepScreenshot(page, name)
  await expectAccessible(page, what)
  await expectFitsWidth(page)
}
