/** The screens of spending, of API keys and of the account itself, in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { captureHold, countAnswer, holdCredit } from '../src/credits/index.ts'
import { PALETTE } from '../src/lib/design/palette.ts'
import { connectAgent, registerClient } from './setup/agent-walk.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, SITES } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'eleven slow barges'
const DAY_FORMAT = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Europe/London' } as const

describeInBrowser('Account', () => {
  const it = useTestService({ companies: [ALDER, BRACKEN], sites: SITES })
  const newcomer = prepare(() => it.openAccount())
  const owner = prepare(() => it.openAccount({ credits: 4_321 }))
  const { open, testScreen } = useConsole(it, { newcomer, owner })
  beforeAll(async () => {
    for (const domain of Object.keys(SITES)) await resolve(owner, domain)
    await answersBefore(owner.id)
    await connectAgent(it, owner, { clientId: await registerClient(it, { client_name: 'Desk Agent' }), cap: '7' })
  })

  async function resolve({ key }: TestAccount, domain: string): Promise<void> {
    await it.call('POST', '/v1/resolve/domain', { key, body: { domain } })
    await it.settle()
  }

  async function spend(accountId: string, reference: string): Promise<void> {
    await it.app.db.transaction(async (tx) => {
      const at = it.clock.now()
      const hold = await holdCredit(tx, { accountId, reference, reason: 'enrich', lifeSeconds: 60, at })
      await captureHold(tx, { accountId, holdId: hold.id, outcome: 'matched', at })
    })
  }

  /** Free answers of the weeks before, so that the chart has more than one bar. */
  async function answersBefore(accountId: string): Promise<void> {
    await it.app.db.transaction(async (tx) => {
      for (let day = 1; day < 80; day += 1) {
        const at = new Date(Date.now() - day * DAY_MS)
        const outcomes = ['no_match_free', 'needs_review_free', 'non_uk_entity_free', 'scrape_failed_free']
        for (let count = 0; count < (day * 7) % 9; count += 1) {
          await countAnswer(tx, { accountId, outcome: outcomes[(day + count * count) % 4] ?? '', credits: 0, at })
        }
      }
    })
  }

  testScreen({
    name: 'usage',
    path: '/usage',
    call: '/v1/account/usage',
    emptySays: 'No requests in this period',
    fullSays: 'Point at a day to see its figures.',
  })
  testScreen({
    name: 'keys',
    path: '/keys',
    call: '/v1/connections',
    emptySays: 'No program is connected',
    fullSays: '0 of 7 credits spent today',
  })
  testScreen({
    name: 'settings',
    path: '/settings',
    call: '/v1/account/notifications',
    fullSays: /^One e-mail to person/,
  })

  testScreen({
    name: 'audit',
    path: '/audit',
    call: '/v1/account/audit',
    fullSays: /^Program .* · Connection /,
  })

  test('the audit log says who changed what from where, filters it, and downloads it', async () => {
    const person = await it.signUp()
    for (const accepts of [false, true])
      await it.call('PATCH', '/v1/account/settings', { token: person.token, body: { second_reader: accepts } })
    await it.call('POST', '/v1/auth/login', { body: { email: person.email, password: 'not the password' } })
    const { window, page } = await open(person, '/audit')
    const rows = page.locator('.audit-log tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(6)
    const texts = await rows.allTextContents()
    expect(texts[0]).toContain('Not signed inSign-in failed')
    expect(texts[1]).toContain('Second reader changed')
    expect(texts[1]).toContain('Second reader: off → on')
    expect(texts[1]).toContain(person.email)
    expect(texts[1]).toMatch(/198\.1[89]\./)
    await page.getByLabel('Act', { exact: true }).selectOption('Second reader changed')
    await expect.poll(() => rows.count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?act=second_reader_changed')
    await page.getByLabel('Who').selectOption('An API key')
    await page.getByText('No entries fit these filters').waitFor()
    await window.expectGoodInBothThemes('audit-nothing')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows.count()).toBe(6)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const table = await readFile(await download.path(), 'utf8')
    expect(table.split('\r\n')).toHaveLength(9)
    expect(table).toContain('"audit_exported"')
    await page.getByLabel('From').fill('2026-05-02')
    await page.getByLabel('To').fill('2026-05-01')
    await page.getByText('This date is before the start date.').waitFor()
  })

  test('usage shows what each outcome cost, free answers too, and the table has the figures of the chart', async () => {
    const { window, page } = await open(owner, '/usage')
    await page.getByText('Show as a table').click()
    const rows = page.getByRole('region', { name: 'Answers and credits by day' }).locator('tbody tr')
    const today = await rows
      .filter({ hasText: new Intl.DateTimeFormat('en-GB', DAY_FORMAT).format() })
      .allTextContents()
    expect(today.map((text) => text.replace(/^.*20\d\d/, '')).sort()).toEqual([
      'Matched11',
      'Needs review1free',
      'No match1free',
      'Not a UK company1free',
    ])
    const legend = page.getByRole('list', { name: 'Answers in all, by outcome' })
    expect(await legend.getByText('Matched', { exact: false }).first().textContent()).toBe('Matched 1')
    await page.getByRole('radio', { name: 'Credits' }).check()
    const credits = page.getByRole('list', { name: 'Credits in all, by outcome' }).getByRole('listitem')
    await credits.first().waitFor()
    expect(await credits.allTextContents()).toEqual(['Matched 1'])
    await page.getByRole('radio', { name: '90 days' }).check()
    await expect.poll(() => rows.count()).toBeGreaterThan(100)
    await window.expectGood('usage-table')
  })

  test('the chart takes the colours of the theme, also when the theme changes', async () => {
    const { page } = await open(owner, '/usage')
    await page.getByText('Point at a day to see its figures.').waitFor()
    const light = await coloursOf(page)
    expect(light).toContain(toRgb(PALETTE.good.light))
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => coloursOf(page)).toContain(toRgb(PALETTE.good.dark))
    expect(await coloursOf(page)).not.toContain(toRgb(PALETTE.good.light))
  })

  const toRgb = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join()

  /** Returns every colour of a bar. */
  async function coloursOf(page: Page): Promise<string[]> {
    const colours = await page.evaluate(`[...new Set([...document.querySelectorAll('.usage-chart rect[style]')]
      .map((bar) => getComputedStyle(bar).fill.replaceAll(/[^0-9,]/g, '')))]`)
    return colours as string[]
  }

  test('the ledger has one line per answer with its domain, page by page, and is a file', async () => {
    const person = await it.openAccount()
    for (let count = 1; count <= 22; count += 1) await spend(person.id, `job:${count}`)
    await resolve(person, 'alderfinch.co.uk')
    const { page } = await open(person, '/usage')
    const entries = page.locator('.ledger > li')
    // 23 answers with two entries each and the welcome credits, 20 lines a page.
    await expect.poll(() => entries.count()).toBe(20)
    const newest = await entries.first().textContent()
    expect(newest).toMatch(/^alderfinch\.co\.ukSpent · Matched/)
    expect(await entries.getByText('Reserved').count()).toBe(0)
    expect(newest).toContain('−1balance 2')
    await page.getByRole('button', { name: 'Show older entries' }).click()
    await expect.poll(() => entries.count()).toBe(24)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toBe(
      '"time","kind","reason","subject","reference","amount","change","balance_after","held_after","resolution_url"',
    )
    const answered = lines.filter((line) => line.includes('"alderfinch.co.uk"'))
    expect(answered.some((line) => /"http[^"]+\/console\/resolutions\/res_\w+"$/.test(line))).toBe(true)
    const { data } = (await it.call('GET', '/v1/account/ledger?limit=100', { key: person.key })).body
    expect(lines).toHaveLength(1 + data.length)
    expect(lines.at(-1)).toMatch(/,"grant","welcome","","welcome","25","25","25","0",""$/)
    await page.getByText('Ledger downloaded.').waitFor()
  })

  test('a key is shown in full for the password, and hidden again', async () => {
    const person = await it.openAccount()
    const { window, page } = await open(person, '/keys')
    await page.getByRole('button', { name: 'Show the API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Show it' }).click()
    await dialog.getByText('The current password is wrong.').waitFor()
    window.expectRefused(401)
    await dialog.getByLabel('Your password').fill(person.password)
    await dialog.getByRole('button', { name: 'Show it' }).click()
    await page.getByText(person.key).waitFor()
    await window.expectGood('keys-shown')
    await page.getByRole('button', { name: 'Hide it' }).click()
    expect(await page.getByText(person.key).count()).toBe(0)
  })

  test('a key is replaced after a question, shown once, and works; the old one ends when it was said to', async () => {
    const person = await it.openAccount()
    const { window, page } = await open(person, '/keys')
    await page.getByText(person.key.slice(0, 8), { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Replace the test key' }).click()
    const dialog = page.getByRole('dialog')
    await window.expectGood('keys-rotate')
    await dialog.getByLabel('The old key').selectOption('It ends at once, like every older key')
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Create a new test key' }).click()
    await dialog.getByText('The current password is wrong.').waitFor()
    window.expectRefused(401)
    await dialog.getByLabel('Your password').fill(person.password)
    await dialog.getByRole('button', { name: 'Create a new test key' }).click()
    const testKey = (await page.getByRole('region', { name: 'the new key' }).textContent()) ?? ''
    await page.getByText('We do not show it here again.', { exact: false }).waitFor()
    await window.expectGood('keys-rotated')
    const statusOf = async (key: string) => (await it.call('GET', '/v1/auth/me', { key })).status
    expect([await statusOf(testKey), await statusOf(person.testKey), await statusOf(person.key)]).toEqual([
      200, 401, 200,
    ])
    await page.getByText(`…${testKey.slice(-4)}`, { exact: false }).waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.getByText(testKey).count()).toBe(0)
    await page.getByRole('button', { name: 'Replace the API key' }).click()
    await dialog.getByLabel('Your password').fill(person.password)
    await dialog.getByRole('button', { name: 'Create a new API key' }).click()
    const key = (await page.getByRole('region', { name: 'the new key' }).textContent()) ?? ''
    expect([await statusOf(key), await statusOf(person.key)]).toEqual([200, 200])
    await page.getByText('2 active keys').waitFor()
    await window.expectGood('keys-two')
  })

  test('a key that was replaced is listed until it ends, and a button ends it before', async () => {
    const person = await it.openAccount()
    await it.call('POST', '/v1/auth/api-key/rotate', { token: person.token, body: { overlap_hours: 168 } })
    const { window, page } = await open(person, '/keys')
    const keys = page.getByRole('list', { name: 'API key: active keys' }).getByRole('listitem')
    await expect.poll(() => keys.count()).toBe(2)
    expect(await keys.nth(1).textContent()).toContain('Replaced. It works until')
    await page.getByRole('button', { name: `Revoke the key that ends in ${person.key.slice(-4)}` }).click()
    await window.expectGood('keys-end')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText(`The key …${person.key.slice(-4)} is revoked.`).waitFor()
    await expect.poll(() => keys.count()).toBe(1)
    expect((await it.call('GET', '/v1/auth/me', { key: person.key })).status).toBe(401)
  })

  test('each program gets the address in its own words, by keyboard too', async () => {
    const { page } = await open(newcomer, '/keys')
    const address = (await page.getByRole('region', { name: 'the agent address' }).textContent()) ?? ''
    expect(address).toMatch(/\/mcp$/)
    const panel = page.getByRole('tabpanel')
    await page.getByRole('tab', { name: 'Claude Code' }).focus()
    expect(await panel.getByText(`claude mcp add --transport http nameplate ${address}`).count()).toBe(1)
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowRight')
    const cursor = (await panel.getByRole('region', { name: 'the Cursor configuration' }).textContent()) ?? ''
    expect(JSON.parse(cursor)).toEqual({ mcpServers: { nameplate: { url: address } } })
    await page.keyboard.press('ArrowRight')
    const code = (await panel.getByRole('region', { name: 'the VS Code configuration' }).textContent()) ?? ''
    expect(JSON.parse(code)).toEqual({ servers: { nameplate: { type: 'http', url: address } } })
  })

  test('a connected app shows what it spent; its cap is changed, and it is ended at once', async () => {
    const person = await it.openAccount()
    const { tokens } = await connectAgent(it, person, { cap: '7' })
    await using agent = await connect(it, { authorization: `Bearer ${tokens.access_token}` })
    await agent.ask('find_company_behind_domain', { domain: 'alderfinch.co.uk' })
    const { page } = await open(person, '/keys')
    await page.getByText('1 of 7 credits spent today').waitFor()
    await page.getByLabel('Daily credit cap').fill('9')
    await page.getByRole('button', { name: 'Change the cap' }).click()
    await page.getByText('1 of 9 credits spent today').waitFor()
    await page.getByRole('button', { name: 'Disconnect Test Agent' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect it' }).click()
    await page.getByText('No program is connected').waitFor()
    await expect(agent.ask('get_account')).rejects.toThrow()
  })

  test('the theme is chosen for this browser and kept', async () => {
    const { window, page } = await open(owner, '/settings')
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.getByRole('radio', { name: 'Dark' }).check()
    const dark = await paper()
    expect(dark).not.toBe(light)
    await window.expectGood('settings-chosen-dark')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark' }).waitFor()
    expect([await paper(), await page.getByRole('radio', { name: 'Dark' }).isChecked()]).toEqual([dark, true])
    await page.getByRole('radio', { name: 'System' }).check()
    expect(await paper()).toBe(light)
  })

  test('the daily digest is turned on and off', async () => {
    const person = await it.openAccount()
    const wished = async () =>
      (await it.call('GET', '/v1/account/notifications', { key: person.key })).body.daily_digest
    const { page } = await open(person, '/settings')
    const before = await wished()
    const box = page.getByRole('checkbox', { name: 'E-mail me the changes once a day' })
    expect(await box.isChecked()).toBe(before)
    await box.click()
    await page.getByText(before ? 'The digest is off.' : `We send the digest to ${person.email}.`).waitFor()
    expect([await wished(), await box.isChecked()]).toEqual([!before, !before])
  })

  test('a new password signs out everybody else, and whoever changed it stays', async () => {
    const person = await it.openAccount()
    const elsewhere = await open(person)
    const { window, page } = await open(person, '/settings')
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Change the password' }).click()
    }
    await change('not this one')
    await page.getByText('The current password is wrong.').waitFor()
    window.complaints.length = 0
    await change(person.password)
    await page.getByText('Password changed.', { exact: false }).waitFor()
    await page.reload()
    await page.getByText(`One e-mail to ${person.email}`, { exact: false }).waitFor()
    await window.expectGood('settings-password')
    await elsewhere.window.go('/settings')
    expect(elsewhere.page.url()).toContain('/sign-in')
    const login = { email: person.email, password: NEW_PASSWORD }
    expect((await it.call('POST', '/v1/auth/login', { body: login })).status).toBe(200)
  })
})

describe('the cookie of the console', () => {
  const it = useTestService()
  const person = prepare(() => it.openAccount())

  const renew = (token: string, headers: Record<string, string> = {}) =>
    it.visit('POST', '/console/session', { body: { token }, headers })

  test('is renewed by a token of the API, for as long as that lasts', async () => {
    const { status, headers, body } = await renew(person.token)
    const [cookie = ''] = headers.getSetCookie()
    expect([status, cookie.startsWith(`session=${person.token};`)]).toEqual([200, true])
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/)
    const short = await renew(body.token)
    expect([short.status, short.headers.getSetCookie()]).toEqual([401, []])
  })

  test('is not renewed by a dead token, a key, or a page elsewhere', async () => {
    const change = { current_password: person.password, new_password: NEW_PASSWORD }
    const fresh = await it.call('POST', '/v1/auth/change-password', { token: person.token, body: change })
    for (const token of [person.token, person.key, 'nothing']) {
      const { status, headers, body } = await renew(token)
      expect([status, body.code, headers.getSetCookie()]).toEqual([401, 'missing_credentials', []])
    }
    const foreign = await renew(fresh.body.token, { 'sec-fetch-site': 'cross-site' })
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []])
  })
})
