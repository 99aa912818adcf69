/**
 * A sales-operations person with a spreadsheet, in a running `npm run dev` and a real browser, by what is on the screen alone:
 * file, mapping, cost, run, five reviews, export. Under three minutes, or it fails.
 * `npm run spreadsheet-visit [-- --screenshots folder] [address]`
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { runVisit, signUp, type Visit } from './visits/newcomer.ts'

const words = process.argv.slice(2)
const START = words.find((word) => word.startsWith('http')) ?? 'http://localhost:4000/'
const folder = words.includes('--screenshots') ? words[words.indexOf('--screenshots') + 1] : process.env['SCREENSHOTS']
const SECONDS_MAX = 180
const WINDOW = { width: 1_440, height: 900 }
const PHONE = { width: 390, height: 844 }
const RUN_MS_MAX = 90_000
const REVIEWS = 5

/** As a CRM writes it: semicolons, a header that says little, and cells that are not what the header promises. */
const FILE = [
  'Account;Site;Contact;Registered as;Post code;Owner',
  'Harbour Lantern;https://harbourlantern.co.uk/;;;;Ann',
  'Thornbeck;thornbeckbakehouse.co.uk;;;;Ann',
  'Linden;lindenwerk.de;;;;Ben',
  'Aldermoor;aldermoor.co.uk;;;;Ben',
  'Rope Walk;;hello@ropewalkpress.co.uk;;;Ben',
  'Copper Kettle;copperkettle.co.uk;;;;Ann',
  'Dora;;dora@gmail.com;;;Ann',
  'Nothing yet;;;;;Ben',
  'Lantern again;www.harbourlantern.co.uk;;;;Ann',
  'Roasters;;;Harbour Lantern Coffee Roasters Limited;EX8 6XX;Ann',
  'Sunrise;;;Sunrise Cleaning;;Ben',
  'Volta;;;Voltaneer;;Ben',
  'Brinstead;;;Brinstead Logistic;;Ann',
  'Meadow;;;Meadowgate;;Ann',
  '',
].join('\r\n')
const ROWS = FILE.trim().split('\r\n').length - 1

await runVisit({ name: 'spreadsheet visit', window: WINDOW, secondsMax: SECONDS_MAX, folder, picture }, walk)

async function walk(visit: Visit): Promise<void> {
  const { context, done } = visit
  const page = await context.newPage()
  await page.goto(START)
  await signUp(visit, page, `sheet-${Date.now()}@example.test`)
  await page.getByRole('link', { name: 'Bulk', exact: true }).click()
  await page.getByText('Drop a spreadsheet here').waitFor()
  await done(page, 'bulk')
  await send(page)
  await done(page, 'mapping')
  await page.getByRole('button', { name: 'Use these columns' }).click()
  await page.getByText('It costs at most', { exact: false }).waitFor()
  await done(page, 'cost')
  await page.getByRole('button', { name: /^Start \d+ rows?$/ }).click()
  await page.getByRole('heading', { name: 'Leads' }).waitFor()
  await done(page, 'running')
  await page.getByText('Finished', { exact: true }).first().waitFor({ timeout: RUN_MS_MAX })
  await done(page, 'finished')
  await review(visit, page)
  await exportResults(page)
  await done(page, 'exported')
}

async function send(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name: 'Leads.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
  await page.getByRole('heading', { name: 'Which columns should we use?' }).waitFor()
  // The screen asks, and the person looks at the rows and the columns.
  await page.getByLabel('Header').selectOption({ label: 'The first row' })
  const choose = (column: string, kind: string) =>
    page.getByLabel(`Column “${column}” holds`).selectOption({ label: kind })
  await choose('Site', 'Web address')
  await choose('Contact', 'E-mail')
  await choose('Registered as', 'Company name')
  await choose('Post code', 'Postcode')
  await choose('Account', '— not used —')
  await choose('Owner', '— not used —')
  await page.getByText('Each row uses the first of these that it has', { exact: false }).waitFor()
}

/** The first by its own candidates, the others together; one of them is taken back and accepted again. */
async function review({ done }: Visit, page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Needs review/ }).click()
  const table = page.getByRole('grid', { name: 'Rows' })
  await table.getByText('Aldermoor').first().click()
  await page.getByText('Which company is it?').waitFor()
  await done(page, 'review-one')
  await page
    .getByRole('button', { name: /^Accept / })
    .first()
    .click()
  await page.getByText('1 row accepted.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const boxes = table.getByRole('checkbox')
  for (let index = 0; index < REVIEWS - 1; index += 1) await boxes.nth(index).click()
  await page.getByText(`${REVIEWS - 1} rows selected`).waitFor()
  await done(page, 'review-many')
  await page.getByRole('button', { name: 'Accept the best candidate' }).click()
  await page.getByText(`${REVIEWS - 1} rows accepted.`).waitFor()
  await done(page, 'reviewed')
}

async function exportResults(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^All rows/ }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'CSV' }).check()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: `Save ${ROWS} rows` }).click()
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
  if (lines.length !== ROWS + 1) throw new Error(`the export has ${lines.length} lines for ${ROWS} rows`)
  if (!lines[0]?.includes('Registered as')) throw new Error('the export has lost the own columns')
  await page.getByText('Results saved.').waitFor()
}

/** At a desk and on a phone, in both themes; then as it was. */
async function picture(page: Page, file: string): Promise<void> {
  for (const size of [PHONE, WINDOW]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      await page.screenshot({ path: `${file}-${size.width}-${colorScheme}.png` })
    }
  }
}
