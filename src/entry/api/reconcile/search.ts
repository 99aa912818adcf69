import type { Db } from '../../../lib/db/db.ts'
import {
  type Company,
  findCompanies,
  findCompaniesNamed,
  findCompaniesStarting,
  isOffRegister,
  type NamedCompany,
  parseCompanyNumber,
  searchCompanies,
  toNameKey,
} from '../../../register/index.ts'
import { type Candidate, type Found, rankCandidates } from './candidates.ts'
import { doesAgree } from './properties.ts'
import type { ReconcileQuery } from './queries.ts'

/** A name that more companies share identifies none without a hint. */
const NAMESAKES_MAX = 50

/**
 * Candidates for each query, best first. Numbers and names that companies have are looked up together; only what is left
 * is searched for, one after another, so that a batch takes one connection however large it is.
 */
export async function reconcile(
  db: Db,
  queries: ReadonlyMap<string, ReconcileQuery>,
): Promise<Map<string, Candidate[]>> {
  const all = [...queries.values()]
  const named = await findCompaniesNamed(db, listNames(all), NAMESAKES_MAX)
  const numbers = new Set([...named.map(({ number }) => number), ...all.flatMap(listNumbers)])
  const companies = new Map((await findCompanies(db, [...numbers])).map((company) => [company.number, company]))
  const namedBy = Map.groupBy(named, ({ nameKey }) => lettersOf(nameKey))
  const results = new Map<string, Candidate[]>()
  for (const [id, query] of queries) {
    const known = collectKnown(query, companies, namedBy.get(lettersOf(query.nameKey)) ?? [])
    const found = isEnough(query, known) ? known : [...known, ...(await search(db, query))]
    results.set(id, rankCandidates(query, dropRepeated(found)))
  }
  return results
}

/** For someone who is typing: names that begin so, a number, then names that are like it. */
export async function suggestCompanies(
  db: Db,
  { prefix, skip, limit }: { prefix: string; skip: number; limit: number },
): Promise<Company[]> {
  const nameKey = toNameKey(prefix)
  const number = parseCompanyNumber(prefix)
  const numbered = number === null || skip > 0 ? [] : await findCompanies(db, [number])
  const starting = nameKey === '' ? [] : await findCompaniesStarting(db, { nameKey, skip, limit })
  const likely =
    starting.length < limit && skip === 0
      ? (await searchCompanies(db, { name: prefix, page: 1 })).candidates.map(({ company }) => company)
      : []
  const found = new Map([...numbered, ...starting, ...likely].map((company) => [company.number, company]))
  return [...found.values()].slice(0, limit)
}

function listNames(queries: readonly ReconcileQuery[]): string[] {
  const byLetters = new Map(queries.map(({ nameKey }) => [lettersOf(nameKey), nameKey]))
  byLetters.delete('')
  return [...byLetters.values()]
}

function listNumbers(query: ReconcileQuery): string[] {
  return query.number === null ? listHintedNumbers(query) : [query.number, ...listHintedNumbers(query)]
}

function listHintedNumbers({ hints }: ReconcileQuery): string[] {
  const values = hints.flatMap((hint) => (hint.propertyId === 'company_number' ? hint.values : []))
  return values.map(parseCompanyNumber).filter((number) => number !== null)
}

function lettersOf(nameKey: string): string {
  return nameKey.replaceAll(' ', '')
}

function collectKnown(
  query: ReconcileQuery,
  companies: ReadonlyMap<string, Company>,
  named: readonly NamedCompany[],
): Found[] {
  const names = named.map(({ number, nameKey, isPrevious }): [string, Found['by']] => [
    number,
    isPrevious ? 'previous_name' : nameKey === query.nameKey ? 'name' : 'letters',
  ])
  const [typed, hinted] = [query.number === null ? [] : [query.number], listHintedNumbers(query)]
  const ways: Array<[string, Found['by']]> = [
    ...typed.map((number): [string, Found['by']] => [number, 'number']),
    ...names,
    ...hinted.map((number): [string, Found['by']] => [number, query.nameKey === '' ? 'number' : 'hint']),
  ]
  return ways.flatMap(([number, by]) => {
    const company = companies.get(number)
    return company ? [{ company, by, likeness: 1 }] : []
  })
}

/** Someone on the register has the number or the very name, and nothing that was given speaks against it. */
function isEnough(query: ReconcileQuery, known: readonly Found[]): boolean {
  return known.some(
    ({ company, by }) =>
      by === 'number' ||
      ((by === 'name' || by === 'letters') &&
        !isOffRegister(company.status) &&
        query.hints.every(({ propertyId, values }) => doesAgree(company, propertyId, values) !== false)),
  )
}

/** At the given postcode first; without a name that is all there is to go by. */
async function search(db: Db, query: ReconcileQuery): Promise<Found[]> {
  const name = query.nameKey || undefined
  const postcode = query.hints.find(({ propertyId }) => propertyId === 'postcode')?.values[0]
  const there = postcode === undefined ? [] : (await searchCompanies(db, { name, postcode, page: 1 })).candidates
  const anywhere =
    name === undefined || there.length > 0 ? [] : (await searchCompanies(db, { name, page: 1 })).candidates
  return [...there, ...anywhere].map(({ company, score, matchedOn }) => {
    if (name === undefined) return { company, by: 'hint', likeness: 1 }
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
