import { beforeAll, expect, test } from 'vitest'
import { loadSyntheticRegister } from '../rig/synthetic-register/load.ts'
import { drawNumbers, drawSearches } from '../rig/synthetic-register/searches.ts'
import { type Company, findCompanies, SEARCH_PAGE_SIZE, type SearchCriteria, toNameKey } from '../src/register/index.ts'
import { searchCompanies } from '../src/register/search/search.ts'
import { rebuildSearchIndex } from '../src/register/search/search-index.ts'
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

test('filters alone find all companies that fit and no others, by the alphabet, page by page', async () => {
  let foundCount = 0
  for (const criteria of searches.filter((each) => !isNamed(each))) {
    const rows = await it.app.db.query<{ number: string }>(
      `select number from company where ${FITS}
       order by name_key collate "C", number collate "C" offset $6 limit $7`,
      [...filtersOf(criteria), (criteria.page - 1) * SEARCH_PAGE_SIZE, SEARCH_PAGE_SIZE + 1],
    )
    const { candidates, hasMore } = await searchCompanies(it.app.db, criteria)
    const context = JSON.stringify(criteria)
    expect(numbersOf(candidates), context).toEqual(rows.slice(0, SEARCH_PAGE_SIZE).map(({ number }) => number))
    expect(hasMore, context).toBe(rows.length > SEARCH_PAGE_SIZE && criteria.page < 50)
    foundCount += candidates.length
  }
  expect(foundCount).toBeGreaterThan(500)
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
  expect(exactCount).toBeGreaterThan(10)
})

function numbersOf(candidates: ReadonlyArray<{ company: Company }>): string[] {
  return candidates.map(({ company }) => company.number)
}
