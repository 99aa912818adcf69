/**
 * Takes the pictures of the landing page from a running `npm run dev`: the real answer screen in both themes, and the card for
 * previews of links. `PORT=4000 node tools/site-pictures.ts`
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const SITE = `http://localhost:${process.env['PORT'] ?? 4_000}`
const FOLDER = join(import.meta.dirname, '../src/entry/site/images')
const EXAMPLE = 'harbourlantern.co.uk'

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
})
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1_200, height: 860 }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(`${SITE}/sign-in`)
  await page.getByLabel('E-mail address').fill('dev@nameplate.test')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('textbox').first().fill(EXAMPLE)
  await page.keyboard.press('Enter')
  await page.locator('#answer').waitFor()
  // The bar of development is none of the product.
  await page.locator('.development').evaluate((bar) => bar.remove())
  await page.waitForTimeout(1_000)
  await page.evaluate('scrollTo(0, 0)')
  await take(page, `answer-${colorScheme}.webp`, 'webp')
  await page.close()
}
const card = await browser.newPage({ viewport: { width: 1_200, height: 630 }, reducedMotion: 'reduce' })
await card.goto(`${SITE}/?domain=${EXAMPLE}`)
await card.locator('.site-head').evaluate((head) => head.remove())
await take(card, 'card.jpg', 'jpeg')
await browser.close()

async function take(page: Page, name: string, format: 'webp' | 'jpeg'): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format, quality: 72 })
  writeFileSync(join(FOLDER, name), Buffer.from(data, 'base64'))
}
