/** The pages a person sees first, in a real browser: accessible, small, usable on a phone, in light and dark. */
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { readPages } from '../src/entry/site/docs/pages.ts'
import { authorizePath, connectAgent, newPkce, REDIRECT, redeem, registerClient } from './setup/agent-walk.ts'
import {
  describeInBrowser,
  expectAccessible,
  expectFitsWidth,
  keepScreenshot,
  launchChromium,
} from './setup/chromium.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const PAGE_BYTES_MAX = 50_000
const LOOKS = [
  { name: 'phone-light', width: 360, height: 740, colorScheme: 'light' },
  { name: 'phone-dark', width: 360, height: 740, colorScheme: 'dark' },
  { name: 'desk-light', width: 1_280, height: 800, colorScheme: 'light' },
  { name: 'desk-dark', width: 1_280, height: 800, colorScheme: 'dark' },
] as const

describeInBrowser('in a browser', () => {
  const it = useTestService()
  let owner: TestAccount
  const browser = prepare(launchChromium, (each) => each.close())
  let clientId: string
  beforeAll(async () => {
    owner = await it.signUp()
    clientId = await registerClient(it, { client_name: 'Desk Agent' })
  }, 120_000)

  const at = (path: string) => new URL(path, it.config.siteUrl).href

  async function look(look: (typeof LOOKS)[number], options: { signedIn?: boolean } = {}) {
    const { width, height, colorScheme } = look
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    context.setDefaultTimeout(10_000)
    if (options.signedIn) await context.addCookies([{ name: 'session', value: owner.token, url: at('/') }])
    return context
  }

  /** A page in the dark is also looked at in the light, at the same width: there only its colours can be wrong. */
  async function expectGood(page: Page, name: string, what?: 'all' | 'colours'): Promise<void> {
    await keepScreenshot(page, name)
    await expectAccessible(page, what ?? (name.includes('-dark-') ? 'colours' : 'all'))
    await expectFitsWidth(page)
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
    ['oauth-error', '/oauth/authorize?client_id=nobody'],
    ['bad-unsubscribe', '/unsubscribe?token=x'],
  ] as const

  test.each(LOOKS)('$name: every public page', async (how) => {
    const context = await look(how)
    const page = await context.newPage()
    for (const [name, path] of PUBLIC) {
      const bytes = await measure(page, () => page.goto(at(path)))
      expect(bytes, path).toBeLessThanOrEqual(PAGE_BYTES_MAX)
      await expectGood(page, `${how.name}-${name}`)
    }
    await context.close()
  })

  test('every page of the documentation, on a desk in the light and on a phone in the dark', async () => {
    const context = await look(LOOKS[2])
    const page = await context.newPage()
    for (const { slug } of readPages(it.app).flatMap((group) => group.pages)) {
      await page.goto(at(`/docs/${slug}`))
      for (const { name, width, height, colorScheme } of [LOOKS[2], LOOKS[1]]) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        await expectGood(page, `${name}-docs-${slug}`, 'all')
      }
    }
    await context.close()
  })

  /** Counts the bytes of the page and of all it loads. */
  async function measure(page: Page, go: () => Promise<unknown>): Promise<number> {
    let bytes = 0
    const count = async (response: { body(): Promise<Buffer> }) => {
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length
    }
    const counted: Array<Promise<void>> = []
    const listen = (response: { body(): Promise<Buffer> }) => void counted.push(count(response))
    page.on('response', listen)
    await go()
    await Promise.all(counted)
    page.off('response', listen)
    return bytes
  }

  test.each(LOOKS)('$name: sign in at the request of a program, allow it, change its cap, end it', async (how) => {
    const context = await look(how)
    const page = await context.newPage()
    const walk = { clientId, pkce: newPkce() }
    const { arrived } = await catchCallback(context)
    await page.goto(at(authorizePath({ ...walk, browser: undefined as never })))
    await expectGood(page, `${how.name}-connect-sign-in`)
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await expectGood(page, `${how.name}-connect-wrong`)
    // Signed in for this test alone: it signs out at the end.
    const { email, password } = owner
    const { token } = (await it.call('POST', '/v1/auth/login', { body: { email, password } })).body
    await context.addCookies([{ name: 'session', value: token, url: at('/') }])
    await page.goto(at(authorizePath({ ...walk, browser: undefined as never })))
    await page.getByRole('heading', { name: 'Let this program use your account?' }).waitFor()
    await expectGood(page, `${how.name}-consent`)
    await page.getByLabel('At most this many credits a day').fill('7')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    const code = (await arrived).searchParams.get('code') ?? ''
    const redeemed = await redeem(it, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      client_id: clientId,
      code_verifier: walk.pkce.verifier,
    })
    await using agent = await connect(it, { authorization: `Bearer ${redeemed.body.access_token}` })
    expect((await agent.ask('get_account')).structured.connection).toMatchObject({ daily_credit_cap: 7 })
    await page.waitForURL('http://127.0.0.1:8765/**')

    await page.goto(at('/connected-apps'))
    await page.getByText('0 of 7 credits used today.').first().waitFor()
    await expectGood(page, `${how.name}-connected`)
    await page.getByLabel('Daily credit cap').first().fill('9')
    await page.getByRole('button', { name: 'Change the cap' }).first().click()
    await page.getByText('0 of 9 credits used today.').first().waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await page.getByText('The program is disconnected.').waitFor()
    await expectGood(page, `${how.name}-ended`)
    await page.goto(at('/account'))
    await expectGood(page, `${how.name}-account`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(at('/connected-apps'))
    expect(page.url()).toContain('/sign-in?next=%2Fconnected-apps')
    await context.close()
  })

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
    const context = await look(LOOKS[2])
    const page = await context.newPage()
    const email = 'first.visit@customer.test'
    await page.goto(at('/sign-up'))
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('nine copper kettles')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor()
    await expectGood(page, 'sign-up-sent')
    await it.settle()
    const link = /https?:\/\/\S+/.exec(it.mailbox.mailsTo(email).at(-1)?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await expectGood(page, 'verify-email')
    await page.getByRole('button', { name: 'Verify my address' }).click()
    await page.getByRole('status').waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('nine copper kettles')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Which company is behind this domain?' }).waitFor()
    await page.getByText('25 credits available').waitFor()
    await context.close()
  })

  test('no page but the console runs a script or loads anything from elsewhere', async () => {
    await connectAgent(it, owner, { clientId })
    const context = await look(LOOKS[2], { signedIn: true })
    const page = await context.newPage()
    // A person who is signed in is led from there to the console.
    const pages = PUBLIC.map(([, path]) => path).filter((path) => path !== '/sign-in')
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== it.config.siteUrl.origin) elsewhere.push(request.url())
    })
    for (const path of ['/account', '/connected-apps', ...pages]) {
      await page.goto(at(path))
      expect(await page.locator('script').count(), path).toBe(0)
    }
    expect(elsewhere).toEqual([])
    await context.close()
  })
})
