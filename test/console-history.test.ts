/** Find an answer again, compare it with another reading and share it: screens of the console, in a real browser. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, page as pageOf, publish, siteOf } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, useTestService, WAIT } from './setup/harness.ts'

describeInBrowser('History', () => {
  const it = useTestService({ companies: [ALDER] })
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount({ credits: 40 }))
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  let domain: string
  let firstId: string
  let secondId: string
  const ask = async (body: object) =>
    (await it.call('POST', '/v1/resolve/domain', { key: owner.key, body, headers: WAIT })).body.resolution_id
  beforeAll(async () => {
    domain = publish(it.web, siteOf(ALDER))
    firstId = await ask({ domain })
    const words = `© 2026 ${ALDER.name}. Registered number: ${ALDER.number}, registered in England and Wales.`
    it.web.setSite(domain, { pages: { '/': pageOf(ALDER.name, words) } })
    it.clock.advance(15 * 60 + 1)
    secondId = await ask({ domain, max_age_days: 0 })
  })

  testScreen({
    name: 'history',
    path: '/resolutions',
    call: '/v1/resolutions',
    emptySays: 'No answers yet',
    fullSays: ALDER.name,
  })

  test('the search leads to an answer, which is compared with the reading before it at once', async () => {
    const { page } = await open(owner, '/resolutions')
    await page.getByLabel('Company begins with').fill('alderfinch')
    await page.getByRole('link', { name: domain }).first().click()
    await page.getByRole('heading', { name: 'On the site' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/resolutions/${secondId}`)
    expect(await page.getByLabel('Compare with').inputValue()).toBe(firstId)
    await page.getByText('Changed', { exact: true }).first().waitFor()
  })

  test('the first answer about a domain is compared with a later one where a person chooses it', async () => {
    const { page } = await open(owner, `/resolutions/${firstId}`)
    await page.getByLabel('Compare with').selectOption(secondId)
    await page.getByRole('heading', { name: 'On the site' }).waitFor()
    expect(page.url()).toContain(`/console/resolutions/${firstId}?since=${secondId}`)
  })

  test('“Check again now” says what it may cost, and opens the new answer beside the old one', async () => {
    const site = publish(it.web, siteOf(ALDER))
    const oldId = await ask({ domain: site })
    it.clock.advance(16 * 60)
    const { page, window } = await open(owner)
    // The page's own clock, as the service's has moved.
    await page.clock.setFixedTime(it.clock.now())
    await window.go(`/resolutions/${oldId}`)
    await page.getByText('A match costs one credit, unless you paid for it in the last 30 days.').waitFor()
    await page.getByRole('button', { name: 'Check again now' }).click()
    await page.waitForURL(`**/resolutions/*?since=${oldId}`)
    expect(page.url()).not.toContain(`/resolutions/${oldId}`)
    await page.getByRole('heading', { name: 'On the site' }).waitFor()
  })

  test('the signed document and the kept pages are saved from the page of the answer', async () => {
    const { page } = await open(owner, `/resolutions/${secondId}`)
    for (const [button, file] of [
      ['Signed document (PDF)', `${domain}-evidence.pdf`],
      ['Kept pages (WARC)', `${domain}-pages.warc.gz`],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      expect(download.suggestedFilename()).toBe(file)
    }
  })

  test('an answer is sealed, and its record is there again: as a document, as a bundle and to verify', async () => {
    const { page, window } = await open(owner, `/resolutions/${firstId}`)
    await page.getByText('Not sealed yet.').waitFor()
    await page.getByRole('button', { name: 'Seal it now' }).click()
    const pdf = page.getByRole('link', { name: 'Open the PDF' })
    await pdf.waitFor()
    const { records } = (await it.call('GET', `/v1/resolutions/${firstId}`, { key: owner.key })).body
    const [{ id }] = records
    expect(records).toHaveLength(1)
    await page.getByRole('button', { name: 'Seal it now' }).click()
    await page.getByText('Nothing changed since the record of').waitFor()
    await page.reload()
    expect(await pdf.getAttribute('href')).toBe(`/evidence/${id}/document`)
    const verify = await page.getByRole('link', { name: 'Verify' }).getAttribute('href')
    expect((await it.visit('GET', new URL(verify ?? '').pathname, {})).text).toContain(domain)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Bundle (JSON)' }).click(),
    ])
    expect(JSON.parse(readFileSync(await download.path(), 'utf8')).id).toBe(id)
    await window.expectGoodEverywhere('history-sealed', 'Sealed records')
  })

  test('a share link is made, shown once, and revoked', async () => {
    const { page } = await open(owner, `/resolutions/${secondId}`)
    await page.getByRole('button', { name: 'Make a link' }).click()
    const url = (await page.getByLabel('the share link', { exact: true }).textContent()) ?? ''
    expect((await it.visit('GET', new URL(url).pathname, {})).status).toBe(200)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke the link' }).click()
    await page.getByText('Ended').waitFor()
    expect((await it.visit('GET', new URL(url).pathname, {})).status).toBe(404)
  })

  test('an address of another account’s answer says that there is none', async () => {
    const { page } = await open(newcomer, `/resolutions/${firstId}`)
    await page.getByText('There is no such answer in your history').waitFor()
  })
})
