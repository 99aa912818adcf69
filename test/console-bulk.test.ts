/** Send many domains, see what it can cost, watch it run, keep the file: two screens of the console, in a real browser. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../src/credits/index.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, publish, SITES, siteWithoutCompany } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'

const MIXED = [
  'Customer,Website,Town',
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
  const newcomer = prepare(() => it.signUp())
  const owner = prepare(() => it.signUp({ credits: 40 }))
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  let bulkId: string
  beforeAll(async () => {
    bulkId = await send(owner, MIXED, 'Leads of May')
    await send(owner, 'alderfinch.co.uk', 'One more')
    await it.settle()
  }, 120_000)

  async function send({ token }: TestAccount, rawBody: string, name: string): Promise<string> {
    const headers = { 'content-type': 'text/csv' }
    const path = `/v1/bulk?name=${encodeURIComponent(name)}`
    return (await it.call('POST', path, { token, rawBody, headers })).body.id as string
  }
  const bulkJobsOf = async ({ token }: TestAccount) => (await it.call('GET', '/v1/bulk', { token })).body.data
  const choose = (page: Page, name: string, text: string | Buffer) =>
    page.getByLabel('File with domains').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const countOf = (page: Page, word: string | RegExp) =>
    page.getByRole('row', { name: word }).getByRole('cell').first().textContent()

  async function keep(page: Page, button: string): Promise<{ name: string; text: string }> {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    const file = await saved
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
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
    fullSays: 'Total',
  })

  test('a file is checked before anything runs, started, followed to its end, and comes back with a line for every row', async () => {
    const person = await it.signUp({ credits: 4 })
    const { window, page } = await open(person, '/bulk')
    await choose(page, 'Leads of June.csv', MIXED)
    await page.getByText('9 lines', { exact: false }).waitFor()
    // Four of the five are known to be no match, and so free.
    await page.getByText('It costs at most 1 credit', { exact: false }).waitFor()
    expect(await countOf(page, /^Domains to resolve/)).toBe('5')
    await page.getByText('5 already have an answer').waitFor()
    expect(await countOf(page, /^Duplicates/)).toBe('1')
    expect(await countOf(page, /^Invalid rows/)).toBe('1')
    expect(await countOf(page, /^Free e-mail addresses/)).toBe('1')
    expect(await countOf(page, /^Total/)).toBe('8')
    await page.getByText('1 row without a valid domain').click()
    await page.getByText('Row 3', { exact: true }).waitFor()
    await page.getByText('1 row with a free e-mail address').click()
    await page.getByText('ann@gmail.com').waitFor()
    await window.expectGood('bulk-preflight')
    expect([await bulkJobsOf(person), await it.creditsOf(person)]).toEqual([[], { balance: 4, held: 0, available: 4 }])

    expect(await page.getByLabel('Job name').inputValue()).toBe('Leads of June')
    await page.getByRole('button', { name: 'Start 5 domains' }).click()
    await page.getByRole('heading', { name: 'Leads of June' }).waitFor()
    await page.getByText('Finished', { exact: true }).first().waitFor()
    expect(await countOf(page, /^Matched/)).toBe('1')
    expect(await countOf(page, /^Total/)).toBe('8')
    await page.getByText('1 of at most 1').waitFor()
    await page.getByText('3 credits available').waitFor()

    const csv = await keep(page, 'Download CSV')
    expect(csv.name).toBe('Leads of June-results.csv')
    const rows = parse<Record<string, string>>(csv.text, { columns: true })
    expect(rows.map(({ input }) => input)).toHaveLength(8)
    expect(rows[0]).toMatchObject({ company_number: ALDER.number, charged: 'true' })
    const lines = await keep(page, 'Download JSON lines')
    expect([lines.name, lines.text.trim().split('\n').length]).toEqual(['Leads of June-results.jsonl', 8])
    await page.getByRole('link', { name: 'Open Review' }).click()
    await page.getByRole('link', { name: 'brackenmill.co.uk', exact: false }).waitFor()
    expect(window.complaints).toEqual([])
  })

  test('a file can be dropped and a list pasted; what cannot be sent is refused with what to do', async () => {
    const { window, page } = await open(newcomer, '/bulk')
    const template = await keep(page, 'Download a template')
    expect(template.text).toMatch(/^domain,/)
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['alderfinch.co.uk\\ngarden-diary.co.uk\\n'], 'dropped.txt'))
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector('.drop-zone').dispatchEvent(drop)
    })()`)
    await page.getByText('dropped', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Start 2 domains' }).waitFor()
    await page.getByRole('button', { name: 'Choose another list' }).click()

    await page.getByLabel('Or paste domains').fill('alderfinch.co.uk, brackenmill.co.uk; garden-diary.co.uk')
    await page.getByRole('button', { name: 'Check the list' }).click()
    await page.getByRole('button', { name: 'Start 3 domains' }).waitFor()
    await page.getByRole('button', { name: 'Choose another list' }).click()

    await choose(page, 'book.xlsx', 'PK\u0003\u0004')
    await page.getByText('Save it as CSV', { exact: false }).waitFor()
    await window.expectGood('bulk-refused')
    await choose(page, 'empty.csv', '\r\n\r\n')
    await page.getByText('The list is empty.', { exact: false }).waitFor()
    await choose(page, 'huge.csv', 'alderfinch.co.uk,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n'.repeat(45_000))
    await page.getByText('The list is larger than 2 MB.', { exact: false }).waitFor()
    await choose(page, 'long.csv', 'alderfinch.co.uk\n'.repeat(10_001))
    await page
      .getByText('There are 10,001 rows, and a bulk job takes up to 10,000.', { exact: false })
      .first()
      .waitFor()
    expect(await bulkJobsOf(newcomer)).toEqual([])
  })

  test('whoever has no credits sees that before anything else, and cannot start', async () => {
    const person = await it.signUp({ credits: 0 })
    const { page } = await open(person, '/bulk')
    await choose(page, 'one.csv', 'alderfinch.co.uk')
    await page.getByText('You need at least one credit to start.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Start 1 domain' }).isDisabled()).toBe(true)
  })

  test('a start whose answer was lost can be tried again, and there is one bulk', async () => {
    const person = await it.signUp({ credits: 5 })
    const { page } = await open(person, '/bulk')
    await choose(page, 'lost.csv', 'alderfinch.co.uk')
    await page.getByRole('button', { name: 'Start 1 domain' }).waitFor()
    await page.route('**/v1/bulk?name=**', async (route) => {
      await route.fetch()
      await route.abort('connectionfailed')
    })
    await page.getByRole('button', { name: 'Start 1 domain' }).click()
    await page.getByText('The service cannot be reached', { exact: false }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Start 1 domain' }).click()
    await page.getByRole('heading', { name: 'lost' }).waitFor()
    expect(await bulkJobsOf(person)).toHaveLength(1)
  })

  test('while it runs it shows how far it is and gives the file; it is cancelled after a question, and resumed', async () => {
    const person = await it.signUp({ credits: 200 })
    const silent = { ...siteWithoutCompany(), http: 'hang', https: 'hang' } as const
    const domains = Array.from({ length: MANY }, () => publish(it.web, silent))
    const { window, page } = await open(person)
    const id = await send(person, domains.join('\n'), 'Many')
    await window.go(`/bulk/${id}`)
    await page.getByText('Running', { exact: true }).waitFor()
    await page.getByRole('row', { name: /^In progress/ }).waitFor()
    expect(await countOf(page, 'Total')).toBe(String(MANY))
    const { text } = await keep(page, 'Download CSV')
    const statuses = parse<{ status: string }>(text, { columns: true }).map(({ status }) => status)
    expect([statuses.length, statuses.includes('running'), statuses.includes('waiting')]).toEqual([MANY, true, true])
    await window.expectGood('bulk-running')

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
    await page.getByText('Finished', { exact: true }).first().waitFor({ timeout: 60_000 })
    const { counts } = (await bulkJobsOf(person))[0]
    expect(counts).toMatchObject({ waiting: 0, running: 0, cancelled: 0, scrape_failed: MANY })
    expect(window.complaints).toEqual([])
  }, 120_000)

  test('out of credits it pauses and says so; with credits it is resumed and comes to its end', async () => {
    const person = await it.signUp({ credits: 1 })
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
    await page.getByText('3 of at most 3').waitFor()
  })

  test('a bulk that is not there, or not yours, says so', async () => {
    const { page } = await open(newcomer, `/bulk/${bulkId}`)
    await page.getByText('Bulk job not found').waitFor()
  })
})
