import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putCompanies } from '../rig/companies.ts'
import { drawFiling, toAccountsFile, writeAccountsDay } from '../rig/companies-house/accounts-file.ts'
import { loadSyntheticFigures, loadSyntheticRegister } from '../rig/synthetic-register/load.ts'
import { drawFactSearches, drawNumbers, readFactSamples } from '../rig/synthetic-register/searches.ts'
import {
  findRegion,
  findSection,
  importFigures,
  openAccountsFile,
  SEARCH_PAGE_SIZE,
  type SearchCriteria,
  silentProgress,
} from '../src/register/index.ts'
import { searchCompanies } from '../src/register/search/search.ts'
import { rebuildSearchIndex, updateSearchIndex } from '../src/register/search/search-index.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())
const folder = mkdtempSync(join(tmpdir(), 'nameplate-search-facts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ROWS = 8_000
const SEARCHES = 500
const SEED = 41

beforeAll(async () => {
  await loadSyntheticRegister(it.app.config.databaseUrl, ROWS)
  await loadSyntheticFigures(it.app.config.databaseUrl, ROWS)
  await rebuildSearchIndex(it.app.db)
})

interface Known {
  number: string
  status: string
  accountsType: string | null
  postcode: string
  incorporatedOn: string
  sections: Array<string | null>
  region: string | null
  employees: number | null
  netAssets: number | null
}

/** Reads all companies as a reader of the documentation would see them, by the alphabet. */
async function readCompanies(): Promise<Known[]> {
  const rows = await it.app.db.query<Known & { sicCodes: string[] }>(
    `select number, status, accounts_type as "accountsType", coalesce(postcode, '') as postcode,
       coalesce(incorporated_on::text, '') as "incorporatedOn", sic_codes as "sicCodes", employees, net_assets::float8 as "netAssets"
     from company left join (select distinct on (company_number) * from company_figures
       order by company_number, period_end desc) newest on company_number = number
     order by name_key collate "C", number collate "C"`,
  )
  return rows.map((row) => ({ ...row, sections: row.sicCodes.map(findSection), region: findRegion(row.postcode) }))
}

function isBetween(value: number | null, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true
  return value !== null && value >= (from ?? value) && value <= (to ?? value)
}

function fits(one: Known, asked: SearchCriteria): boolean {
  const compact = one.postcode.replace(' ', '')
  return (
    (asked.status === undefined || one.status === asked.status) &&
    (asked.accountsType === undefined || one.accountsType === asked.accountsType) &&
    (asked.postcode === undefined || [compact, compact.slice(0, -3)].includes(asked.postcode.replace(' ', ''))) &&
    (asked.incorporatedFrom === undefined || one.incorporatedOn >= asked.incorporatedFrom) &&
    (asked.incorporatedTo === undefined || one.incorporatedOn <= asked.incorporatedTo) &&
    (asked.region === undefined || one.region === asked.region) &&
    (asked.sicSection === undefined || one.sections.includes(asked.sicSection)) &&
    isBetween(one.employees, asked.employeesFrom, asked.employeesTo) &&
    isBetween(one.netAssets, asked.netAssetsFrom, asked.netAssetsTo)
  )
}

async function drawAll(seed: number): Promise<SearchCriteria[]> {
  return drawFactSearches(await readFactSamples(it.app.db, drawNumbers(ROWS, 500, seed)), SEARCHES, seed)
}

async function compareAll(seed: number): Promise<void> {
  const companies = await readCompanies()
  let foundCount = 0
  for (const criteria of (await drawAll(seed)).filter(({ name }) => name === undefined)) {
    const right = companies.filter((one) => fits(one, criteria)).map(({ number }) => number)
    const skip = (criteria.page - 1) * SEARCH_PAGE_SIZE
    const { candidates, hasMore } = await searchCompanies(it.app.db, criteria)
    const context = JSON.stringify(criteria)
    expect(
      candidates.map(({ company }) => company.number),
      context,
    ).toEqual(right.slice(skip, skip + SEARCH_PAGE_SIZE))
    expect(hasMore, context).toBe(right.length > skip + SEARCH_PAGE_SIZE && criteria.page < 50)
    foundCount += candidates.length
  }
  expect(foundCount).toBeGreaterThan(500)
}

test('section, region and figures find all companies that fit and no others, by the alphabet, page by page', () =>
  compareAll(SEED))

test('with a name they find only companies that fit', async () => {
  const known = new Map((await readCompanies()).map((one) => [one.number, one]))
  let foundCount = 0
  for (const criteria of (await drawAll(SEED)).filter(({ name }) => name !== undefined)) {
    const { candidates } = await searchCompanies(it.app.db, criteria)
    for (const { company } of candidates) {
      const one = known.get(company.number)
      expect(one && fits(one, criteria), JSON.stringify(criteria)).toBe(true)
    }
    foundCount += candidates.length
  }
  expect(foundCount).toBeGreaterThan(50)
})

test('words that very many names have find the same names in two steps, with figures too', async () => {
  for (const word of ['SERVICES', 'MANAGEMENT', 'HOLDINGS']) {
    const [row] = await it.app.db.query<{ found: string[] }>(
      `select array(select c.number from unnest(list_common(search, '{}', 1001)) c
         order by c.name_key collate "C", c.number collate "C") as found
       from parse_company_search($1, row (null, null, null, null, null, null, null, null, 1, 3, null, null)::company_filter) search`,
      [word],
    )
    const rows = await it.app.db.query<{ number: string }>(
      `select number from company_name where string_to_array(name_key, ' ') @> array[$1] and not is_previous
         and employees between 1 and 3 order by name_key collate "C", number collate "C"`,
      [word],
    )
    expect(rows.length, word).toBeGreaterThan(0)
    expect(row?.found, word).toEqual(rows.map(({ number }) => number))
  }
})

test('companies are found by what they are now, after they moved, changed their trade or filed other figures', async () => {
  const numbers = drawNumbers(ROWS, 400, SEED + 1)
  await it.app.db.transaction(async (tx) => {
    await tx.query(
      `update company set postcode = 'ZE1 0AA', sic_codes = '{01110,7499,99999}' where number = any ($1)`,
      [numbers.slice(0, 200)],
    )
    await tx.query('update company set sic_codes = $2, postcode = null where number = any ($1)', [
      numbers.slice(200),
      ['62012', '62020', '47910', '96090'],
    ])
    await tx.query(`update company_figures set employees = 77_000, net_assets = -8 where company_number = any ($1)`, [
      numbers.slice(0, 100),
    ])
    await tx.query('delete from company_figures where company_number = any ($1)', [numbers.slice(300)])
    await updateSearchIndex(tx, numbers)
  })
  await compareAll(SEED + 1)
})

describe('over the API', () => {
  const search = (query: Record<string, string>, key = account.key) =>
    it.call('GET', `/v1/companies/search?${new URLSearchParams(query).toString()}`, { key })

  const numbers = async (query: Record<string, string>): Promise<string[]> => {
    const answer = await search(query)
    expect(answer.status, answer.text).toBe(200)
    return (answer.body.data as Array<{ company_number: string }>).map((one) => one.company_number)
  }

  const FILED = drawFiling(3, 1)

  async function file(day: string, madeUpTo: string, employees: number, netAssets: number): Promise<void> {
    const current = { ...FILED.current, employees, net_assets: netAssets }
    const filing = { ...FILED, form: 'ixbrl', kind: 'small', madeUpTo, current } as const
    const path = join(folder, `Accounts_Bulk_Data-${day}.zip`)
    await pipeline(Readable.from(writeAccountsDay([toAccountsFile(filing)])), createWriteStream(path))
    const accounts = await openAccountsFile(path, () => Promise.reject(new Error('nothing to download')))
    await importFigures(it.app, accounts, silentProgress)
    await accounts.close()
  }

  test('an import of figures makes a company findable by them, results show them, and an amended filing moves it', async () => {
    const company = { number: FILED.number, name: 'WHINSTONE QUILLERY LTD', postcode: 'EC1V 2NX' }
    const other = { number: '07777777', name: 'WHINSTONE QUOITS LTD', postcode: 'EC1V 2NX' }
    await putCompanies(it.app, [company, other])
    const asks = (from: string, to: string) => numbers({ name: 'whinstone', employees_from: from, employees_to: to })
    expect(await numbers({ name: 'whinstone' })).toHaveLength(2)
    expect(await asks('0', '10000000')).toEqual([])
    await file('2026-02-10', '2025-03-31', 41, -12_345)
    expect(await asks('41', '41')).toEqual([company.number])
    expect(
      await numbers({ employees_from: '41', employees_to: '41', net_assets_from: '-12345', net_assets_to: '-12345' }),
    ).toEqual([company.number])
    const shown = await search({
      employees_from: '41',
      employees_to: '41',
      net_assets_from: '-12345',
      net_assets_to: '-12345',
    })
    expect(shown.body.data).toMatchObject([{ region: 'london', employees: 41, net_assets: -12_345 }])
    await using agent = await connect(it, { 'x-api-key': account.key })
    const asked = await agent.ask('search_companies', { name: 'whinstone', employees_from: 41, net_assets_to: -1 })
    expect(asked.structured.companies).toMatchObject([{ region: 'london', employees: 41, net_assets: -12_345 }])
    expect(asked.text).toContain(', 41 employees, net assets £-12345')
    const unknown = await search({ name: 'whinstone quoits' })
    expect(unknown.body.data[0]).toMatchObject({ region: 'london', employees: null, net_assets: null })
    await file('2026-02-17', '2025-03-31', 4_300, 12)
    expect(await asks('41', '41')).toEqual([])
    expect(await asks('4300', '4300')).toEqual([company.number])
    // Accounts of an earlier year are no newer figures.
    await file('2026-02-18', '2024-03-31', 3, 3)
    expect(await asks('3', '3')).toEqual([])
    expect(await asks('4300', '')).toEqual([company.number])
  })

  test('section, region and age find a company, together with each other and a name', async () => {
    await putCompanies(it.app, [{ number: '07777778', name: 'GREYWETHER TABLES LTD', postcode: 'ze2 9ab' }])
    // Its SIC code is 31090, and it was formed on 14 March 2011.
    const name = 'greywether'
    for (const query of [
      { sic_section: 'C' },
      { sic_section: 'c', region: 'Scotland' },
      { region: 'scotland', age_from_years: '10' },
      { age_from_years: '1', age_to_years: '400', incorporated_from: '2011-03-14', incorporated_to: '2011-03-14' },
    ] as Array<Record<string, string>>) {
      expect(await numbers({ name, ...query }), JSON.stringify(query)).toEqual(['07777778'])
    }
    for (const query of [
      { sic_section: 'A' },
      { region: 'wales' },
      { postcode: 'ZE2', region: 'wales' },
      { age_to_years: '10' },
      { age_from_years: '10', incorporated_from: '2012-01-01' },
    ] as Array<Record<string, string>>) {
      expect(await numbers({ name, ...query }), JSON.stringify(query)).toEqual([])
    }
    const answer = await search({ postcode: 'ZE2', region: 'scotland' })
    expect(answer.body.data).toMatchObject([{ company_number: '07777778', matched_on: 'postcode' }])
    for (const [query, matchedOn] of [
      [{ sic_section: 'C' }, 'sic_section'],
      [{ region: 'scotland' }, 'region'],
      [{ employees_from: '1' }, 'employees'],
      [{ net_assets_to: '-1' }, 'net_assets'],
      [{ age_to_years: '50' }, 'incorporated_on'],
    ] as Array<[Record<string, string>, string]>) {
      expect((await search(query)).body.data[0]).toMatchObject({ matched_on: matchedOn })
    }
  })

  test.each([
    ['employees_from=2&employees_to=1', 'employees_from', 'must not be more than `employees_to`'],
    ['net_assets_from=2&net_assets_to=-1', 'net_assets_from', 'must not be more than `net_assets_to`'],
    ['age_from_years=2&age_to_years=1', 'age_from_years', 'must not be more than `age_to_years`'],
    ['employees_from=-1', 'employees_from', 'must be at least 0'],
    ['employees_to=1.5', 'employees_to', 'must be a whole number from 0'],
    ['net_assets_to=many', 'net_assets_to', 'must be a whole number from -1000000000000000'],
    ['age_to_years=401', 'age_to_years', 'must be at most 400'],
    ['sic_section=V', 'sic_section', 'must be one of A, B, C'],
    ['sic_section=62', 'sic_section', 'must be one of A, B, C'],
    ['region=kent', 'region', 'must be one of north-east, north-west'],
  ])('%s is refused with what is allowed', async (query, field, words) => {
    const answer = await it.call('GET', `/v1/companies/search?${query}`, { key: account.key })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([
      { field: expect.stringContaining(field), message: expect.stringContaining(words) },
    ])
  })

  test('fields that a form left empty ask for nothing', async () => {
    const empty = { sic_section: '', region: ' ', employees_from: '  ', net_assets_to: '', age_from_years: '' }
    expect(await numbers({ name: 'whinstone', ...empty })).toHaveLength(2)
    expect((await search(empty)).status).toBe(400)
  })

  test('a test key finds the test companies by region, section and age, and none by figures', async () => {
    const found = await search(
      { region: 'yorkshire-and-the-humber', sic_section: 'J', age_from_years: '5' },
      account.testKey,
    )
    expect(found.body.data.length).toBeGreaterThan(0)
    expect((await search({ employees_from: '0' }, account.testKey)).body.data).toEqual([])
    expect((await search({ region: 'wales' }, account.testKey)).body.data).toEqual([])
  })
})
