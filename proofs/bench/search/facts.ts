/** How long searches by section, region and figures take: drawn ones, with and without a name, and the worst we can think of. */
import { quantile, round, timed } from '../../../rig/statistics.ts'
import { drawFactSearches, drawNumbers, type FactSample } from '../../../rig/synthetic-register/searches.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { findCompanies, SEARCH_PAGE_MAX } from '../../../src/register/index.ts'
import { type SearchCriteria, searchCompanies } from '../../../src/register/search/search.ts'
import type { RunOptions } from '../../harness/named-runs.ts'
import type { Slowest } from './filters.ts'

const SEARCHES = 2_000
const WARM_UP = 300
const COMPANIES = 2_000
const SEED = 17
const SLOW_MS = 30

export interface FactFigures {
  /** Drawn searches without a name, in milliseconds. */
  times: number[]
  /** Drawn searches with a name. */
  namedTimes: number[]
  slowest: Slowest
  worst: Slowest
}

/** Measures every search once, after others of the same mix. */
export async function measureFacts(db: Database, rows: number, options: RunOptions): Promise<FactFigures> {
  const samples = await readSamples(db, drawNumbers(rows, COMPANIES, SEED))
  for (const criteria of drawFactSearches(samples, WARM_UP, SEED + 1)) await searchCompanies(db, criteria)
  const figures: FactFigures = { times: [], namedTimes: [], slowest: { ms: 0, input: '' }, worst: { ms: 0, input: '' } }
  for (const criteria of drawFactSearches(samples, SEARCHES, SEED)) {
    const took = await measure(db, criteria, options)
    const times = criteria.name === undefined ? figures.times : figures.namedTimes
    times.push(took.ms)
    if (took.ms > figures.slowest.ms) figures.slowest = took
  }
  for (const criteria of NASTY.flatMap((each) => [1, SEARCH_PAGE_MAX].map((page) => ({ ...each, page })))) {
    const took = await measure(db, criteria, options)
    if (took.ms > figures.worst.ms) figures.worst = took
  }
  return figures
}

async function measure(db: Database, criteria: SearchCriteria, options: RunOptions): Promise<Slowest> {
  const [ms, { candidates }] = await timed(() => searchCompanies(db, criteria))
  const input = JSON.stringify(criteria)
  if (ms > SLOW_MS) options.say(`${round(ms)} ms, ${candidates.length} found: ${input}`)
  return { ms: round(ms), input }
}

export async function readSamples(db: Database, numbers: readonly string[]): Promise<FactSample[]> {
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

export function presentFacts({ times, namedTimes, slowest, worst }: FactFigures): Record<string, unknown> {
  return {
    facts_p50_ms: round(quantile([...times, ...namedTimes], 0.5)),
    facts_p99_ms: round(quantile(times, 0.99)),
    named_facts_p99_ms: round(quantile(namedTimes, 0.99)),
    all_facts_p99_ms: round(quantile([...times, ...namedTimes], 0.99)),
    slowest_facts: slowest,
    worst_facts: worst,
  }
}

/** Each on the first and the last page. */
export const NASTY: ReadonlyArray<Omit<SearchCriteria, 'page'>> = [
  { region: 'london' },
  { sicSection: 'F' },
  { employeesFrom: 0 },
  { netAssetsTo: -1 },
  { region: 'london', sicSection: 'F' },
  { region: 'london', sicSection: 'F', employeesFrom: 37, employeesTo: 38 },
  { region: 'london', sicSection: 'F', employeesFrom: 50_000 },
  { region: 'london', sicSection: 'J', employeesFrom: 1, employeesTo: 5, netAssetsFrom: 4_000, netAssetsTo: 4_100 },
  { region: 'london', sicSection: 'J', employeesFrom: 2, employeesTo: 2, netAssetsFrom: -20_000, netAssetsTo: -9_000 },
  {
    region: 'south-east',
    employeesFrom: 2,
    employeesTo: 3,
    netAssetsFrom: 10_000,
    netAssetsTo: 30_000,
    accountsType: 'dormant',
  },
  { accountsType: 'dormant', employeesFrom: 5 },
  { accountsType: 'dormant', employeesFrom: 5, netAssetsFrom: 1_000_000, region: 'london', sicSection: 'F' },
  { incorporatedFrom: '2025-06-01', employeesFrom: 1 },
  { incorporatedFrom: '2024-06-01', incorporatedTo: '2025-01-31', employeesFrom: 1, employeesTo: 2, region: 'london' },
  { sicSection: 'U' },
  { sicSection: 'A', region: 'northern-ireland', status: 'liquidation' },
  { netAssetsFrom: 5_000, netAssetsTo: 5_001 },
  { netAssetsFrom: 5_000, netAssetsTo: 9_000, employeesFrom: 1, employeesTo: 1 },
  { employeesFrom: 30, employeesTo: 90, netAssetsTo: -50_000 },
  { status: 'liquidation', region: 'london', employeesFrom: 1, employeesTo: 3 },
  { postcode: 'EC1', employeesFrom: 10, sicSection: 'J' },
  { name: 'SERVICES', region: 'london' },
  { name: 'SERVICES', employeesFrom: 50_000 },
  { name: 'SERVICES', region: 'london', sicSection: 'J', employeesFrom: 20 },
  { name: 'SERVICES', region: 'wales', netAssetsFrom: 4_000, netAssetsTo: 6_000 },
  { name: 'SERVICES', accountsType: 'dormant', employeesFrom: 5 },
  { name: 'LONDON PROPERTY', sicSection: 'F', employeesTo: 5 },
  { name: 'MANAGEMENT COMPANY', sicSection: 'J', netAssetsTo: -1 },
  { name: 'SERVCES', region: 'scotland', employeesFrom: 1, employeesTo: 9 },
  { name: 'THE AND OF', region: 'london', employeesFrom: 1 },
]
