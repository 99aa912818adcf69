import { beforeAll, expect, test } from 'vitest'
import { loadSyntheticRegister } from '../rig/synthetic-register/load.ts'
import { drawNumbers, drawSearches } from '../rig/synthetic-register/searches.ts'
import { type Company, findCompanies, SEARCH_PAGE_SIZE, type SearchCriteria, toNameKey } from '../src/register/index.ts'
import { searchCompanies } from '../src/register/search/search.ts'
import { rebuildSearchIndex, updateSearchIndex } from '../src/register/search/search-index.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()
const ROWS = 8_000
const SEARCHES = 400
const SEED = 29
let searches: SearchCriteria[] = []

beforeAll(async () => {
  await loadSyntheticRegister(it.app.config.databaseUrl, ROWS)
  await rebuildSearchIndex(it.app.db)
  const companies = await findCompanies(it.app.db, drawNumbers(ROWS, 500, SEED))
  searches = drawSearches(companies, SEARCHES, SEED)
})

const isNamed = ({ name }: SearchCriteria) => name !== undefined

/** The filters as a reader of the documentation would write them. */
const FITS = `($1::text is null or status = $1) and ($2::text is null or accounts_type = $2)
  and ($3::text is null or replace(postcode, ' ', '') = replace($3, ' ', '') or split_part(postcode, ' ', 1) = $3)
  and ($4::date is null or incorporated_on >= $4) and ($5::date is null or incorporated_on <= $5)`

const filtersOf = ({ status, accountsType, postcode, incorporatedFrom, incorporatedTo }: SearchCriteria) =>
  [status, accountsType, postcode, incorporatedFrom, incorporatedTo].map((value) => value ?? null)

/** Compares a search by filters with a plain statement; returns how many companies it found. */
async function compareWithStatement(criteria: SearchCriteria): Promise<number> {
  const rows = await it.app.db.query<{ number: string }>(
    `select number from company where ${FITS}
     order by name_key collate "C", number collate "C" offset $6 limit $7`,
    [...filtersOf(criteria), (criteria.page - 1) * SEARCH_PAGE_SIZE, SEARCH_PAGE_SIZE + 1],
  )
  const { candidates, hasMore } = await searchCompanies(it.app.db, criteria)
  const context = JSON.stringify(criteria)
  expect(numbersOf(candidates), context).toEqual(rows.slice(0, SEARCH_PAGE_SIZE).map(({ number }) => number))
  expect(hasMore, context).toBe(rows.length > SEARCH_PAGE_SIZE && criteria.page < 50)
  return candidates.length
}

test('filters alone find all companies that fit and no others, by the alphabet, page by page', async () => {
  let foundCount = 0
  for (const criteria of searches.filter((each) => !isNamed(each))) foundCount += await compareWithStatement(criteria)
  expect(foundCount).toBeGreaterThan(500)
})

test('filters that fit very many companies find the same by parts of the alphabet', async () => {
  // So few are expected that the first part is long, or so many that it takes several parts.
  for (const expected of [40, 100_000]) {
    for (const criteria of searches.filter((each) => !isNamed(each) && each.postcode === undefined)) {
      const { status, accountsType, incorporatedFrom, incorporatedTo, page } = criteria
      const rowsWanted = page * SEARCH_PAGE_SIZE + 1
      const [row] = await it.app.db.query<{ found: string[] }>(
        `select fetch_by_parts(row ($1, $2, null, null, $3::date, $4::date, null, null, null, null, null, null)::company_filter,
           $5, $6) as found`,
        [status ?? null, accountsType ?? null, incorporatedFrom ?? null, incorporatedTo ?? null, expected, rowsWanted],
      )
      const rows = await it.app.db.query<{ number: string }>(
        `select number from company where ${FITS} order by name_key collate "C", number collate "C" limit $6`,
        [...filtersOf(criteria), rowsWanted],
      )
      expect(row?.found.slice(0, rowsWanted), JSON.stringify(criteria)).toEqual(rows.map(({ number }) => number))
    }
  }
})

test('words that very many names have find the same names in two steps, before and after the letter B', async () => {
  for (const word of ['SERVICES', 'MANAGEMENT', 'HOLDINGS', 'LONDON']) {
    const [row] = await it.app.db.query<{ found: string[] }>(
      `select array(select c.number from unnest(list_common(search, '{}', 1001)) c
         order by c.name_key collate "C", c.number collate "C") as found
       from parse_company_search($1, row (null, null, null, null, null, date '2020-01-01', null, null, null, null, null, null)
         ::company_filter) search`,
      [word],
    )
    const rows = await it.app.db.query<{ number: string }>(
      `select number from company where string_to_array(name_key, ' ') @> array[$1] and incorporated_on <= '2020-01-01'
       order by name_key collate "C", number collate "C" limit 1001`,
      [word],
    )
    expect(rows.length, word).toBeGreaterThan(0)
    expect(row?.found, word).toEqual(rows.map(({ number }) => number))
  }
})

test('filters with a name find only companies that fit, the one with that name among them', async () => {
  let exactCount = 0
  for (const criteria of searches.filter(isNamed)) {
    const { candidates } = await searchCompanies(it.app.db, criteria)
    const found = numbersOf(candidates)
    const context = JSON.stringify(criteria)
    const fit = await it.app.db.query<{ number: string }>(
      `select number from company where number = any ($6) and ${FITS}`,
      [...filtersOf(criteria), found],
    )
    expect(fit.length, context).toBe(found.length)
    expect(new Set(found).size, context).toBe(found.length)
    if (criteria.page > 1) continue
    const named = await it.app.db.query<{ number: string }>(
      `select number from company where name_key = $6 and ${FITS} limit 5`,
      [...filtersOf(criteria), toNameKey(criteria.name ?? '')],
    )
    for (const { number } of named) expect(found, context).toContain(number)
    exactCount += named.length
  }
  expect(exactCount).toBeGreaterThan(3)
})

test('filters find companies by what they are now, after they moved, were dissolved or lost a value', async () => {
  const numbers = drawNumbers(ROWS, 600, SEED + 1)
  const changes = [
    `postcode = 'ZE1 0AA', status = 'dissolved'`,
    'postcode = null, accounts_type = null',
    `incorporated_on = null, status = 'liquidation'`,
    `accounts_type = 'dormant', incorporated_on = date '1901-02-03'`,
  ]
  await it.app.db.transaction(async (tx) => {
    for (const [index, change] of changes.entries()) {
      const changed = numbers.filter((_, each) => each % changes.length === index)
      await tx.query(`update company set ${change} where number = any ($1)`, [changed])
    }
    await updateSearchIndex(tx, numbers)
  })
  const companies = await findCompanies(it.app.db, numbers)
  let foundCount = 0
  for (const criteria of drawSearches(companies, SEARCHES, SEED + 1).filter((each) => !isNamed(each))) {
    foundCount += await compareWithStatement(criteria)
  }
  expect(foundCount).toBeGreaterThan(500)
})

function numbersOf(candidates: ReadonlyArray<{ company: Company }>): string[] {
  return candidates.map(({ company }) => company.number)
}
