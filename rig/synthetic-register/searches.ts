/**
 * Searches as a seed draws them: one to four filters, with and without a name, common and rare, on first and last pages. The
 * values are of companies in the register; where a search takes them from two, it may find nothing.
 */
import type { Database } from '../../src/lib/db/db.ts'
import {
  ACCOUNTS_TYPES,
  COMPANY_STATUSES,
  type Company,
  findCompanies,
  SEARCH_PAGE_MAX,
  type SearchCriteria,
} from '../../src/register/index.ts'
import { findRegion, REGIONS } from '../../src/register/search/regions.ts'
import { findSection, SIC_SECTIONS } from '../../src/register/search/sections.ts'
import { type Random, randomOf } from '../random.ts'
import { companyAt } from './company.ts'

const FILTERS = ['postcode', 'status', 'accountsType', 'dates'] as const
type Filter = (typeof FILTERS)[number]
type Criteria = Omit<SearchCriteria, 'page'>

/** Returns the numbers of companies from all over a synthetic register of this many rows. */
export function drawNumbers(rows: number, count: number, seed: number): string[] {
  const numbers = Array.from({ length: count }, (_, index) => companyAt(randomOf(seed, index).below(rows), 1).number)
  return [...new Set(numbers)]
}

/** Returns the same searches for the same companies and seed. */
export function drawSearches(companies: readonly Company[], count: number, seed: number): SearchCriteria[] {
  const sorted = companies.toSorted((one, other) => (one.number < other.number ? -1 : 1))
  return Array.from({ length: count }, (_, index) => drawSearch(sorted, randomOf(seed, index, 1)))
}

