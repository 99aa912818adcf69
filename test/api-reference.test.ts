/** The page of the API reference draws itself under a policy that runs no inline script but its own. */
import { expect, test } from 'vitest'
import { describeInBrowser, keepScreenshot, useChromium } from './setup/chromium.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService({ work: false })

test('the API reference allows no inline script on the origin of the session cookie', async () => {
  const [first, second] = [await it.visit('GET', '/docs/api/'), await it.visit('GET', '/docs/api/')]
  const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? ''
  const scripts = /script-src ([^;]*)/.exec(policyOf(first.headers))?.[1] ?? ''
  expect(scripts).toMatch(/^'self' 'nonce-[\w-]{22}'$/)
  expect(policyOf(first.headers)).not.toMatch(/(script-src|default-src)[^;]*'unsafe-/)
  const nonce = /'nonce-([\w-]+)'/.exec(scripts)?.[1] ?? ''
  const tags = [...first.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
  expect(tags.length).toBeGreaterThan(0)
  for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
  // A nonce that was seen once is worth nothing.
  expect(policyOf(second.headers)).not.toContain(nonce)
})

describeInBrowser('in a browser', () => {
  const browser = useChromium()

  test.each(['/docs/api/', '/docs/proof'])('%s breaks no rule of its own policy', { timeout: 60_000 }, async (path) => {
    const page = await browser.newPage()
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
    })
    await page.goto(new URL(path, it.config.siteUrl).href)
    const drawn = path === '/docs/proof' ? 'h1' : 'text=Open an account'
    await page.waitForSelector(drawn, { timeout: 30_000, state: 'attached' })
    await keepScreenshot(page, `policy-${path.replaceAll('/', '-')}`)
    expect(refused).toEqual([])
    await page.close()
  })
})
