/** Find a company of the register and read all about it: two screens of the console, in a real browser. */
import { beforeAll, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { COMPANY_STATUSES } from '../src/register/index.ts'
import { toNameKey } from '../src/register/search/name-key.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { ACORN, ago, director } from './setup/acorn.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { ALDER, BRACKEN, siteOf } from './setup/companies.ts'
import { useConsole } from './setup/console.ts'
import { prepare, useTestService } from './setup/harness.ts'

const COMPANY: NewCompany = {
  ...ACORN,
  address: { address_line_1: '1 High Street', locality: 'Leeds', postal_code: 'LS1 4AP' },
  sicCodes: ['62012', '62020'],
  previousNames: [{ name: 'OAKWRIGHT SYSTEMS LIMITED', changedOn: '2021-05-06' }],
  accounts: { ...ACORN.accounts, nextDueOn: ago(12) },
  officers: [
    director(ACORN.number, 'here', {
      name: 'SMITH, Jo',
      date_of_birth: { month: 4, year: 1970 },
      occupation: 'Engineer',
    }),
    director(ACORN.number, 'gone', { name: 'BAKER, Sam', resigned_on: ago(10), nationality: 'British' }),
  ],
}
const QUIET: NewCompany = {
  number: '02000000',
  name: 'QUIETBROOK LIMITED',
  officers: [director('02000000', 'leaving', { name: 'LEAVER, Lee', resigned_on: ago(-30) })],
}

const bakeries = Array.from({ length: 25 }, (_, index) => ({
  number: `0300${String(index).padStart(4, '0')}`,
  name: `HOLLINWELL ${'ABCDEFGHIJKLMNOPQRSTUVWXY'[index]} BAKERY LIMITED`,
  postcode: 'YO1 7HH',
  ...(index === 3 ? { status: 'dissolved' } : {}),
}))

describeInBrowser('Companies', () => {
  const house = SimulatedCompaniesHouse.fromCompanies([COMPANY, QUIET], { imageDelayMs: null })
  const it = useTestService({
    companies: [ALDER, BRACKEN, ...bakeries],
    sites: { 'alderfinchjoinery.co.uk': siteOf(ALDER) },
    house,
  })
  const owner = prepare(() => it.openAccount({ credits: 20 }))
  const { open, testScreen } = useConsole(it, { owner })
  beforeAll(async () => {
    for (const { number } of [ACORN, QUIET]) await it.call('GET', `/v1/companies/${number}`, { key: owner.key })
    await putCompanies(it.app, [{ ...ALDER, postcode: 'LS1 4AP' }])
    await putCompanies(it.app, [{ ...ALDER, postcode: 'LS1 4AP', status: 'liquidation' }])
    await recordQueuedChanges(it.app)
  })

  const FIELD = 'Name, company number or postcode'

  testScreen({
    name: 'companies',
    path: '/companies?name=hollinwell',
    call: '/v1/companies/search',
    fullSays: 'The first 20, best first',
  })
  testScreen({
    name: 'company',
    path: `/companies/${ACORN.number}`,
    call: `/v1/companies/${ACORN.number}`,
    fullSays: 'ACORN LIMITED',
  })

  test('before anything is typed it says how a company can be found', async () => {
    const { window, page } = await open(owner, '/companies')
    await page.getByRole('heading', { name: 'By number' }).waitFor()
    await page.getByText('Filters').first().click()
    await window.expectGoodEverywhere('companies-empty', 'By number')
  })

  test('results come while one types, a reload keeps them, and more can be had', async () => {
    const { page } = await open(owner, '/companies')
    await page.getByLabel(FIELD).fill('hollinwel bakery')
    const results = page.getByRole('region', { name: 'Results' }).getByRole('listitem')
    await expect.poll(() => results.count()).toBe(20)
    expect(new URL(page.url()).searchParams.get('name')).toBe('hollinwel bakery')
    await page.reload()
    await expect.poll(() => results.count()).toBe(20)
    expect(await page.getByLabel(FIELD).inputValue()).toBe('hollinwel bakery')
    await page.getByRole('button', { name: 'More companies' }).click()
    await expect.poll(() => results.count()).toBe(25)
    await page.getByText('25 companies').waitFor()
  })

  test('a status has the register’s words, green for a company in good order and red for any other', async () => {
    const toned = COMPANY_STATUSES.map((status, index) => ({
      number: `0310${String(index).padStart(4, '0')}`,
      name: `TINTWELL ${status.replaceAll('-', ' ').toUpperCase()} LIMITED`,
      postcode: 'YO1 7HH',
      status,
    }))
    await putCompanies(it.app, toned)
    const { page } = await open(owner, '/companies?name=tintwell')
    const badges = page.getByRole('region', { name: 'Results' }).locator('li .badge')
    await expect.poll(() => badges.count()).toBe(toned.length)
    const shown = await badges.evaluateAll((all) => all.map(({ className, textContent }) => [textContent, className]))
    const [good, bad] = ['badge good', 'badge bad']
    expect(Object.fromEntries(shown)).toEqual({
      Active: good,
      Open: good,
      Registered: good,
      Dissolved: bad,
      Closed: bad,
      Removed: bad,
      'Converted / Closed': bad,
      Liquidation: bad,
      'In Administration': bad,
      'Receiver Action': bad,
      'Voluntary Arrangement': bad,
      'Insolvency Proceedings': bad,
    })
  })

  test('an answer to older words never replaces that to newer ones', async () => {
    const { window, page } = await open(owner)
    let letGo = () => undefined as void
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(
      (url) => url.searchParams.get('name') === 'brackenmill',
      async (route) => {
        await held
        await route.continue().catch(() => undefined)
      },
    )
    await window.go('/companies')
    const asked = page.waitForRequest((request) => request.url().includes('name=brackenmill'))
    await page.getByLabel(FIELD).fill('brackenmill')
    await asked
    await page.getByLabel(FIELD).fill('alderfinch')
    const result = page.getByRole('region', { name: 'Results' }).getByRole('link')
    await result.getByText(ALDER.number).waitFor()
    letGo()
    await page.waitForLoadState('networkidle')
    expect(await result.count()).toBe(1)
    expect(await result.textContent()).toContain('ALDERFINCH')
  })

  test('arrow keys lead through the results, Enter opens one, and the way back keeps the words', async () => {
    const { page } = await open(owner, '/companies?name=hollinwell')
    await page.getByText('The first 20').waitFor()
    await page.getByLabel(FIELD).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    const second = page.getByRole('region', { name: 'Results' }).getByRole('link').nth(1)
    const address = (await second.getAttribute('href')) ?? ''
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(address)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${address}`)
    await page.goBack()
    await page.getByText('The first 20').waitFor()
    expect(await page.getByLabel(FIELD).inputValue()).toBe('hollinwell')
  })

  test('a previous name, a number and a postcode find the company too', async () => {
    const { window, page } = await open(owner, '/companies')
    const results = page.getByRole('region', { name: 'Results' })
    await page.getByLabel(FIELD).fill('oakwright')
    await results.getByText('Found by a previous name: OAKWRIGHT SYSTEMS LIMITED').waitFor()
    await window.expectGood('companies-previous-name-light')
    await page.getByLabel(FIELD).fill('ls14ap')
    await results.getByText(ALDER.number).waitFor()
    await results.getByText(ACORN.number).waitFor()
    await page.getByLabel(FIELD).fill('7214938')
    await results.getByRole('link', { name: `Open company number ${ALDER.number}` }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: ALDER.name, level: 1 }).waitFor()
  })

  test('results are narrowed down by postcode, status and days, and the menu begins anew', async () => {
    const { window, page } = await open(owner, '/companies?name=hollinwell')
    await page.getByText('The first 20').waitFor()
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Status').selectOption('dissolved')
    await page.getByText('1 company', { exact: false }).waitFor()
    await page.getByLabel('Postcode', { exact: true }).fill('EC1V')
    await page.getByRole('heading', { name: 'No companies found' }).waitFor()
    await window.expectGood('companies-nothing-light')
    await page.getByLabel('Incorporated from').fill('2020-01-01')
    await page.getByLabel('Incorporated to').fill('2019-01-01')
    await page.getByText('This date is before the start date.').waitFor()
    await window.expectGood('companies-backwards-light')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('The first 20').waitFor()
    expect(await page.getByLabel('Postcode', { exact: true }).inputValue()).toBe('')
    await page.getByRole('navigation').getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('heading', { name: 'By number' }).waitFor()
    expect(await page.getByLabel(FIELD).inputValue()).toBe('')
  })

  test('results are narrowed down by region, section, employees and age, which the address keeps', async () => {
    const { window, page } = await open(owner, '/companies?name=hollinwell')
    await page.getByText('The first 20').waitFor()
    await page.getByText('Filters', { exact: true }).click()
    await page.getByText('More filters').click()
    await page.getByLabel('Age from (years)').fill('1')
    await page.getByText('The first 20').waitFor()
    await page.getByLabel('Region').selectOption('northern-ireland')
    await page.getByRole('heading', { name: 'No companies found' }).waitFor()
    await page.getByLabel('Section of SIC 2007').selectOption('F')
    await page.getByLabel('Employees from').fill('10')
    await page.getByLabel('Employees to').fill('9')
    await page.getByText('This is less than the start.').waitFor()
    await window.expectGood('companies-more-filters-light')
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('region'), searchParams.get('section'), searchParams.get('employeesFrom')]).toEqual([
      'northern-ireland',
      'F',
      '10',
    ])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('The first 20').waitFor()
    expect(await page.getByLabel('Region').inputValue()).toBe('')
    await it.app.db.query(
      `insert into company_figures (company_number, period_end, employees, net_assets, is_comparative, source_on, source_file)
       values ($1, '2025-03-31', 1, -1250000, false, '2026-02-10', 'x.html')`,
      [bakeries[0]?.number],
    )
    await window.go('/companies?name=hollinwell+a+bakery')
    const facts = page.locator('.found', { hasText: 'HOLLINWELL A BAKERY' }).locator('.found-facts')
    await facts.getByText('net assets -£1,250,000').waitFor()
    await facts.getByText('1 employee', { exact: true }).waitFor()
  })

  test('a company is shown whole, tab by tab, and the address names the tab', async () => {
    const { window, page } = await open(owner, `/companies/${ACORN.number}`)
    await page.getByRole('region', { name: 'Warnings' }).getByText('The accounts are 12 days overdue.').waitFor()
    for (const says of ['1 High Street', 'Outstanding', 'In the past', '1 resigned']) {
      await page.getByText(says, { exact: false }).first().waitFor()
    }
    expect(await page.title()).toBe('ACORN LIMITED · Nameplate')
    const shown: Array<[tab: string, says: string]> = [
      ['Charges and insolvency', 'Floating charge covers all the property or undertaking of the company'],
      ['Charges and insolvency', 'The freehold land at 4 Weir Lane'],
      ['Charges and insolvency', 'All monies due or to become due'],
      ['Charges and insolvency', 'B. Keeper'],
      ['Filings', 'Kind of filing'],
      ['People and owners', 'SMITH, Jo'],
    ]
    for (const [tab, says] of shown) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByText(says, { exact: false }).first().waitFor()
    }
    expect(new URL(page.url()).search).toBe('?tab=people')
    await page.reload()
    await page.getByText('Ownership of shares: 75% or more').waitFor()
    await window.expectGoodEverywhere('company-people', 'Ownership of shares: 75% or more')
    await window.go(`/companies/${ACORN.number}?tab=filings`)
    await page.getByRole('region', { name: 'Filings' }).waitFor()
    const document = page.getByRole('link', { name: 'Open the document of' }).first()
    expect(await document.getAttribute('target')).toBe('_blank')
    expect(await document.getAttribute('href')).toMatch(new RegExp(`^/filings/${ACORN.number}/[\\w-]+$`))
    await window.expectGoodEverywhere('company-filings', 'Kind of filing')
    const all = page.getByRole('link', { name: 'See all filings on the register' })
    expect(await all.count()).toBe(0)
    await it.app.db.query(`update company_part set total = 2000 where company_number = $1 and kind = 'filing'`, [
      ACORN.number,
    ])
    await page.reload()
    expect(await all.getAttribute('href')).toBe(
      `https://find-and-update.company-information.service.gov.uk/company/${ACORN.number}/filing-history`,
    )
    await page.getByText(/^\d+ of 2,000, the newest first\./).waitFor()
  })

  test('older filings come when they are asked for, and a kind of filing is looked for among all of them', async () => {
    // Of its first day, and so the last on the register.
    await it.app.db.query(
      `delete from company_item where company_number = $1 and kind = 'filing' and data ->> 'date' = $2`,
      [ACORN.number, ACORN.incorporatedOn],
    )
    await it.app.db.query(`update company_part set total = 2000 where company_number = $1 and kind = 'filing'`, [
      ACORN.number,
    ])
    const { window, page } = await open(owner, `/companies/${ACORN.number}?tab=filings`)
    const incorporation = page.getByRole('row').filter({ hasText: 'NEWINC' })
    await page.getByRole('button', { name: 'Older filings' }).waitFor()
    expect(await incorporation.count()).toBe(0)
    await page.getByRole('button', { name: 'Older filings' }).click()
    await incorporation.waitFor()
    expect(await page.getByRole('button', { name: 'Older filings' }).count()).toBe(0)
    await page.reload()
    await page.getByLabel('Kind of filing').selectOption({ label: 'Incorporation' })
    await incorporation.waitFor()
    expect(await page.locator('table.filings tbody tr').count()).toBe(1)
    await window.expectGoodEverywhere('company-filings-of-one-kind', 'NEWINC')
    await page.getByLabel('Kind of filing').selectOption({ label: 'Share capital' })
    await page.getByText('None on record.').waitFor()
  })

  test('a director whose resignation lies ahead is in office', async () => {
    const { page } = await open(owner, `/companies/${QUIET.number}?tab=people`)
    const line = page.getByRole('listitem').filter({ hasText: 'LEAVER, Lee' })
    await line.getByText('In office').waitFor()
    expect(await line.getByText('Resigned').count()).toBe(0)
  })

  test('a group is drawn as a tree, with the way up and what is below', async () => {
    await it.app.db.query(
      `insert into register_snapshot (source, as_of, product, state, started_at) values ('test', '2026-11-01', 'pscs', 'finished', now())`,
    )
    await it.app.db.query(
      `insert into psc (company_number, psc_id, kind, name, is_ceased, natures_of_control, owner_number, name_key, control, changed_at)
       values ($1, 'g1', 'corporate-entity-person-with-significant-control', 'ACORN LIMITED', false,
         '{ownership-of-shares-75-to-100-percent}', $2, 'ACORN', 'parent', now())`,
      [QUIET.number, ACORN.number],
    )
    const { window, page } = await open(owner, `/companies/${QUIET.number}?tab=group`)
    const tree = page.locator('.group-tree')
    await tree.getByRole('link', { name: 'ACORN LIMITED' }).waitFor()
    await window.expectGoodEverywhere('company-group', 'ACORN LIMITED')
    await tree.getByRole('link', { name: 'ACORN LIMITED' }).click()
    await page.getByRole('tab', { name: 'Group' }).click()
    await page.locator('.group-tree .node.here', { hasText: 'ACORN LIMITED' }).waitFor()
    await page.locator('.group-tree').getByRole('link', { name: QUIET.name }).waitFor()
  })

  test('an owner is drawn at the company that it owns: people at the top, trustees dashed, rivals with a badge', async () => {
    const owned = [
      [QUIET.number, 'ACORN LIMITED', 'corporate-entity', 'ownership-of-shares-75-to-100-percent', ACORN.number],
      [QUIET.number, 'OAK TRUSTEES LTD', 'corporate-entity', 'ownership-of-shares-75-to-100-percent-as-trust', null],
      [ACORN.number, 'Pat Top', 'individual-person', 'ownership-of-shares-25-to-50-percent', null],
      [BRACKEN.number, 'RIVAL ONE INC', 'corporate-entity', 'ownership-of-shares-75-to-100-percent', null],
      [BRACKEN.number, 'RIVAL TWO INC', 'corporate-entity', 'ownership-of-shares-75-to-100-percent', null],
    ]
    await it.app.db.query(
      `insert into register_snapshot (source, as_of, product, state, started_at) values ('test', '2026-11-02', 'pscs', 'finished', now())`,
    )
    await it.app.db.query(`delete from psc where company_number = $1`, [QUIET.number])
    for (const [index, [number, name, kind, nature, ownerNumber]] of owned.entries()) {
      await it.app.db.query(
        `insert into psc (company_number, psc_id, kind, name, is_ceased, natures_of_control, owner_number, name_key, changed_at)
         values ($1, $2, $3 || '-person-with-significant-control', $4, false, array[$5], $6, $7, now())`,
        [number, `drawn${index}`, kind, name, nature, ownerNumber, name === 'ACORN LIMITED' ? 'ACORN' : name],
      )
    }
    const { window, page } = await open(owner, `/companies/${QUIET.number}?tab=group`)
    const atTop = page.getByRole('list', { name: 'Owners of ACORN LIMITED', exact: true })
    await atTop.getByText('Pat Top').waitFor()
    const others = page.getByRole('list', { name: `Other owners of ${QUIET.name}` })
    expect(await others.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^OAK TRUSTEES LTD.*As trustee or firm$/),
    ])
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.owners li.dashed')).borderLeftStyle`)).toBe(
      'dashed',
    )
    await window.expectGoodEverywhere('company-group-owners', 'Pat Top')
    await window.go(`/companies/${BRACKEN.number}?tab=group`)
    const rivals = page.getByRole('list', { name: `Owners of ${BRACKEN.name}`, exact: true }).getByRole('listitem')
    await rivals.first().waitFor()
    expect(await rivals.allTextContents()).toEqual([
      expect.stringMatching(/RIVAL ONE INC.*Claims the majority$/),
      expect.stringMatching(/RIVAL TWO INC.*Claims the majority$/),
    ])
  })

  test('an overseas entity in good order has no badge, and an owner that may have its majority is drawn dashed', async () => {
    await putCompanies(it.app, [
      { number: '02000009', name: 'LANDHOLD LIMITED', postcode: 'LS1 4AP' },
      { number: 'OE001234', name: 'PALM HOLDINGS INC', postcode: 'LS1 4AP', status: 'registered' },
    ])
    const owned = [
      ['02000009', 'PALM HOLDINGS INC', 'ownership-of-shares-75-to-100-percent', 'OE001234'],
      ['OE001234', 'REEF INC', 'ownership-of-shares-more-than-25-percent-registered-overseas-entity', null],
    ]
    for (const [number, name, nature, ownerNumber] of owned) {
      await it.app.db.query(
        `insert into psc (company_number, psc_id, kind, name, is_ceased, natures_of_control, owner_number, name_key, changed_at)
         select $1, 'land', 'corporate-entity-person-with-significant-control', $2, false, array[$3], number, $5, now()
         from (select $4::text as number) as owner`,
        [number, name, nature, ownerNumber, toNameKey(name ?? '')],
      )
    }
    const { window, page } = await open(owner, '/companies/02000009?tab=group')
    const nodes = page.locator('.group-tree .node')
    await nodes.first().waitFor()
    expect(await nodes.allTextContents()).toEqual([
      expect.stringMatching(/^REEF INC.*Over 25%, majority not proven$/),
      'PALM HOLDINGS INCOE001234',
      'LANDHOLD LIMITED02000009',
    ])
    const line = `getComputedStyle(document.querySelector('.group-tree ul.dashed > li'), '::after').borderTopStyle`
    expect(await page.evaluate(line)).toBe('dashed')
    await window.expectGoodEverywhere('company-group-overseas', 'REEF INC')
  })

  test('figures of filed accounts are shown by period with their changes, and what they do not state is said in words', async () => {
    await it.app.db.query(
      `insert into company_figures (company_number, period_end, employees, net_assets, is_dormant, is_comparative, source_on, source_file)
       select $1, period_end, 5, -1250000, false, false, '2026-02-10', 'x.html' from unnest($2::date[]) as period_end`,
      [ACORN.number, Array.from({ length: 10 }, (_, index) => `${2015 + index}-03-31`)],
    )
    await it.app.db.query(
      `update company_figures set employees = 7, net_assets = -1300000 where company_number = $1 and period_end = '2024-03-31'`,
      [ACORN.number],
    )
    const { window, page } = await open(owner, `/companies/${ACORN.number}?tab=figures`)
    const table = page.getByRole('region', { name: 'Figures by period' })
    await table.waitFor()
    const rows = await table.getByRole('row').allTextContents()
    expect(rows[0]).toMatch(/^Period to31 Mar 202431 Mar 2023.*31 Mar 2015$/)
    expect(rows).toContain(`Employees7↑ 2 more than in the period before${'5'.repeat(9)}`)
    expect(rows).toContain(`Turnover${'not stated'.repeat(10)}`)
    expect(rows).toContain(`Net assets-£1,300,000↓ £50,000 less than in the period before${'-£1,250,000'.repeat(9)}`)
    await page.getByText('about 3 % turnover', { exact: false }).waitFor()
    await window.expectGoodEverywhere('company-figures', 'Net assets')
    expect(rows.at(-1)).toBe(`In the file of${'10 Feb 2026'.repeat(10)}`)
    await window.go(`/companies/${QUIET.number}?tab=figures`)
    await page.getByText('This service has not loaded the accounts files yet.').waitFor()
    await window.go('/companies?employeesFrom=900000')
    await page.getByText('This service has not loaded the accounts files yet.', { exact: false }).waitFor()
    await it.app.db.query(
      `insert into register_snapshot (source, as_of, product, state, started_at, finished_at)
       values ('test', '2026-02-10', 'figures', 'finished', now(), now())`,
    )
    await window.go(`/companies/${QUIET.number}?tab=figures`)
    await page.getByText('No figures from electronic accounts.').waitFor()
    await page.getByText('The newest file that we have read is of 10 Feb 2026.', { exact: false }).waitFor()
  })

  test('what changed is told newest first, from what to what', async () => {
    const { window, page } = await open(owner, `/companies/7214938?tab=changes`)
    const entries = page.locator('.timeline > li')
    await expect.poll(() => entries.count()).toBe(2)
    expect(await entries.first().textContent()).toMatch(/Warning.*Status changed.*Active.*→.*Liquidation/)
    expect(await entries.last().textContent()).toMatch(/Registered office changed.*HG4 1AA.*→.*LS1 4AP/)
    await window.expectGoodInBothThemes('company-timeline')
  })

  test('what could not be read is said with the reason, and can be asked for again', async () => {
    const { window, page } = await open(owner)
    await it.app.db.query(`delete from company_part where company_number = $1 and kind = 'officer'`, [QUIET.number])
    house.faults.rest.set({ answer503: { next: 1_000 } })
    await window.go(`/companies/${QUIET.number}`)
    await page.getByText('Officers: the register does not respond.', { exact: false }).waitFor()
    await page.getByRole('tab', { name: 'People and owners' }).click()
    await page.getByText('not available', { exact: true }).first().waitFor()
    await window.expectGood('company-missing-light')
    house.faults.clear()
    await page.getByRole('button', { name: 'Try the register again' }).click()
    await page.getByText('Some data is missing').waitFor({ state: 'detached' })
  })

  test.each(['09999999', 'ACME'])('number %s has no company, and the screen says what a number is', async (number) => {
    const { window, page } = await open(owner, `/companies/${number}`)
    await page.getByRole('heading', { name: 'No company has this number' }).waitFor()
    expect(window.complaints.splice(0).join()).toMatch(/40[04]/)
    await window.expectGood(`company-unknown-${number}`)
    await page.getByRole('link', { name: 'Search by name' }).click()
    await page.getByRole('heading', { name: 'By name' }).waitFor()
  })

  test('a company is watched and no longer watched, with a question before', async () => {
    const { window, page } = await open(owner, `/companies/${BRACKEN.number}`)
    await page.getByRole('button', { name: 'Watch the company' }).click()
    await page.getByText('Watched', { exact: true }).waitFor()
    const watched = async () => (await it.call('GET', '/v1/watchlist', { key: owner.key })).body.data.length as number
    expect(await watched()).toBe(1)
    await page.getByRole('button', { name: `Stop watching ${BRACKEN.name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('do not come back', { exact: false }).waitFor()
    await window.expectGood('company-unwatch-light')
    await dialog.getByRole('button', { name: 'Keep watching' }).click()
    expect(await watched()).toBe(1)
    await page.getByRole('button', { name: `Stop watching ${BRACKEN.name}` }).click()
    await dialog.getByRole('button', { name: 'Stop watching' }).click()
    await page.getByRole('button', { name: 'Watch the company' }).waitFor()
    expect(await watched()).toBe(0)
  })

  test('opening a company spends nothing; its site is found with one click that says what it costs', async () => {
    const fresh = await it.openAccount({ credits: 3 })
    const { window, page } = await open(fresh, `/companies/${ALDER.number}`)
    await page.getByRole('heading', { name: ALDER.name }).waitFor()
    await page.waitForLoadState('networkidle')
    expect((await it.creditsOf(fresh)).balance).toBe(3)
    await page.getByRole('button', { name: 'Find the web site: one credit if verified' }).click()
    await page.getByRole('link', { name: 'alderfinchjoinery.co.uk', exact: true }).waitFor()
    await page.getByText('You paid one credit.', { exact: false }).waitFor()
    expect((await it.creditsOf(fresh)).balance).toBe(2)
    expect(await page.locator('mark').first().textContent()).toBe(ALDER.number)
    await window.expectGoodInBothThemes('company-website')
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByText('Free: you paid for this', { exact: false }).waitFor()
    expect((await it.creditsOf(fresh)).balance).toBe(2)
  })

  test('no site for a company costs nothing, and without credits the refusal says what to do', async () => {
    const before = (await it.creditsOf(owner)).balance
    const { page } = await open(owner, `/companies/${bakeries[0]?.number}`)
    await page.getByRole('button', { name: 'Find the web site', exact: false }).click()
    await page.getByText('None found').waitFor()
    await page.getByText('Free: nothing was verified.', { exact: false }).waitFor()
    expect((await it.creditsOf(owner)).balance).toBe(before)

    const poor = await open(await it.openAccount({ credits: 0 }), `/companies/${bakeries[1]?.number}`)
    await poor.page.getByRole('button', { name: 'Find the web site', exact: false }).click()
    await poor.page.getByText('Not searched').waitFor()
    await poor.page.getByText('Get credits and search again.', { exact: false }).waitFor()
    await poor.window.expectGood('company-no-credits-light')
  })
})