function drawSearch(companies: readonly Company[], random: Random): SearchCriteria {
  const one = random.pick(companies)
  const other = random.isTrue(0.3) ? random.pick(companies) : one
  const left = [...FILTERS]
  const filters = Array.from({ length: 1 + random.below(FILTERS.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
  const criteria: Criteria = Object.assign(
    random.isTrue(0.3) ? { name: drawName(one, random) } : {},
    ...filters.map((filter) => drawFilter(filter, random.pick([one, other]), random)),
  )
  // A search that filters nothing is none.
  if (Object.keys(criteria).length === 0) criteria.status = one.status
  return { ...criteria, page: drawPage(random) }
}

/** A company of the register with its newest figures. */
export interface FactSample {
  company: Company
  employees: number | null
  netAssets: number | null
}

/** Reads companies with their newest figures. */
export async function readFactSamples(db: Database, numbers: readonly string[]): Promise<FactSample[]> {
  const companies = await findCompanies(db, numbers)
  const rows = await db.query<{ number: string; employees: number | null; net_assets: number | null }>(
    `select distinct on (company_number) company_number as number, employees, net_assets::float8
     from company_figures where company_number = any ($1) order by company_number, period_end desc`,
    [numbers],
  )
  const figures = new Map(rows.map((row) => [row.number, row]))
  return companies.map((company) => ({
    company,
    employees: figures.get(company.number)?.employees ?? null,
    netAssets: figures.get(company.number)?.net_assets ?? null,
  }))
}

const FACTS = ['sicSection', 'region', 'employees', 'netAssets'] as const

/** Returns searches by section, region and figures, with and without other filters and a name; the same for the same seed. */
export function drawFactSearches(samples: readonly FactSample[], count: number, seed: number): SearchCriteria[] {
  const sorted = samples.toSorted((one, other) => (one.company.number < other.company.number ? -1 : 1))
  return Array.from({ length: count }, (_, index) => drawFactSearch(sorted, randomOf(seed, index, 2)))
}

function drawFactSearch(samples: readonly FactSample[], random: Random): SearchCriteria {
  const one = random.pick(samples)
  const other = random.isTrue(0.3) ? random.pick(samples) : one
  const left = [...FACTS]
  const facts = Array.from({ length: 1 + random.below(FACTS.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
  const others = FILTERS.filter(() => random.isTrue(0.15))
  const criteria: Criteria = Object.assign(
    random.isTrue(0.3) ? { name: drawName(one.company, random) } : {},
    ...others.map((filter) => drawFilter(filter, random.pick([one, other]).company, random)),
    ...facts.map((fact) => drawFact(fact, random.pick([one, other]), random)),
  )
  if (Object.keys(criteria).length === 0) criteria.region = 'london'
  return { ...criteria, page: drawPage(random) }
}

function drawFact(
  fact: (typeof FACTS)[number],
  { company, employees, netAssets }: FactSample,
  random: Random,
): Criteria {
  if (fact === 'employees') return drawEmployees(employees ?? random.below(9), random)
  if (fact === 'netAssets') return drawNetAssets(netAssets ?? -random.below(90_000), random)
  const anyOf = fact === 'region' ? REGIONS : SIC_SECTIONS
  const own = fact === 'region' ? findRegion(company.address.postcode ?? '') : findSection(company.sicCodes[0] ?? '')
  const word = own === null || random.isTrue(0.2) ? random.pick<string>(anyOf) : own
  return fact === 'region' ? { region: word } : { sicSection: word }
}

/** Ranges as people ask for them, and a rare one: hardly any company has hundreds. */
function drawEmployees(count: number, random: Random): Criteria {
  const kind = random.below(6)
  if (kind === 0) return { employeesFrom: count, employeesTo: count }
  if (kind === 1) return { employeesFrom: count }
  if (kind === 2) return { employeesTo: count }
  if (kind === 3)
    return random.pick([
      { employeesFrom: 10, employeesTo: 49 },
      { employeesFrom: 250 },
      { employeesFrom: 37, employeesTo: 41 },
    ])
  if (kind === 4) return { employeesFrom: 5_000 + random.below(100_000) }
  return { employeesFrom: count, employeesTo: 2 * count + 3 }
}

function drawNetAssets(pounds: number, random: Random): Criteria {
  const width = Math.round(Math.abs(pounds) * random.pick([0, 0.01, 0.1, 1, 10]))
  const kind = random.below(4)
  if (kind === 0) return { netAssetsFrom: pounds }
  if (kind === 1) return { netAssetsTo: pounds }
  if (kind === 2) return random.pick([{ netAssetsFrom: 1_000_000 }, { netAssetsTo: -1 }, { netAssetsTo: -10_000_000 }])
  return { netAssetsFrom: pounds - width, netAssetsTo: pounds + width }
}

/** Draws the filter from the company's value; nothing where it has none. */
function drawFilter(filter: Filter, company: Company, random: Random): Criteria {
  if (filter === 'dates') return company.incorporatedOn === null ? {} : drawDates(company.incorporatedOn, random)
  if (filter === 'postcode') {
    const { postcode } = company.address
    return postcode === null ? {} : { postcode: random.isTrue(0.3) ? postcode : (postcode.split(' ')[0] ?? postcode) }
  }
  // Most companies have one of few words, so that rare ones, and some that no company has, come from the vocabulary.
  const isAnyWord = random.isTrue(0.4)
  if (filter === 'status') return { status: isAnyWord ? random.pick(COMPANY_STATUSES) : company.status }
  const accountsType = isAnyWord ? random.pick(ACCOUNTS_TYPES) : company.accountsType
  return accountsType === null ? {} : { accountsType }
}

const DAY_MS = 86_400_000
const SPANS_DAYS = [0, 7, 31, 365, 3_650, 14_600]

/** Draws a span of a day to decades around the day, open at one end in half of all cases. */
function drawDates(day: string, random: Random): Criteria {
  const move = (days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
  const spanDays = random.pick(SPANS_DAYS)
  const before = random.below(spanDays + 1)
  const ends = random.pick(['from', 'to', 'both', 'both'])
  return {
    ...(ends === 'to' ? {} : { incorporatedFrom: move(-before) }),
    ...(ends === 'from' ? {} : { incorporatedTo: move(spanDays - before) }),
  }
}

/** Draws the name, two words of it or one: words at the end of a name are common, and those at its beginning rare. */
function drawName({ name }: Company, random: Random): string {
  const words = name.split(' ')
  const kind = random.below(4)
  if (kind === 0) return name
  if (kind === 1) return words.slice(0, 2).join(' ')
  return kind === 2 ? (words[0] ?? name) : (words.at(-2) ?? name)
}

function drawPage(random: Random): number {
  const share = random.next()
  if (share < 0.6) return 1
  return share < 0.8 ? 2 + random.below(4) : SEARCH_PAGE_MAX - random.below(10)
}
