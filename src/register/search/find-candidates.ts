import type { Db } from '../../lib/db/db.ts'
import type { Company } from '../company.ts'
import { isOffRegister } from '../vocabulary.ts'
import { measureLikeness } from './compare-names.ts'
import {
  findCompanies,
  findCompaniesNamed,
  findNamesAt,
  type NameAtPostcode,
  type NamedCompany,
} from './find-companies.ts'
import type { Found, NameQuery } from './name-candidates.ts'
import { toNameKey } from './name-key.ts'
import { findWholePostcode, isElsewhere } from './office.ts'
import { searchCompanies } from './search.ts'

/** A name that more companies share identifies none without a postcode. */
const NAMESAKES_MAX = 50
/** Names at one postcode that are compared one by one. Agents who lend their address have thousands. */
const AT_POSTCODE_MAX = 300
const NEARBY_MAX = 8
const NEARBY_LIKENESS_MIN = 0.3
/** A name this like, at the very postcode, makes a search elsewhere needless. */
const NEAR_LIKENESS_MIN = 0.6

/**
 * Returns the companies that each query may mean. Numbers, names that companies have, and names at a postcode are looked up
 * together; only what is left is searched for, one after another, so that a batch takes one connection however large it is.
 */
export async function findMeant(db: Db, queries: readonly NameQuery[]): Promise<Found[][]> {
  const named = await findCompaniesNamed(db, listNames(queries), NAMESAKES_MAX)
  const numbers = new Set([...named.map(({ number }) => number), ...queries.flatMap(({ number }) => number ?? [])])
  const companies = await readCompanies(db, numbers)
  const namedBy = Map.groupBy(named, ({ nameKey }) => lettersOf(nameKey))
  const known = queries.map((query) => collectKnown(query, companies, namedBy.get(lettersOf(query.nameKey)) ?? []))
  const open = queries.filter((query, index) => !isEnough(query, known[index] ?? []))
  const nearby = await findNearby(db, open)
  const results: Found[][] = []
  for (const [index, query] of queries.entries()) {
    const found = known[index] ?? []
    const more = isEnough(query, found) ? [] : await findMore(db, query, { known: found, there: nearby.get(query) })
    results.push(dropRepeated([...found, ...more]))
  }
  return results
}

async function readCompanies(db: Db, numbers: ReadonlySet<string>): Promise<Map<string, Company>> {
  return new Map((await findCompanies(db, [...numbers])).map((company) => [company.number, company]))
}

function listNames(queries: readonly NameQuery[]): string[] {
  const byLetters = new Map(queries.map(({ nameKey }) => [lettersOf(nameKey), nameKey]))
  byLetters.delete('')
  return [...byLetters.values()]
}

function lettersOf(nameKey: string): string {
  return nameKey.replaceAll(' ', '')
}

function collectKnown(
  query: NameQuery,
  companies: ReadonlyMap<string, Company>,
  named: readonly NamedCompany[],
): Found[] {
  const names = named.map(({ number, nameKey, isPrevious }): [string, Found['by']] => [
    number,
    isPrevious ? 'previous_name' : nameKey === query.nameKey ? 'name' : 'letters',
  ])
  const ways: Array<[string, Found['by']]> = query.number === null ? names : [[query.number, 'number'], ...names]
  return ways.flatMap(([number, by]) => {
    const company = companies.get(number)
    return company ? [{ company, by, likeness: 1 }] : []
  })
}

/** Someone on the register has the number or the very name, and nothing that was given speaks against it. */
function isEnough(query: NameQuery, known: readonly Found[]): boolean {
  return known.some(
    ({ company, by }) =>
      by === 'number' ||
      ((by === 'name' || by === 'letters') && !isOffRegister(company.status) && !isElsewhere(query.postcode, company)),
  )
}

/**
 * Returns, for each query with a name and a whole postcode, the names at that postcode that are most like it. A query whose
 * postcode has more companies than can be compared is left out.
 */
async function findNearby(db: Db, queries: readonly NameQuery[]): Promise<Map<NameQuery, Found[]>> {
  const postcodes = new Set(
    queries.flatMap((query) => (query.nameKey === '' ? [] : (findWholePostcode(query.postcode) ?? []))),
  )
  const rows = Map.groupBy(await findNamesAt(db, [...postcodes], AT_POSTCODE_MAX), ({ postcode }) => postcode)
  const chosen = new Map(
    queries.flatMap((query): Array<[NameQuery, AlikeName[]]> => {
      const postcode = findWholePostcode(query.postcode)
      const names = postcode === null ? undefined : (rows.get(postcode) ?? [])
      return names === undefined || query.nameKey === '' || names.length >= AT_POSTCODE_MAX
        ? []
        : [[query, pickAlike(query.nameKey, names)]]
    }),
  )
  const numbers = new Set([...chosen.values()].flat().map(({ number }) => number))
  const companies = await readCompanies(db, numbers)
  return new Map([...chosen].map(([query, names]) => [query, names.flatMap((name) => toFound(name, companies))]))
}

interface AlikeName extends NameAtPostcode {
  likeness: number
}

function pickAlike(nameKey: string, names: readonly NameAtPostcode[]): AlikeName[] {
  return names
    .map((name) => ({ ...name, likeness: measureLikeness(nameKey, name.nameKey) }))
    .filter(({ likeness }) => likeness >= NEARBY_LIKENESS_MIN)
    .toSorted((a, b) => Number(a.isPrevious) - Number(b.isPrevious) || b.likeness - a.likeness)
    .slice(0, NEARBY_MAX)
}

function toFound({ number, likeness, isPrevious }: AlikeName, companies: ReadonlyMap<string, Company>): Found[] {
  const company = companies.get(number)
  return company ? [{ company, by: isPrevious ? 'previous_likeness' : 'likeness', likeness }] : []
}

/** At the given postcode first, then anywhere, unless a company that has the name or nearly so is known by then. */
async function findMore(
  db: Db,
  query: NameQuery,
  { known, there }: { known: readonly Found[]; there: readonly Found[] | undefined },
): Promise<Found[]> {
  const near = there ?? (query.postcode === null ? [] : await search(db, query, query.postcode))
  const isFound =
    query.nameKey === '' ||
    near.some(({ likeness }) => likeness >= NEAR_LIKENESS_MIN) ||
    known.some(({ by, company }) => (by === 'name' || by === 'letters') && !isOffRegister(company.status))
  return isFound ? [...near] : [...near, ...(await search(db, query))]
}

async function search(db: Db, query: NameQuery, postcode?: string): Promise<Found[]> {
  const name = query.nameKey || undefined
  const { candidates } = await searchCompanies(db, { name, postcode, page: 1 })
  return candidates.map(({ company, score, matchedOn }) => {
    if (name === undefined) return { company, by: 'postcode', likeness: 1 }
    const isNow = matchedOn !== 'previous_name'
    // Among more namesakes than were looked up, the one at the postcode is found here.
    if (isNow && toNameKey(company.name) === query.nameKey) return { company, by: 'name', likeness: 1 }
    return { company, by: isNow ? 'likeness' : 'previous_likeness', likeness: score }
  })
}

/** A company that was found in several ways counts by the first, which is the strongest. */
function dropRepeated(found: readonly Found[]): Found[] {
  const byNumber = new Map<string, Found>()
  for (const one of found) if (!byNumber.has(one.company.number)) byNumber.set(one.company.number, one)
  return [...byNumber.values()]
}
