/** The columns of a file, and its rows on the screen: mapped, filtered, opened, decided and saved, in a real browser. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { writeXlsx } from '../src/lib/sheets/write-xlsx.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, publish, SITES, siteNaming } from './setup/companies.ts'
import { PHONE, useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'

const REVIEWS = 6

describeInBrowser('Bulk rows', () => {
  const it = useTestService({ companies: [ALDER, BRACKEN], sites: SITES })
  const owner = prepare(() => it.openAccount({ credits: 40 }))
  const { open } = useConsole(it, { owner })
  let bulkId: string
  beforeAll(async () => {
    const unclear = Array.from({ length: REVIEWS }, () => publish(it.web, siteNaming(BRACKEN)))
    const lines = ['alderfinch.co.uk,Ann', 'garden-diary.co.uk,Ben', ...unclear.map((domain) => `${domain},Cleo`)]
    bulkId = await sendTable(owner, `Website,Owner\n${lines.join('\n')}\n`)
    await it.settle()
  })

  async function sendTable({ token }: TestAccount, rawBody: string): Promise<string> {
    const headers = { 'content-type': 'text/csv' }
    const file = (await it.call('POST', '/v1/bulk/files?name=rows.csv', { token, rawBody, headers })).body
    const body = { file_id: file.id, columns: { web_address: 1 }, name: 'Rows' }
    return (await it.call('POST', '/v1/bulk', { token, body })).body.id as string
  }
  const choose = (page: Page, name: string, content: string | Buffer) =>
    page.getByLabel('File to send').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
  const columnOf = (page: Page, name: string) => page.getByLabel(`Column “${name}” holds`)
  const table = (page: Page) => page.getByRole('grid', { name: 'Rows' })
  const lineOf = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })

  test('a header that says nothing: the screen asks, and nothing starts before the answer', async () => {
    const person = await it.openAccount({ credits: 4 })
    const { window, page } = await open(person, '/bulk')
    await choose(page, 'odd.csv', 'Alpha,Beta\nred,Alderfinch Joinery\nblue,Brackenmill Textiles\n')
    await page.getByText('Which columns should we use?').waitFor()
    await page.getByLabel('Header').selectOption({ label: 'The first row' })
    await columnOf(page, 'Alpha').selectOption({ label: '— not used —' })
    await columnOf(page, 'Beta').selectOption({ label: '— not used —' })
    expect(await page.getByRole('button', { name: 'Use these columns' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Start/ }).count()).toBe(0)
    await window.expectGoodEverywhere('bulk-asks', 'Which columns should we use?')
    await columnOf(page, 'Beta').selectOption({ label: 'Company name' })
    await page.getByText('Each row uses its company name (column “Beta”).').waitFor()
    await page.getByRole('button', { name: 'Use these columns' }).click()
    await page.getByText('This file is free').waitFor()
    await page.getByRole('button', { name: 'Start 2 rows' }).waitFor()

    // A kind is in one column: the other choice goes.
    await columnOf(page, 'Alpha').selectOption({ label: 'Company name' })
    expect(await columnOf(page, 'Beta').inputValue()).toBe('none')
  })

  test('a header below four lines of a title is shown as the first 5 rows, and up to 10 can be chosen', async () => {
    const person = await it.openAccount({ credits: 1 })
    const { page } = await open(person, '/bulk')
    const title = 'Leads of May,,\nMade by Ann,,\nFor the north,,\nConfidential,,\n'
    await choose(page, 'titled.csv', `${title}Website,Town,Company number\nalderfinch.co.uk,Ripon,${ALDER.number}\n`)
    await columnOf(page, 'Website').waitFor()
    const header = page.getByLabel('Header')
    expect(await header.locator('option:checked').textContent()).toBe('The first 5 rows')
    expect(await header.locator('option').last().textContent()).toBe('The first 10 rows')
  })

  test('a workbook with two sheets: the sheet is chosen, and its own columns come back', async () => {
    const person = await it.openAccount({ credits: 4 })
    const { window, page } = await open(person, '/bulk')
    const sheet = (name: string, rows: string[][]) => ({ name, columns: [], rows: pages(rows) })
    const content = await gather(
      writeXlsx({
        sheets: [
          sheet('Read me', [['About this file'], ['made in May']]),
          sheet('Leads', [
            ['Name', 'Website'],
            ['Alder', 'alderfinch.co.uk'],
            ['Garden', 'garden-diary.co.uk'],
          ]),
        ],
      }),
    )
    await choose(page, 'two sheets.xlsx', content)
    await page.getByLabel('Sheet').selectOption('Leads')
    await columnOf(page, 'Website').waitFor()
    await page.getByText('Our guess: please check').waitFor()
    await page.getByText('1 other sheet is not in the results.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Use these columns' }).click()
    await page.getByRole('button', { name: 'Start 2 rows' }).waitFor()
    await window.expectGood('bulk-sheets')
    await page.getByRole('button', { name: 'Start 2 rows' }).click()
    await page.getByText('two sheets.xlsx, sheet Leads', { exact: false }).waitFor()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    await lineOf(page, 'alderfinch.co.uk').getByText(ALDER.name).first().waitFor()
  })

  test('names with postcodes are found in the register, free; the same header is known the next time', async () => {
    const person = await it.openAccount({ credits: 1 })
    const { page } = await open(person, '/bulk')
    const names = `Firm;Post code\nAlderfinch Joinery Ltd;${ALDER.postcode}\nNo Such Firm Anywhere Ltd;ZZ1 1ZZ\n`
    await choose(page, 'names.csv', names)
    await page.getByText('Which columns should we use?').waitFor()
    await page.getByLabel('Header').selectOption({ label: 'The first row' })
    await columnOf(page, 'Firm').selectOption({ label: 'Company name' })
    await columnOf(page, 'Post code').selectOption({ label: 'Postcode' })
    await page.getByText('Each row uses its company name (column “Firm”) with postcode (column “Post code”).').waitFor()
    const confirm = page.getByRole('button', { name: 'Use these columns' })
    const start = page.getByRole('button', { name: 'Start 2 rows' })
    await confirm.or(start).first().waitFor()
    if (await confirm.isVisible()) await confirm.click()
    await page.getByText('This file is free').waitFor()
    await start.click()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    await lineOf(page, 'Alderfinch Joinery Ltd').getByText(ALDER.name).first().waitFor()
    await lineOf(page, 'No Such Firm').getByText('No match').waitFor()
    expect((await it.creditsOf(person)).available).toBe(1)

    await page.getByRole('link', { name: 'Bulk', exact: true }).first().click()
    await choose(page, 'more names.csv', names)
    await page.getByText('You sent a file with this header before.', { exact: false }).waitFor()
    expect(await columnOf(page, 'Firm').inputValue()).toBe('company_name')
  })

  test('rows are filtered, searched and sorted; the address brings a colleague to the same rows', async () => {
    const { window, page } = await open(owner, `/bulk/${bulkId}`)
    await lineOf(page, 'alderfinch.co.uk').getByText(ALDER.name).first().waitFor()
    expect(await table(page).getAttribute('aria-rowcount')).toBe(String(REVIEWS + 3))
    await window.expectGoodEverywhere('bulk-rows', ALDER.name)
    await page.setViewportSize({ width: 1_280, height: 900 })

    await page.getByRole('button', { name: /^Needs review/ }).click()
    await page.getByText(`${REVIEWS} of ${REVIEWS + 2} rows shown`, { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Search rows').fill('ben')
    await page.getByText(`1 of ${REVIEWS + 2} rows shown`, { exact: false }).waitFor()
    await page.getByLabel('Search rows').fill('')
    await page.getByText(`${REVIEWS + 2} rows`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Row', exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=row&order=desc')
    await expect.poll(() => table(page).getByRole('row').nth(1).textContent()).toMatch(new RegExp(`^${REVIEWS + 2}`))
    await page.getByLabel('Confidence from').fill('90')
    await page.getByText(`1 of ${REVIEWS + 2} rows shown`, { exact: false }).waitFor()
    const { page: colleague } = await open(owner, `/bulk/${bulkId}${new URL(page.url()).search}`)
    await colleague.getByText(`1 of ${REVIEWS + 2} rows shown`, { exact: false }).waitFor()
    await page.getByLabel('Search rows').fill('no row has this')
    await page.getByText('No rows fit these filters').waitFor()
    await window.expectGood('bulk-rows-none')

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByLabel('Cost').check()
    await window.expectGood('bulk-columns')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.reload()
    await lineOf(page, 'alderfinch.co.uk').getByText('1 credit').waitFor()
    expect(window.complaints).toEqual([])
  })

  test('a row opens with its proof, by mouse, by keyboard and on a phone', async () => {
    const { window, page } = await open(owner, `/bulk/${bulkId}`)
    await lineOf(page, 'alderfinch.co.uk').click()
    const drawer = page.getByRole('complementary', { name: 'Row 1' })
    await drawer.getByText(`Company number ${ALDER.number}`, { exact: false }).first().waitFor()
    await drawer.getByText('You paid one credit.').waitFor()
    await window.expectGoodInBothThemes('bulk-row')
    await table(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('complementary', { name: 'Row 2' }).getByText('Ben').waitFor()
    expect(new URL(page.url()).search).toBe('?row=2')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page
      .getByRole('complementary', { name: `Row ${REVIEWS + 2}` })
      .getByText(BRACKEN.name)
      .first()
      .waitFor()

    const { window: phone, page: small } = await open(owner, `/bulk/${bulkId}?row=1`, PHONE)
    await small.getByRole('dialog', { name: 'Row 1' }).getByText('You paid one credit.').waitFor()
    await phone.expectGood('bulk-row-phone')
    await small.getByRole('button', { name: 'Close' }).click()
    await small.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('many rows are decided together, and the decision is taken back', async () => {
    const { window, page } = await open(owner, `/bulk/${bulkId}?state=needs_review`)
    const boxes = table(page).getByRole('checkbox')
    await boxes.nth(0).click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await page.getByText('4 rows selected').waitFor()
    await window.expectGood('bulk-selected')
    await page.getByRole('button', { name: 'Accept the best candidate' }).click()
    await page.getByText('4 rows accepted.').waitFor()
    await page.getByRole('button', { name: `Needs review ${REVIEWS - 4}` }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('4 rows put back as before.').waitFor()
    await page.getByRole('button', { name: `Needs review ${REVIEWS}` }).waitFor()

    await page.getByRole('button', { name: `Select all ${REVIEWS} that need review` }).click()
    await page.getByText(`${REVIEWS} rows selected`).waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('button', { name: `Reject for ${REVIEWS} rows` }).click()
    await page.getByText(`${REVIEWS} rows rejected.`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${REVIEWS} rows put back as before.`).waitFor()

    await table(page).getByRole('row').nth(1).click()
    await page.getByRole('button', { name: `Accept ${BRACKEN.name}` }).click()
    await page.getByText('1 row accepted.').waitFor()
    await page.getByRole('button', { name: 'Undo the decision' }).click()
    await page.getByText('1 row returned to review.').waitFor()
    expect(window.complaints).toEqual([])
  })

  test('undo leaves decisions alone that it did not make, and brings back those that were changed', async () => {
    const person = await it.openAccount({ credits: 5 })
    const domains = Array.from({ length: 3 }, () => publish(it.web, siteNaming(BRACKEN)))
    const id = await sendTable(person, `Website,Owner\n${domains.map((domain) => `${domain},Ann`).join('\n')}\n`)
    await it.settle()
    const rows = [
      { row: 1, action: 'accept' },
      { row: 2, action: 'reject', reason: 'A reseller.' },
    ]
    await it.call('POST', `/v1/bulk/${id}/decisions`, { token: person.token, body: { rows } })
    const { page } = await open(person, `/bulk/${id}`)
    const boxes = table(page).getByRole('checkbox')
    await boxes.nth(0).click()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    await page.getByText('3 rows selected').waitFor()
    await page.getByRole('button', { name: 'Accept the best candidate' }).click()
    await page.getByText('2 rows accepted, 1 was so before.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 rows put back as before.').waitFor()
    const { data } = (await it.call('GET', `/v1/bulk/${id}/rows`, { token: person.token })).body
    const actions = data.map(({ decision }: { decision: { action: string } | null }) => decision?.action ?? null)
    expect(actions).toEqual(['accept', 'reject', null])
  })

  test('20 rows are decided after a question, and taken back also where the first response was lost', async () => {
    const person = await it.openAccount({ credits: 25 })
    const domains = Array.from({ length: 20 }, () => publish(it.web, siteNaming(BRACKEN)))
    const id = await sendTable(person, `Website,Owner\n${domains.map((domain) => `${domain},Ann`).join('\n')}\n`)
    await it.settle()
    const { page } = await open(person, `/bulk/${id}`)
    let sent = 0
    await page.route('**/decisions', async (route) => {
      if (route.request().method() !== 'POST' || sent++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Select all 20 that need review' }).click()
    await page.getByText('20 rows selected').waitFor()
    await page.getByRole('button', { name: 'Accept the best candidate' }).click()
    await page.getByRole('button', { name: 'Accept the best candidate for 20 rows' }).click()
    await page.getByText('20 rows accepted.').waitFor()
    expect(sent).toBe(2)
    // A colleague decides one of them before the undo.
    const rows = [{ row: 7, action: 'reject' }]
    await it.call('POST', `/v1/bulk/${id}/decisions`, { token: person.token, body: { rows } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('19 rows put back as before, 1 not.').waitFor()
    const { data } = (await it.call('GET', `/v1/bulk/${id}/rows?state=no_match`, { token: person.token })).body
    expect(data.map(({ row }: { row: number }) => row)).toEqual([7])
  })

  test('all rows are decided only after a list of what each would get', async () => {
    const person = await it.openAccount({ credits: 1 })
    const names = Array.from({ length: 103 }, (_, index) => `Brackenmill Textiles Depot ${index + 1}`)
    const headers = { 'content-type': 'text/csv' }
    const rawBody = `Name\n${names.join('\n')}\n`
    const file = (await it.call('POST', '/v1/bulk/files', { token: person.token, rawBody, headers })).body
    const body = { file_id: file.id, header_rows: 1, columns: { company_name: 1 } }
    const { id } = (await it.call('POST', '/v1/bulk', { token: person.token, body })).body
    await it.settle()
    const { window, page } = await open(person, `/bulk/${id}`)
    await page.getByRole('button', { name: 'Select all 103 that need review' }).click()
    await page.getByRole('button', { name: 'Accept the best candidate' }).click()
    const listed = page.getByRole('dialog').getByRole('region', { name: 'Rows of this decision' })
    const first = await listed.getByRole('row').nth(1).textContent()
    expect(first).toBe(`1${names[0]}${BRACKEN.name} ${BRACKEN.number}`)
    expect(await listed.getByRole('row').count()).toBe(101)
    await listed.getByText('and 3 more').waitFor()
    await window.expectGoodEverywhere('bulk-decide-all', 'Free. It applies only to your account')
    await page.getByRole('button', { name: 'Accept the best candidate for 103 rows' }).click()
    await page.getByText('103 rows accepted.').waitFor()
    expect(window.complaints).toEqual([])
  })

  test('the question before many rows counts only the decisions that it replaces, and says what it leaves', async () => {
    const person = await it.openAccount({ credits: 1 })
    const names = Array.from({ length: 21 }, (_, index) => `Brackenmill Textiles Depot ${index + 1}`)
    const headers = { 'content-type': 'text/csv' }
    const rawBody = `Name\n${names.join('\n')}\n`
    const file = (await it.call('POST', '/v1/bulk/files', { token: person.token, rawBody, headers })).body
    const body = { file_id: file.id, header_rows: 1, columns: { company_name: 1 } }
    const { id } = (await it.call('POST', '/v1/bulk', { token: person.token, body })).body
    await it.settle()
    const rows = [
      { row: 1, action: 'accept' },
      { row: 2, action: 'reject' },
      { row: 21, action: 'reject' },
    ]
    const { decided } = (await it.call('POST', `/v1/bulk/${id}/decisions`, { token: person.token, body: { rows } }))
      .body
    expect(decided).toBe(3)
    await it.app.db.query(`update bulk_row set candidates = '[]' where bulk_id = $1 and row = 21`, [id])
    const { page } = await open(person, `/bulk/${id}`)
    const boxes = table(page).getByRole('checkbox')
    await boxes.nth(0).click()
    await boxes.nth(20).click({ modifiers: ['Shift'] })
    await page.getByText('21 rows selected').waitFor()
    await page.getByRole('button', { name: 'Accept the best candidate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This replaces the decisions of 1 row.', { exact: false }).waitFor()
    await dialog.getByText('no candidate: it stays as it is').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('This replaces the decisions of 1 row.', { exact: false }).waitFor()
    await dialog.getByRole('columnheader', { name: 'Does not get' }).waitFor()
  })

  test('a duplicate offers no decision of its own and leads to its first row', async () => {
    const person = await it.openAccount({ credits: 3 })
    const domain = publish(it.web, siteNaming(BRACKEN))
    const id = await sendTable(person, `Website,Owner\n${domain},Ann\n${domain},Ben\n`)
    await it.settle()
    const rows = [{ row: 1, action: 'accept' }]
    await it.call('POST', `/v1/bulk/${id}/decisions`, { token: person.token, body: { rows } })
    const { page } = await open(person, `/bulk/${id}`)
    await lineOf(page, 'Ben').getByText(BRACKEN.name).first().waitFor()
    expect(await table(page).getByRole('checkbox').count()).toBe(1)
    await lineOf(page, 'Ben').click()
    const drawer = page.getByRole('complementary', { name: 'Row 2' })
    await drawer.getByText('The decision is made there and counts here, too.', { exact: false }).waitFor()
    expect(await drawer.getByRole('button', { name: 'Undo the decision' }).count()).toBe(0)
    expect(await drawer.getByRole('region', { name: 'Candidates' }).count()).toBe(0)
    await drawer.getByRole('link', { name: 'Open that row' }).click()
    const first = page.getByRole('complementary', { name: 'Row 1' })
    await first.getByRole('button', { name: 'Undo the decision' }).click()
    await page.getByText('1 row returned to review.').waitFor()
  })

  test('a filter by outcome keeps every contact of a company, on the screen, in the address and in the file', async () => {
    const person = await it.openAccount({ credits: 2 })
    const lines = ['alderfinch.co.uk,Ann', 'garden-diary.co.uk,Ben', 'alderfinch.co.uk,Cleo']
    const id = await sendTable(person, `Website,Owner\n${lines.join('\n')}\n`)
    await it.settle()
    const { window, page } = await open(person, `/bulk/${id}`)
    await page.getByRole('button', { name: /^Matched/ }).click()
    await page.getByText('2 of 3 rows shown', { exact: false }).waitFor()
    await lineOf(page, 'Cleo').getByText(ALDER.name).first().waitFor()
    await window.expectGoodEverywhere('bulk-with-duplicates', 'With their duplicates')
    const saved = async () => {
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: 'CSV' }).check()
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: /^Save / }).click()
      const text = readFileSync(await (await download).path(), 'utf8')
      return parse<Record<string, string>>(text, { columns: true, bom: true }).map(({ Owner, Outcome }) => [
        Owner,
        Outcome,
      ])
    }
    expect(await saved()).toEqual([
      ['Ann', 'Matched'],
      ['Cleo', 'Matched (repeats row 1)'],
    ])
    await page.getByLabel('With their duplicates').uncheck()
    await page.getByText('1 of 3 rows shown', { exact: false }).waitFor()
    expect(new URL(page.url()).searchParams.get('duplicates')).toBe('no')
    expect(await saved()).toEqual([['Ann', 'Matched']])
    await page.reload()
    await page.getByText('1 of 3 rows shown', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('3 rows', { exact: true }).waitFor()
    expect(window.complaints).toEqual([])
  })

  test('the companies that matched go to a list, an existing or a new one, and a new one is taken back', async () => {
    const person = await it.openAccount({ credits: 2 })
    const id = await sendTable(person, `Website,Owner\nalderfinch.co.uk,Ann\ngarden-diary.co.uk,Ben\n`)
    await it.settle()
    const { window, page } = await open(person, `/bulk/${id}`)
    const dialog = page.getByRole('dialog')
    const button = (name: string) => dialog.getByRole('button', { name })
    const begin = () => page.getByRole('button', { name: 'Add matches to a watchlist' }).click()
    await begin()
    await dialog.getByText('Adds the companies of 1 matched row, each once', { exact: false }).waitFor()
    await dialog.getByText('You watch 0 of the 25 companies of your plan.').waitFor()
    await dialog.getByLabel('List', { exact: true }).selectOption({ label: 'A new list' })
    expect(await dialog.getByLabel('Name of the new list').inputValue()).toBe('Rows')
    await window.expectGoodEverywhere('bulk-watch', 'Name of the new list')
    await button('Add the companies').click()
    await dialog.getByText('1 company added of 1 that matched.').waitFor()
    await window.expectGoodEverywhere('bulk-watch-done', '1 company added')
    await button('Undo: delete this list').click()
    await page.getByText('The list “Rows” is deleted. You no longer watch 1 company.').waitFor()

    await begin()
    await button('Add the companies').click()
    await dialog.getByText('1 company added of 1 that matched.').waitFor()
    expect(await button('Undo: delete this list').count()).toBe(0)
    await button('Done').click()
    await begin()
    await dialog.getByText('You watch 1 of the 25 companies of your plan.').waitFor()
    await button('Add the companies').click()
    await dialog.getByText('0 companies added of 1 that matched: 1 already on the list.').waitFor()
    await dialog.getByRole('link', { name: 'Open “Watchlist”' }).click()
    await page.getByRole('list', { name: 'Companies you watch' }).getByText(ALDER.name).waitFor()
    expect(new URL(page.url()).search).toBe('?list=default')
    expect(window.complaints).toEqual([])
  })

  test('matches beyond the plan are counted, and a job without a match offers no list', async () => {
    const person = await it.openAccount({ credits: 2 })
    const id = await sendTable(person, `Website,Owner\nalderfinch.co.uk,Ann\n`)
    const none = await sendTable(person, `Website,Owner\ngarden-diary.co.uk,Ben\n`)
    await it.settle()
    const room = Array.from({ length: 25 }, (_, index) => String(index + 1).padStart(8, '0'))
    await it.app.db.query(
      `insert into company (number, name, name_key, status, type, source, changed_at)
       select number, number, number, 'active', 'ltd', 'snapshot', now() from unnest($1::text[]) as number on conflict do nothing`,
      [room],
    )
    const body = { company_numbers: room }
    await it.call('POST', '/v1/watchlists/default/import', { token: person.token, body })
    const { page } = await open(person, `/bulk/${id}`)
    await page.getByRole('button', { name: 'Add matches to a watchlist' }).click()
    await page.getByRole('button', { name: 'Add the companies' }).click()
    await page.getByText('0 companies added of 1 that matched: 1 beyond your plan.').waitFor()
    await page.getByText('Your plan has room for 25 companies.', { exact: false }).waitFor()
    const { page: other } = await open(person, `/bulk/${none}`)
    await other.getByRole('button', { name: 'Export' }).waitFor()
    expect(await other.getByRole('button', { name: 'Add matches to a watchlist' }).count()).toBe(0)
  })

  test('only what is filtered is saved, with the chosen columns; a broken download goes on where it broke', async () => {
    const { window, page } = await open(owner, `/bulk/${bulkId}?state=needs_review`)
    await table(page).getByRole('checkbox').first().waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your own 2 columns always come first', { exact: false }).waitFor()
    await window.expectGood('bulk-export')
    await dialog.getByRole('radio', { name: 'CSV' }).check()
    await dialog.getByLabel('Quote', { exact: true }).uncheck()
    await dialog.getByLabel('Row number').check()
    const asked: string[] = []
    await page.route(/\/results\?/, async (route) => {
      const { searchParams } = new URL(route.request().url())
      asked.push(searchParams.get('after_row') ?? 'start')
      const isFirst = asked.length === 1
      const response = await route.fetch()
      const body = await response.body()
      // The first answer ends in the middle of a row, and the browser says so.
      if (!isFirst) return route.fulfill({ response, body })
      await page.evaluate(breakNextStream(body.subarray(0, Math.floor(body.length / 2)).toString('base64')))
      return route.fulfill({ response, body })
    })
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: `Save ${REVIEWS} rows` }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    const rows = parse<Record<string, string>>(text, { columns: true, bom: true })
    expect(rows.map((row) => row['Row number'] ?? row['Row'])).toEqual(
      Array.from({ length: REVIEWS }, (_, index) => String(index + 3)),
    )
    expect(Object.keys(rows[0] ?? {}).slice(0, 2)).toEqual(['Website', 'Owner'])
    expect(Object.keys(rows[0] ?? {})).not.toContain('Quote')
    expect(asked.some((after) => Number(after) > 2)).toBe(true)
  })
})

/** Replaces the next stream of a results file by one that gives these bytes and then fails, as a lost connection does. */
function breakNextStream(base64: string): string {
  return `(() => {
    const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0))
    const real = Response.prototype.__lookupGetter__('body')
    Object.defineProperty(Response.prototype, 'body', {
      configurable: true,
      get() {
        if (!this.url.includes('/results?')) return real.call(this)
        Object.defineProperty(Response.prototype, 'body', { configurable: true, get: real })
        let isGiven = false
        return new ReadableStream({
          pull(controller) {
            if (isGiven) return controller.error(new TypeError('network error'))
            isGiven = true
            controller.enqueue(bytes)
          },
        })
      },
    })
  })()`
}

async function* pages(rows: string[][]): AsyncGenerator<string[][]> {
  yield rows
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
