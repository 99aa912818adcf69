/** The pages a person sees first, in a real browser: accessible, small, usable on a phone, in light and dark. */
import type { BrowserContext, Page, Response } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { readPages } from '../src/entry/site/docs/pages.ts'
import { authorizePath, connectAgent, newPkce, redeemCode, registerClient } from './setup/agent-walk.ts'
import { describeInBrowser, EVERY_PAGE, expectGood, showIn, useChromium } from './setup/chromium.ts'
import { linkIn, prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

/** Without the typeface, as sent before compression. */
const PAGE_BYTES_MAX = 150_000
const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1_280, height: 800 } }

describeInBrowser('in a browser', () => {
  const it = useTestService()
  const owner = prepare(() => it.openAccount())
  const client = prepare(async () => ({ id: await registerClient(it, { client_name: 'Desk Agent' }) }))
  const browser = useChromium()

  const at = (path: string) => new URL(path, it.config.siteUrl).href

  /** Opens a page for the rest of the test. */
  async function open(viewport = SIZES.desk): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(10_000)
    return { context, page: await context.newPage() }
  }

  async function expectGoodInBothThemes(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      await expectGood(page, `${name}-${colorScheme}`, colorScheme === 'light' ? 'all' : 'colours')
    }
  }

  const PUBLIC = [
    ['home', '/'],
    ['sign-in', '/sign-in'],
    ['verified', '/sign-in?verification=verified'],
    ['expired', '/sign-in?verification=expired'],
    ['sign-up', '/sign-up'],
    ['forgot', '/forgot-password'],
    ['reset', '/reset-password?token=x'],
    ['docs', '/docs'],
    ['errors', '/docs/errors'],
    ['error', '/docs/errors/insufficient_credits'],
    ['bot', '/bot'],
    ['pricing', '/pricing'],
    ['privacy', '/privacy'],
    ['terms', '/terms'],
    ['status', '/status'],
    ['docs-search', '/docs/search?q=verify+a+webhook'],
    ['missing', '/no-such-page'],
    ['design', '/design'],
    ['oauth-error', '/oauth/authorize?client_id=nobody'],
    ['bad-unsubscribe', '/unsubscribe?token=x'],
  ] as const

  test.runIf(EVERY_PAGE)('every public page, at a desk and on a phone', async () => {
    const { page } = await open()
    for (const [name, path] of PUBLIC) {
      const bytes = await measure(page, () => page.goto(at(path)))
      expect(bytes, path).toBeLessThanOrEqual(PAGE_BYTES_MAX)
      for (const size of [SIZES.desk, SIZES.phone]) {
        await page.setViewportSize(size)
        await expectGoodInBothThemes(page, `${name}-${size.width}`)
      }
    }
  })

  test.runIf(EVERY_PAGE)(
    'every page of the documentation, on a desk in the light and on a phone in the dark',
    async () => {
      const { page } = await open()
      for (const { slug } of readPages(it.app).flatMap((group) => group.pages)) {
        await page.goto(at(`/docs/${slug}`))
        for (const [size, colorScheme] of [
          ['desk', 'light'],
          ['phone', 'dark'],
        ] as const) {
          await page.setViewportSize(SIZES[size])
          await showIn(page, colorScheme)
          await expectGood(page, `docs-${slug}-${size}-${colorScheme}`)
        }
      }
    },
  )

  /** Counts the bytes of the page and of all it loads. */
  async function measure(page: Page, go: () => Promise<unknown>): Promise<number> {
    let bytes = 0
    const count = async (response: Response) => {
      if (response.url().endsWith('.woff2')) return
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length
    }
    const counted: Array<Promise<void>> = []
    const listen = (response: Response) => void counted.push(count(response))
    page.on('response', listen)
    await go()
    await Promise.all(counted)
    page.off('response', listen)
    return bytes
  }

  test.each(['phone', 'desk'] as const)(
    '%s: sign in at the request of a program, allow it, change its cap, end it',
    async (size) => {
      const { context, page } = await open(SIZES[size])
      const walk = { clientId: client.id, pkce: newPkce() }
      const { arrived } = await catchCallback(context)
      await page.goto(at(authorizePath({ ...walk, browser: undefined as never })))
      await expectGoodInBothThemes(page, `${size}-connect-sign-in`)
      await page.getByLabel('E-mail address').fill(owner.email)
      await page.getByLabel('Password').fill('not this one')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      await expectGoodInBothThemes(page, `${size}-connect-wrong`)
      // Signed in for this test alone: it signs out at the end.
      const { email, password } = owner
      const { token } = (await it.call('POST', '/v1/auth/login', { body: { email, password } })).body
      await context.addCookies([{ name: 'session', value: token, url: at('/') }])
      await page.goto(at(authorizePath({ ...walk, browser: undefined as never })))
      await page.getByRole('heading', { name: 'Let this program use your account?' }).waitFor()
      await expectGoodInBothThemes(page, `${size}-consent`)
      await page.getByLabel('At most this many credits a day').fill('7')
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      const redeemed = await redeemCode(it, { ...walk, callback: await arrived })
      await using agent = await connect(it, { authorization: `Bearer ${redeemed.body.access_token}` })
      expect((await agent.ask('get_account')).structured.connection).toMatchObject({ daily_credit_cap: 7 })
      await page.waitForURL('http://127.0.0.1:8765/**')

      await page.goto(at('/connected-apps'))
      await page.getByText('0 of 7 credits used today.').first().waitFor()
      await expectGoodInBothThemes(page, `${size}-connected`)
      await page.getByLabel('Daily credit cap').first().fill('9')
      await page.getByRole('button', { name: 'Change the cap' }).first().click()
      await page.getByText('0 of 9 credits used today.').first().waitFor()
      await page.getByRole('button', { name: 'Disconnect' }).first().click()
      await page.getByText('The program is disconnected.').waitFor()
      await expectGoodInBothThemes(page, `${size}-ended`)
      await page.goto(at('/account'))
      await expectGoodInBothThemes(page, `${size}-account`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(at('/connected-apps'))
      expect(page.url()).toContain('/sign-in?next=%2Fconnected-apps')
    },
  )

  /** The program's own address is on this machine; the browser is stopped on its way there. */
  async function catchCallback(context: BrowserContext): Promise<{ arrived: Promise<URL> }> {
    let arrive: (url: URL) => void
    const arrived = new Promise<URL>((resolve) => (arrive = resolve))
    await context.route('http://127.0.0.1:8765/**', (route) => {
      arrive(new URL(route.request().url()))
      return route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>Connected</title>' })
    })
    return { arrived }
  }

  test('a new person signs up, verifies by the link in the mailbox, and signs in', async () => {
    const { page } = await open()
    const email = 'first.visit@customer.test'
    await page.goto(at('/sign-up'))
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('nine copper kettles')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
    await expectGood(page, 'sign-up-sent')
    await it.settle()
    await page.goto(linkIn(it.mailbox, email).href)
    await expectGood(page, 'verify-email')
    await page.getByRole('button', { name: 'Verify my address' }).click()
    await page.getByRole('status').waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('nine copper kettles')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Which company is behind this domain?' }).waitFor()
    await page.getByText('25 credits available').waitFor()
  })

  test('only the landing page and the documentation run a script, our own, and no page loads anything from elsewhere', async () => {
    await connectAgent(it, owner, { clientId: client.id })
    const { context, page } = await open()
    await context.addCookies([{ name: 'session', value: owner.token, url: at('/') }])
    // A person who is signed in is led from there to the console.
    const pages = PUBLIC.map(([, path]) => path).filter((path) => path !== '/sign-in')
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== it.config.siteUrl.origin) elsewhere.push(request.url())
    })
    for (const path of ['/account', '/connected-apps', ...pages]) {
      await page.goto(at(path))
      const scripts = page.locator('script:not([type="application/ld+json"])')
      const isHelped = path === '/' || path.startsWith('/docs')
      expect(await scripts.count(), path).toBe(isHelped ? 1 : 0)
    }
    expect(elsewhere).toEqual([])
  })
})
