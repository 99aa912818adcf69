/** Find anything with one key, and save the filter of a list under a name: in a real browser. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { changePlan } from '../src/accounts/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, publish, siteNaming, siteOf } from './setup/companies.ts'
import { PHONE, useConsole } from './setup/console.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { reviewCalls } from './setup/reviews.ts'

describeInBrowser('Find anything', () => {
  const it = useTestService({ companies: [ALDER, BRACKEN] })
  const calls = reviewCalls(it)
  const owner = prepare(() => it.openAccount({ credits: 40 }))
  const { open } = useConsole(it, { owner })
  let matched: string
  let doubtful: string
  beforeAll(async () => {
    matched = publish(it.web, siteOf(ALDER))
    doubtful = publish(it.web, siteNaming(BRACKEN))
    await calls.ask(owner, matched)
    await calls.ask(owner, doubtful)
    await it.call('POST', '/v1/bulk', { key: owner.key, body: { domains: [matched], name: 'Alderfinch suppliers' } })
    await it.settle()
  })

  const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
  const field = (page: Page) => page.getByRole('combobox', { name: 'Find anything' })
  const optionsIn = (page: Page, group: string) => palette(page).getByRole('group', { name: group }).getByRole('option')

  test('domains, companies, reviews, bulk jobs and screens are found by a few letters, and opened by keys', async () => {
    const { window, page } = await open(owner, '/usage')
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await page.keyboard.press('Control+k')
    await optionsIn(page, 'Screens').first().waitFor()
    await window.expectGoodInBothThemes('palette-start')
    await field(page).fill('alderfinch')
    await optionsIn(page, 'Domains').getByText(matched).waitFor()
    await optionsIn(page, 'Companies').getByText(ALDER.name).first().waitFor()
    await optionsIn(page, 'Bulk jobs').getByText('Alderfinch suppliers').waitFor()
    await window.expectGoodInBothThemes('palette-found')
    await page.setViewportSize(PHONE)
    await window.expectGood('palette-phone')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => optionsIn(page, 'Companies').first().getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/companies/${ALDER.number}`)

    await page.keyboard.press('Control+k')
    await optionsIn(page, 'Recent').getByText(ALDER.name).waitFor()
    await field(page).fill(BRACKEN.name.slice(0, 8))
    await optionsIn(page, 'Reviews').getByText(doubtful).click()
    await page.getByRole('heading', { name: doubtful, level: 1 }).waitFor()
    expect(window.complaints).toEqual([])
  })

  test('a watched company is found by its name or the note on it, however many are watched after it', async () => {
    const person = await it.openAccount()
    const watch = { company_number: ALDER.number, note: 'Renewal in spring' }
    await it.call('POST', '/v1/watchlists/default/companies', { key: person.key, body: watch })
    await changePlan(it.app, { accountId: person.id, plan: 'starter' })
    const later = Array.from({ length: 120 }, (_, index) => String(index + 1).padStart(8, '0'))
    await it.app.db.query(
      `insert into company (number, name, name_key, status, type, source, changed_at)
       select number, 'LATER ' || number, 'LATER', 'active', 'ltd', 'snapshot', now() from unnest($1::text[]) as number`,
      [later],
    )
    const body = { company_numbers: later }
    const imported = await it.call('POST', '/v1/watchlists/default/import', { key: person.key, body })
    expect(imported.body.counts.watched).toBe(later.length)
    const { page } = await open(person, '/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.keyboard.press('Control+k')
    for (const typed of [ALDER.name.slice(0, 9), 'spring']) {
      await field(page).fill(typed)
      await optionsIn(page, 'Watchlist').getByText(ALDER.name).waitFor()
    }
    await optionsIn(page, 'Watchlist').getByText('Renewal in spring').waitFor()
  })

  test('a button opens it too, Escape closes it, and what is not there is said', async () => {
    const { page } = await open(owner, '/settings')
    await page.getByRole('button', { name: 'Find anything' }).click()
    await field(page).fill('zzqqxx')
    await palette(page).getByText('Search the documentation for “zzqqxx”').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => palette(page).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await field(page).fill('password')
    await optionsIn(page, 'Settings').getByText('Password').waitFor()
  })

  test('a setting opens at its section, also when the settings are open', async () => {
    const { page } = await open(owner, '/usage', { width: 1_280, height: 500 })
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    const isInView = async (name: string) => {
      const box = await page.getByRole('heading', { name, level: 2, exact: true }).boundingBox()
      return box !== null && box.y >= 0 && box.y < 500
    }
    for (const [typed, heading] of [
      ['password', 'Password'],
      ['light or dark', 'Appearance'],
      ['password', 'Password'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await field(page).fill(typed)
      await optionsIn(page, 'Settings').first().click()
      await page.getByRole('heading', { name: heading, level: 2, exact: true }).waitFor()
      await expect.poll(() => isInView(heading)).toBe(true)
    }
  })

  test('what was opened elsewhere is recent, too: a company, an answer, a bulk job and a list', async () => {
    const { page } = await open(owner, `/companies/${BRACKEN.number}`)
    await page.getByRole('heading', { name: BRACKEN.name }).waitFor()
    const { body: history } = await it.call('GET', `/v1/resolutions?domain=${matched}`, { key: owner.key })
    const { body: jobs } = await it.call('GET', '/v1/bulk', { key: owner.key })
    for (const [path, title] of [
      [`/resolutions/${history.data[0].resolution_id}`, matched],
      [`/bulk/${jobs.data[0].id}`, 'Alderfinch suppliers'],
      ['/watchlist?list=default', 'Watchlist'],
    ] as const) {
      await page.goto(new URL(`/console${path}`, it.config.siteUrl).href)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    await page.keyboard.press('Control+k')
    const titles = optionsIn(page, 'Recent').locator('span:first-child')
    await expect
      .poll(() => titles.allTextContents())
      .toEqual(['Watchlist', 'Alderfinch suppliers', matched, BRACKEN.name])
  })

  test('a saved view of a bulk job has its filter and no open row, and is known while a row is open', async () => {
    const { body: jobs } = await it.call('GET', '/v1/bulk', { key: owner.key })
    const { page } = await open(owner, `/bulk/${jobs.data[0].id}?row=1`)
    await page.getByRole('complementary', { name: 'Row 1' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save this view' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Matched/ }).click()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Found ones')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const view = page.getByRole('list', { name: 'Saved views' }).getByRole('link', { name: 'Found ones' })
    await expect.poll(() => view.getAttribute('aria-current')).toBe('true')
    expect(new URL(page.url()).searchParams.get('row')).toBe('1')
    expect((await view.getAttribute('href'))?.endsWith(`${jobs.data[0].id}?state=matched`)).toBe(true)
  })

  test('a failing source says so, and the others still show what they found', async () => {
    const { page } = await open(owner, '/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.route(/\/v1\/companies\/search/, (route) => route.abort('connectionfailed'))
    await page.keyboard.press('Control+k')
    await field(page).fill('alderfinch')
    await optionsIn(page, 'Domains').getByText(matched).waitFor()
    await palette(page).getByText('Some results could not be loaded').waitFor()
  })

  test('the filter of a list is saved under a name, reached from the list and from anywhere, removed and brought back', async () => {
    const { window, page } = await open(owner, '/resolutions?outcome=matched')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Our matches')
    await window.expectGood('view-save')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const views = page.getByRole('list', { name: 'Saved views' })
    await views.getByRole('link', { name: 'Our matches' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save this view' }).count()).toBe(0)
    await window.expectGoodEverywhere('views-bar', 'Our matches')

    await window.go('/usage')
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('our mat')
    await optionsIn(page, 'Saved views').getByText('Our matches').click()
    await expect.poll(() => new URL(page.url()).search).toBe('?outcome=matched')

    await page.getByRole('button', { name: 'Remove the view Our matches' }).click()
    await page.getByText('The view “Our matches” is removed.').waitFor()
    await expect.poll(() => views.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await views.getByRole('link', { name: 'Our matches' }).waitFor()
    expect(window.complaints).toEqual([])
  })
})
