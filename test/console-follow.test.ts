/** Watch companies and read what changes about them: two screens of the console, in a real browser. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type PlainCompany, putCompanies } from '../rig/companies.ts'
import { until } from '../rig/until.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN } from './setup/companies.ts'
import { PHONE, useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { toXlsx } from './sheets/tables.ts'

const REFRESH_MS = 15_000
const OUTSIDE = { name: 'Outside world', url: 'http://localhost:4031' }

const mills = Array.from({ length: 24 }, (_, index) => ({
  number: `0400${String(index).padStart(4, '0')}`,
  name: `CORNBECK ${'ABCDEFGHIJKLMNOPQRSTUVWX'[index]} MILLS LIMITED`,
  postcode: 'HX1 1AA',
}))

describeInBrowser('Following', () => {
  const it = useTestService({ companies: [ALDER, BRACKEN, ...mills], developmentPages: [OUTSIDE] })
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount())
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  beforeAll(async () => {
    await watch(owner, [ALDER, BRACKEN, ...mills.slice(0, 21)])
    await change({ ...ALDER, status: 'liquidation' })
    await change({ ...BRACKEN, postcode: 'LS1 4AP' })
    await it.app.db.query(`update signal set detected_at = detected_at - interval '1 day' where company_number = $1`, [
      ALDER.number,
    ])
  })

  async function watch({ key }: TestAccount, companies: PlainCompany[]): Promise<void> {
    const body = { company_numbers: companies.map(({ number }) => number) }
    expect((await it.call('POST', '/v1/watchlist/bulk', { key, body })).status).toBe(200)
  }
  async function change(company: PlainCompany): Promise<void> {
    await putCompanies(it.app, [company])
    await recordQueuedChanges(it.app)
    // The service's own job may have taken it in the meantime.
    const isTaken = async () => (await it.app.db.query('select from register_change')).length === 0
    await until(isTaken, 'the change was not taken')
  }
  const watched = async ({ key }: TestAccount): Promise<string[]> =>
    (await it.call('GET', '/v1/watchlist?limit=100', { key })).body.data.map(
      (entry: { company_number: string }) => entry.company_number,
    )

  testScreen({
    name: 'watchlist',
    path: '/watchlist',
    call: '/v1/watchlists/all/companies',
    emptySays: 'You watch no companies yet',
    fullSays: mills[20]?.name ?? '',
  })
  testScreen({
    name: 'signals',
    path: '/signals',
    call: '/v1/signals',
    emptySays: 'You watch no companies yet',
    fullSays: `${ALDER.name} changed status from active to liquidation.`,
  })

  describe('Watchlist', () => {
    const entries = (page: Page) => page.getByRole('list', { name: 'Companies you watch' }).getByRole('listitem')

    test('it says how full it is and what changed last, and goes on page by page', async () => {
      const { page } = await open(owner, '/watchlist')
      await page.getByText('23 of 25 companies').waitFor()
      await expect.poll(() => entries(page).count()).toBe(20)
      await page.getByRole('button', { name: 'More companies' }).click()
      await expect.poll(() => entries(page).count()).toBe(23)
      await entries(page).getByText(`${ALDER.name} changed status from active to liquidation.`).waitFor()
      await entries(page).getByRole('link', { name: ALDER.name }).click()
      await page.getByRole('heading', { name: ALDER.name, level: 1 }).waitFor()
    })

    test('a company is added by its number, or picked by its name with keys alone, and taken off after a question', async () => {
      const account = await it.openAccount()
      const { window, page } = await open(account, '/watchlist')
      const field = page.getByLabel('Watch a company')
      await field.fill('7214938')
      await page.keyboard.press('Enter')
      await entries(page).getByText(ALDER.number).waitFor()
      await expect.poll(() => field.inputValue()).toBe('')

      await field.fill('brackenmil')
      await page.getByRole('button', { name: `Watch ${BRACKEN.name}` }).waitFor()
      await window.expectGood('watchlist-picking-light')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await entries(page).getByText(BRACKEN.number).waitFor()
      await page.getByText('2 of 25 companies').waitFor()

      await page.getByRole('button', { name: `Stop watching ${ALDER.name}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Keep watching' }).click()
      expect(await watched(account)).toHaveLength(2)
      await page.getByRole('button', { name: `Stop watching ${ALDER.name}` }).click()
      await dialog.getByRole('button', { name: 'Stop watching' }).click()
      await entries(page).getByText(ALDER.number).waitFor({ state: 'detached' })
      expect(await watched(account)).toEqual([BRACKEN.number])
    })

    test('a number that no company has is refused in words', async () => {
      const { window, page } = await open(newcomer, '/watchlist')
      await page.getByLabel('Watch a company').fill('09999999')
      await page.getByRole('button', { name: 'Watch', exact: true }).click()
      await page.getByRole('alert').getByText('09999999', { exact: false }).waitFor()
      expect(window.complaints.splice(0).join()).toContain('404')
      await window.expectGood('watchlist-refused-light')
    })

    test('a list is made, a company on it gets a note and tags, and one that was taken off comes back with them', async () => {
      const account = await it.openAccount()
      await watch(account, [BRACKEN])
      const { window, page } = await open(account, '/watchlist')
      await page.getByRole('button', { name: 'New list' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Key customers')
      await page.getByRole('button', { name: 'Make the list' }).click()
      await page.getByRole('heading', { name: 'This list is empty' }).waitFor()
      await page.getByLabel('Watch a company').fill('7214938')
      await page.keyboard.press('Enter')
      await entries(page).getByText(ALDER.number).waitFor()
      expect(await entries(page).count()).toBe(1)
      await page.getByRole('button', { name: `Note and tags of ${ALDER.name}` }).click()
      await page.getByLabel('Note', { exact: true }).fill('Their contract ends in March.')
      await page.getByLabel('Tags').fill('renewal, north')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await entries(page).getByText('Their contract ends in March.').waitFor()
      await window.expectGoodInBothThemes('watchlist-list')
      await page.getByRole('button', { name: `Take off ${ALDER.name}` }).click()
      await page.getByText('You no longer watch it.', { exact: false }).waitFor()
      await page.getByRole('heading', { name: 'This list is empty' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await entries(page).getByText('Their contract ends in March.').waitFor()
      await page.getByLabel('List', { exact: true }).selectOption('all')
      await expect.poll(() => entries(page).count()).toBe(2)
      await page.getByLabel('Tag', { exact: true }).selectOption('north')
      await expect.poll(() => entries(page).count()).toBe(1)
      expect(new URL(page.url()).searchParams.get('tag')).toBe('north')
    })

    test('a new name of a list, and new words about a company, are taken back', async () => {
      const account = await it.openAccount()
      const words = { company_number: ALDER.number, note: 'Pays late.', tags: ['north'] }
      await it.call('POST', '/v1/watchlists/default/companies', { token: account.token, body: words })
      const { body: list } = await it.call('POST', '/v1/watchlists', {
        token: account.token,
        body: { name: 'Suppliers' },
      })
      await it.call('POST', `/v1/watchlists/${list.id}/companies`, { token: account.token, body: words })
      const { page } = await open(account, `/watchlist?list=${list.id}`)
      const listName = () => page.getByLabel('List', { exact: true }).locator('option:checked').textContent()
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Vendors')
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await page.getByText('The list is “Vendors” now.').waitFor()
      await expect.poll(listName).toBe('Vendors (1)')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('The list is “Suppliers” again.').waitFor()
      await expect.poll(listName).toBe('Suppliers (1)')

      await page.getByRole('button', { name: `Note and tags of ${ALDER.name}` }).click()
      await page.getByLabel('Note', { exact: true }).fill('Pays on time.')
      await page.getByLabel('Tags').fill('')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`Note and tags of ${ALDER.name} are saved.`).waitFor()
      await entries(page).getByText('Pays on time.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`Note and tags of ${ALDER.name} are as before.`).waitFor()
      await entries(page).getByText('Pays late.').waitFor()
      await entries(page).getByText('north', { exact: true }).waitFor()
    })

    test('undo leaves a name, a note and tags alone that a colleague changed meanwhile, and says so', async () => {
      const account = await it.openAccount()
      const change = async (path: string, body: object) =>
        expect((await it.call('PATCH', `/v1/watchlists/${path}`, { token: account.token, body })).status).toBe(200)
      const made = await it.call('POST', '/v1/watchlists', { token: account.token, body: { name: 'Suppliers' } })
      const { id } = made.body
      const words = { company_number: ALDER.number, note: 'Pays late.', tags: ['north'] }
      await it.call('POST', `/v1/watchlists/${id}/companies`, { token: account.token, body: words })
      const { page } = await open(account, `/watchlist?list=${id}`)
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Vendors')
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await page.getByText('The list is “Vendors” now.').waitFor()
      await change(id, { name: 'Makers' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('The list was renamed since then, and stays “Makers”.').waitFor()

      const save = async (note: string, tags: string) => {
        await page.getByRole('button', { name: `Note and tags of ${ALDER.name}` }).click()
        await page.getByLabel('Note', { exact: true }).fill(note)
        await page.getByLabel('Tags').fill(tags)
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByText(`Note and tags of ${ALDER.name} are saved.`).waitFor()
      }
      const entry = async () =>
        (await it.call('GET', `/v1/watchlists/${id}/companies`, { token: account.token })).body.data[0]
      await save('Pays on time.', 'north')
      await change(`all/companies/${ALDER.number}`, { note: 'Pays early.' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page
        .getByText(`Note and tags of ${ALDER.name} were changed since then, and stay as they are now.`)
        .waitFor()
      await entries(page).getByText('Pays early.').waitFor()
      expect(await entry()).toMatchObject({ note: 'Pays early.', tags: ['north'] })

      // What she left alone is no part of her undo.
      await save('Pays well.', 'north')
      await change(`all/companies/${ALDER.number}`, { tags: ['south'] })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`Note and tags of ${ALDER.name} are as before.`).waitFor()
      expect(await entry()).toMatchObject({ note: 'Pays early.', tags: ['south'] })
    })

    test('companies come from a file, and the due dates of a list go to a calendar', async () => {
      const account = await it.openAccount()
      const { window, page } = await open(account, '/watchlist?list=default', PHONE)
      await page.getByText('Import from a file or a bulk job').click()
      const file = page.getByLabel('CSV or Excel file')
      const buffer = Buffer.from(`Company number,Name\n${ALDER.number},Alder\nACME,Wrong\n`)
      await file.setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
      await page.getByText('1 company added', { exact: false }).waitFor()
      await page.getByText('row 2 (ACME)', { exact: false }).waitFor()
      await entries(page).getByText(ALDER.number).waitFor()
      expect(await file.getAttribute('accept')).toContain('.xlsx')
      const rows = [
        ['Name', 'Company number'],
        ['Bracken', BRACKEN.number],
      ]
      await file.setInputFiles({ name: 'customers.xlsx', mimeType: '', buffer: await toXlsx(rows) })
      await entries(page).getByText(BRACKEN.number).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).click()
      const kept = readFileSync(await (await saved).path(), 'utf8')
      expect([kept.includes(ALDER.number), kept.includes(BRACKEN.number)]).toEqual([true, true])
      await page.getByRole('button', { name: 'Make an address' }).click()
      await page.getByText('/calendar/', { exact: false }).waitFor()
      await window.expectGood('watchlist-calendar-light')
    })

    test('a list gets e-mails of its own, which can be undone, and the settings lead to them', async () => {
      const account = await it.openAccount()
      const { window, page } = await open(account, '/watchlist?list=default#emails', PHONE)
      const emails = async () => {
        const [list] = (await it.call('GET', '/v1/watchlists', { key: account.key })).body.data
        return [list.digest, list.instant_email]
      }
      await page.getByLabel('Digest').selectOption('weekly')
      await page.getByText('“Watchlist” sends a weekly digest.').waitFor()
      await page.getByLabel('Instant e-mail').selectOption('warning')
      await page.getByText('sends a weekly digest and instant e-mails for warnings.', { exact: false }).waitFor()
      expect(await emails()).toEqual(['weekly', 'warning'])
      await window.expectGoodInBothThemes('watchlist-emails')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('“Watchlist” sends a weekly digest.').waitFor()
      expect(await emails()).toEqual(['weekly', 'off'])
      await page.getByRole('link', { name: 'All e-mail settings' }).click()
      const sending = page.getByRole('list', { name: 'Lists that send e-mails' })
      await sending.getByText('a weekly digest', { exact: false }).waitFor()
      await window.expectGood('settings-emails-light')
      await sending.getByRole('link', { name: 'Watchlist' }).click()
      await expect.poll(() => page.getByLabel('Digest').inputValue()).toBe('weekly')
    })

    test('many are added at once, and each says what became of it', async () => {
      const account = await it.openAccount()
      await watch(account, [ALDER])
      const { window, page } = await open(account, '/watchlist', PHONE)
      await page.getByText('Add many at once').click()
      const pasted = [`${ALDER.number}, ${BRACKEN.number}`, 'SC 99999', 'ACME', ...mills.map(({ number }) => number)]
      await page.getByLabel('Company numbers').fill(pasted.join('\n'))
      await page.getByRole('button', { name: 'Watch 28 companies' }).click()
      await page.getByText('24 companies are watched now.').waitFor()
      const outcomes = page.getByRole('region', { name: 'Result for each number' }).getByRole('listitem')
      expect(await outcomes.count()).toBe(28)
      const texts = await outcomes.allTextContents()
      expect(texts.slice(0, 4)).toEqual([
        'ACMENot a company number',
        'SC099999Not found',
        `${mills[23]?.number}Watchlist is full`,
        `${ALDER.number}Already watched`,
      ])
      await page.getByText('25 of 25 companies').waitFor()
      await page.getByText('The list is full.', { exact: false }).waitFor()
      await window.expectGoodInBothThemes('watchlist-many')
      expect(await watched(account)).toHaveLength(25)
      await page.getByLabel('Company numbers').fill(Array.from({ length: 1_001 }, (_, n) => n + 1).join(' '))
      await page.getByText('The list has 1,001.', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: 'Watch 1,001 companies' }).isDisabled()).toBe(true)
    })
  })

  describe('Signals', () => {
    test('they stand under the day they were learnt, each with its company and what became what', async () => {
      const { page } = await open(owner, '/signals')
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      const yesterday = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Yesterday' }) })
      expect(await yesterday.textContent()).toMatch(/Warning.*Status changed.*Active.*→.*Liquidation/)
      await yesterday.getByRole('link', { name: ALDER.name }).click()
      await page.getByRole('heading', { name: ALDER.name, level: 1 }).waitFor()
    })

    test('one kind alone is shown, the address keeps it, and a kind that has none says so', async () => {
      const { window, page } = await open(owner, '/signals')
      await page.getByLabel('Show').selectOption('status_changed')
      const lines = page.locator('.timeline > li')
      await expect.poll(() => lines.count()).toBe(1)
      expect(new URL(page.url()).searchParams.get('type')).toBe('status_changed')
      await page.reload()
      await lines.getByText('Status changed', { exact: true }).waitFor()
      expect(await lines.count()).toBe(1)
      await page.getByLabel('Show').selectOption('charge_registered')
      await page.getByRole('heading', { name: 'No signals of this type' }).waitFor()
      await window.expectGood('signals-none-of-kind-light')
      await page.getByRole('button', { name: 'Show all' }).click()
      await expect.poll(() => lines.count()).toBe(2)
      await window.go('/signals?type=nonsense')
      await expect.poll(() => lines.count()).toBe(2)
    })

    test('one or all are marked as read, which can be undone, and the menu counts the rest', async () => {
      const account = await it.openAccount()
      const [, , mill, other] = mills
      if (!mill || !other) throw new Error('there are no mills')
      await watch(account, [mill, other])
      await change({ ...mill, status: 'administration' })
      await change({ ...other, postcode: 'LS1 9ZZ' })
      const { window, page } = await open(account, '/signals')
      const menu = page.getByRole('navigation', { name: 'Screens' })
      await menu.getByLabel('2 unread').waitFor()
      await page.getByRole('button', { name: 'Mark as read' }).first().click()
      await menu.getByLabel('1 unread').waitFor()
      await page.getByLabel('Read', { exact: true }).selectOption('false')
      await expect.poll(() => page.locator('.timeline > li').count()).toBe(1)
      await window.expectGoodInBothThemes('signals-filtered')
      await page.getByRole('button', { name: 'Mark all as read' }).click()
      await page.getByRole('heading', { name: 'No signal fits' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await menu.getByLabel('1 unread').waitFor()
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).click()
      expect((await file).suggestedFilename()).toBe('signals.csv')
    })

    test('before anything happened it shows a newcomer how to make something happen, and then it appears by itself', async () => {
      const account = await it.openAccount()
      const [mill] = mills
      if (!mill) throw new Error('there are no mills')
      await watch(account, [mill])
      const { window, page } = await open(account)
      await page.clock.install()
      await window.go('/signals')
      await page.getByRole('heading', { name: 'No signals yet' }).waitFor()
      const outside = page.getByRole('link', { name: 'Change something', exact: false })
      expect(await outside.getAttribute('href')).toBe(OUTSIDE.url)
      await window.expectGood('signals-nothing-light')

      await change({ ...mill, status: 'administration' })
      await page.clock.runFor(REFRESH_MS)
      await page.getByText('1 new signal since you opened this').waitFor()
      await page.locator('.timeline > li').getByText('New', { exact: true }).waitFor()
      await change({ ...mill, status: 'liquidation' })
      await page.clock.runFor(REFRESH_MS)
      await page.getByText('2 new signals since you opened this').waitFor()
      const lines = page.locator('.timeline > li')
      expect(await lines.first().textContent()).toContain('from in administration to liquidation')
      await window.expectGood('signals-new-light')
    })

    test('older ones come by a button, and when more than a page is new none is lost in between', async () => {
      const account = await it.openAccount()
      const company = { number: '04100000', name: 'MANYTURNS LIMITED', postcode: 'HX1 1AA' }
      await putCompanies(it.app, [company])
      await recordQueuedChanges(it.app)
      await watch(account, [company])
      const move = (index: number) =>
        change({ ...company, postcode: `HX2 ${index % 10}A${'ABCDEFGHJ'[Math.floor(index / 10)]}` })
      for (let index = 0; index < 22; index += 1) await move(index)
      const { window, page } = await open(account)
      const lines = page.locator('.timeline > li')
      await page.clock.install()
      await window.go('/signals')
      await expect.poll(() => lines.count()).toBe(20)
      await page.getByRole('button', { name: 'Older signals' }).click()
      await expect.poll(() => lines.count()).toBe(22)
      for (let index = 22; index < 47; index += 1) await move(index)
      await page.clock.runFor(REFRESH_MS)
      await page.getByText('More than 20 new signals since you opened this').waitFor()
      await expect.poll(() => lines.count()).toBe(20)
      for (const count of [40, 47]) {
        await page.getByRole('button', { name: 'Older signals' }).click()
        await expect.poll(() => lines.count()).toBe(count)
      }
    })
  })
})
