/** Send a spreadsheet, see what it can cost, watch it run, save the results: two screens of the console, in a real browser. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { pauseBulkJobs } from '../src/bulk/index.ts'
import { grantCredits } from '../src/credits/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, publish, SITES, siteNaming, siteWithoutCompany } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService, WAIT } from './setup/harness.ts'

const MIXED = [
  'Ref,Website,Town',
  'Alder,https://www.alderfinch.co.uk/about,Ripon',
  'Bracken,brackenmill.co.uk,Ripon',
  'Nobody,not a domain,',
  'Ann,ann@gmail.com,',
  'Alder again,info@alderfinch.co.uk,Ripon',
  'Garden,garden-diary.co.uk,',
  'Holz,holzwerk.de,Berlin',
  'Gone,not-there-at-all.co.uk,',
  '',
].join('\r\n')
/** So many more than are asked for at once that some still wait on a slow machine. */
const MANY = 200

describeInBrowser('Bulk', () => {
  const it = useTestService({
    companies: [ALDER, BRACKEN],
    sites: SITES,
  })
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount({ credits: 40 }))
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  let bulkId: string
  beforeAll(async () => {
    bulkId = await send(owner, MIXED, 'Leads of May')
    await send(owner, 'alderfinch.co.uk', 'One more')
    await it.settle()
  })

  async function send({ token }: TestAccount, rawBody: string, name: string): Promise<string> {
    const headers = { 'content-type': 'text/csv' }
    const path = `/v1/bulk?name=${encodeURIComponent(name)}`
    return (await it.call('POST', path, { token, rawBody, headers })).body.id as string
  }
  const bulkJobsOf = async ({ token }: TestAccount) => (await it.call('GET', '/v1/bulk', { token })).body.data
  const choose = (page: Page, name: string, text: string | Buffer) =>
    page.getByLabel('File to send').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  /** A line of the check before the start. */
  const countOf = (page: Page, word: string | RegExp) =>
    page.getByRole('row', { name: word }).getByRole('cell').first().textContent()
  /** How many rows the results have in a state. */
  const sumOf = async (page: Page, word: string) =>
    (await page.getByRole('button', { name: word }).locator('strong').textContent()) ?? ''

  async function keep(page: Page, start: () => Promise<void>): Promise<{ name: string; text: string }> {
    const saved = page.waitForEvent('download')
    await start()
    const file = await saved
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }

  /** Saves the results by the dialog, in this format. */
  function exportAs(page: Page, format: string) {
    return keep(page, async () => {
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: format }).check()
      await dialog.getByRole('button', { name: /^Save / }).click()
    })
  }

  testScreen({
    name: 'bulk',
    path: '/bulk',
    call: '/v1/bulk',
    emptySays: 'No bulk jobs yet',
    fullSays: 'Leads of May',
  })
  testScreen({
    name: 'bulk-progress',
    path: () => `/bulk/${bulkId}`,
    call: '/v1/bulk/blk_',
    fullSays: 'All rows',
  })

  test('a file is checked before anything runs, started, followed to its end, and comes back with a line for every row', async () => {
    const person = await it.openAccount({ credits: 4 })
    const { window, page } = await open(person, '/bulk')
    await choose(page, 'Leads of June.csv', MIXED)
    await page.getByText('8 rows', { exact: false }).first().waitFor()
    await page.getByText('Each row uses its web address (column “Website”).').waitFor()
    // Four of the five are known to be no match, and so free.
    await page.getByText('It costs at most 1 credit', { exact: false }).waitFor()
    expect(await countOf(page, /^Domains to resolve/)).toBe('5')
    await page.getByText('5 already have an answer').waitFor()
    expect(await countOf(page, /^Duplicates/)).toBe('1')
    expect(await countOf(page, /^Invalid rows/)).toBe('1')
    expect(await countOf(page, /^Free e-mail addresses/)).toBe('1')
    expect(await countOf(page, /^Total/)).toBe('8')
    await page.getByText('1 row that cannot be used').click()
    await page.getByText('Row 3', { exact: true }).waitFor()
    await page.getByText('1 row with a free e-mail address').click()
    await page.getByRole('code').getByText('ann@gmail.com').waitFor()
    await window.expectGood('bulk-preflight')
    expect([await bulkJobsOf(person), await it.creditsOf(person)]).toEqual([[], { balance: 4, held: 0, available: 4 }])

    expect(await page.getByLabel('Job name').inputValue()).toBe('Leads of June')
    await page.getByRole('button', { name: 'Start 5 rows' }).click()
    await page.getByRole('heading', { name: 'Leads of June' }).waitFor()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    expect(await sumOf(page, 'Matched')).toBe('1')
    expect(await sumOf(page, 'All rows')).toBe('8')
    await page.getByText('1 of at most 1 credit spent', { exact: false }).waitFor()
    await page.getByText('3 credits available').waitFor()

    const csv = await exportAs(page, 'CSV')
    expect(csv.name).toBe('Leads of June-results.csv')
    const rows = parse<Record<string, string>>(csv.text, { columns: true, bom: true })
    expect(rows.map(({ Ref }) => Ref)).toEqual(
      MIXED.trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    )
    expect(Object.values(rows[0] ?? {}).slice(0, 4)).toEqual([
      'Alder',
      'https://www.alderfinch.co.uk/about',
      'Ripon',
      ALDER.name,
    ])
    const lines = await exportAs(page, 'JSON lines')
    expect([lines.name, lines.text.trim().split('\n').length]).toEqual(['Leads of June-results.jsonl', 8])
    const book = await exportAs(page, 'Excel')
    expect([book.name, book.text.slice(0, 2)]).toEqual(['Leads of June-results.xlsx', 'PK'])
    expect(window.complaints).toEqual([])
  })

  test('a file can be dropped and a list pasted; what cannot be sent is refused with what to do', async () => {
    const { window, page } = await open(newcomer, '/bulk')
    const template = await keep(page, () => page.getByRole('button', { name: 'Download a template' }).click())
    expect(template.text).toMatch(/^Website,/)
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['alderfinch.co.uk\\ngarden-diary.co.uk\\n'], 'dropped.txt'))
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector('.drop-zone').dispatchEvent(drop)
    })()`)
    await page.getByText('dropped.txt', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Start 2 rows' }).waitFor()
    // The file is in the address: a reload keeps it.
    await page.reload()
    await page.getByRole('button', { name: 'Start 2 rows' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    await page.getByLabel('Or paste cells').fill('alderfinch.co.uk, brackenmill.co.uk; garden-diary.co.uk')
    await page.getByRole('button', { name: 'Read the cells' }).click()
    await page.getByRole('button', { name: 'Start 3 rows' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    await page.getByLabel('Or paste cells').fill('Alderfinch Joinery Ltd')
    await page.getByRole('button', { name: 'Read the cells' }).click()
    await page.getByText('Each row uses its company name (column A).').waitFor()
    await page.getByRole('button', { name: 'Start 1 row' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    await page.getByText('Drop a spreadsheet here').waitFor()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'Website\\tTown\\nalderfinch.co.uk\\tRipon\\n')
      document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    })()`)
    await page.getByRole('button', { name: 'Start 1 row' }).waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    await choose(page, 'book.xls', 'not a workbook of today')
    await page.getByText('Save it as XLSX or CSV', { exact: false }).waitFor()
    await choose(page, 'book.xlsx', 'PK\u0003\u0004')
    await page.getByText('We could not read this').waitFor()
    window.expectRefused(400)
    await window.expectGood('bulk-refused')
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(26 * 1024 * 1024)], 'huge.csv'))
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector('.drop-zone').dispatchEvent(drop)
    })()`)
    await page.getByText('we read up to 25 MB', { exact: false }).waitFor()
    await choose(page, 'long.csv', `domain\n${'alderfinch.co.uk\n'.repeat(10_001)}`)
    await page.getByText('The file has 10,001 rows, and your plan takes 10,000 in one job.', { exact: false }).waitFor()
    expect(await bulkJobsOf(newcomer)).toEqual([])
  })

  test('whoever has no credits sees that before anything else, and cannot start', async () => {
    const person = await it.openAccount({ credits: 0 })
    const { page } = await open(person, '/bulk')
    await choose(page, 'one.csv', 'alderfinch.co.uk')
    await page.getByText('You need at least one credit to start.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Start 1 row' }).isDisabled()).toBe(true)
  })

  test('a start whose answer was lost can be tried again, and there is one bulk', async () => {
    const person = await it.openAccount({ credits: 5 })
    const { page } = await open(person, '/bulk')
    await choose(page, 'lost.csv', 'alderfinch.co.uk')
    await page.getByRole('button', { name: 'Start 1 row' }).waitFor()
    await page.route(/\/v1\/bulk$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort('connectionfailed')
    })
    await page.getByRole('button', { name: 'Start 1 row' }).click()
    await page.getByText('The service cannot be reached', { exact: false }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Start 1 row' }).click()
    await page.getByRole('heading', { name: 'lost' }).waitFor()
    expect(await bulkJobsOf(person)).toHaveLength(1)
  })

  test('while it runs it shows how far it is and gives the file; it is cancelled after a question, and resumed', async () => {
    const person = await it.openAccount({ credits: 200 })
    const silent = { ...siteWithoutCompany(), http: 'hang', https: 'hang' } as const
    const domains = Array.from({ length: MANY }, () => publish(it.web, silent))
    const { window, page } = await open(person)
    const id = await send(person, domains.join('\n'), 'Many')
    await window.go(`/bulk/${id}`)
    await page.getByText('Running', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^In progress/ }).waitFor()
    expect(await sumOf(page, 'All rows')).toBe(String(MANY))
    const { text } = await exportAs(page, 'CSV')
    expect(parse(text, { columns: true, bom: true })).toHaveLength(MANY)
    await window.expectGood('bulk-running')

    await it.app.db.transaction((tx) => pauseBulkJobs(tx, person.id))
    await page.getByText('Paused: your account was disabled').waitFor()
    expect(await page.getByText('ran out of credits', { exact: false }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('The job is running again.').waitFor()

    await page.getByRole('button', { name: 'Cancel the bulk job' }).click()
    await page.getByRole('button', { name: 'Keep it running' }).click()
    expect((await bulkJobsOf(person))[0].status).toBe('running')
    await page.getByRole('button', { name: 'Cancel the bulk job' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the bulk job' }).click()
    await page.getByText('You cancelled this job').waitFor()
    await page.getByText('Rows in progress still finish', { exact: false }).first().waitFor()
    const [cancelled] = await bulkJobsOf(person)
    expect([cancelled.status, cancelled.counts.waiting]).toEqual(['cancelled', 0])
    expect(cancelled.counts.cancelled).toBeGreaterThan(0)
    await window.expectGood('bulk-cancelled')

    for (const domain of domains) it.web.setSite(domain, { dns: 'nxdomain' })
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('The job is running again.').waitFor()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    const { counts } = (await bulkJobsOf(person))[0]
    expect(counts).toMatchObject({ waiting: 0, running: 0, cancelled: 0, scrape_failed: MANY })
    expect(window.complaints).toEqual([])
  })

  test('out of credits it pauses and says so; with credits it is resumed and comes to its end', async () => {
    const person = await it.openAccount({ credits: 1 })
    const domains = [publish(it.web), publish(it.web), publish(it.web)]
    const id = await send(person, domains.join('\n'), 'Dear')
    const { window, page } = await open(person, `/bulk/${id}`)
    await page.getByText('Paused: you ran out of credits').waitFor()
    await page.getByText('2 rows left', { exact: false }).waitFor()
    await window.expectGood('bulk-paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('needs at least one available credit', { exact: false }).waitFor()
    const gift = {
      accountId: person.id,
      amountCredits: 5,
      reason: 'operator' as const,
      reference: 'gift',
      at: new Date(),
    }
    await it.app.db.transaction((tx) => grantCredits(tx, gift))
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    await page.getByText('3 of at most 3 credits spent', { exact: false }).waitFor()
  })

  test('a job leads to the desk with its domains that need review; its names are decided in its own table', async () => {
    const person = await it.openAccount({ credits: 3 })
    const { token } = person
    const [unclear, other] = [publish(it.web, siteNaming(BRACKEN)), publish(it.web, siteNaming(BRACKEN))]
    const sendRows = async (lines: string[]): Promise<string> => {
      const rawBody = ['Website,Company name', ...lines, ''].join('\n')
      const headers = { 'content-type': 'text/csv' }
      const file = (await it.call('POST', '/v1/bulk/files?name=two.csv', { token, rawBody, headers })).body
      const body = { file_id: file.id, columns: { web_address: 1, company_name: 2 } }
      return (await it.call('POST', '/v1/bulk', { token, body })).body.id
    }
    const id = await sendRows([`${unclear},`, ',Alderfinch Joinery LLP'])
    const namesId = await sendRows([',Alderfinch Joinery LLP'])
    await it.call('POST', '/v1/resolve/domain', { token, headers: WAIT, body: { domain: other } })
    await it.settle()
    const { page } = await open(person, `/bulk/${id}`)
    await page.getByRole('button', { name: /^Needs review 2$/ }).waitFor()
    await page.getByRole('link', { name: 'Review 1 domain at the desk' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe(`?bulk_id=${id}`)
    await page.getByText(unclear).first().waitFor()
    expect(await page.getByText(other).count()).toBe(0)
    expect(await page.getByText('Alderfinch Joinery LLP').count()).toBe(0)
    const { page: names } = await open(person)
    const counted = names.waitForResponse(/\/v1\/reviews\?/)
    await names.goto(new URL(`/console/bulk/${namesId}`, it.config.siteUrl).href)
    await (await counted).finished()
    await names.getByRole('button', { name: /^Needs review 1$/ }).waitFor()
    expect(await names.getByRole('link', { name: /at the desk$/ }).count()).toBe(0)
  })

  test('the columns chosen for an export are chosen the next time, too', async () => {
    const { page } = await open(owner, `/bulk/${bulkId}`)
    const dialog = page.getByRole('dialog')
    const begin = () => page.getByRole('button', { name: 'Export' }).click()
    await begin()
    await dialog.getByLabel('Quote', { exact: true }).uncheck()
    await dialog.getByLabel('Row number').check()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await begin()
    expect(await dialog.getByLabel('Row number').isChecked()).toBe(true)
    expect(await dialog.getByLabel('Quote', { exact: true }).isChecked()).toBe(false)
    expect(await dialog.getByLabel('Company', { exact: true }).isChecked()).toBe(true)
  })

  test('a bulk that is not there, or not yours, says so', async () => {
    const { page } = await open(newcomer, `/bulk/${bulkId}`)
    await page.getByText('Bulk job not found').waitFor()
  })
})
