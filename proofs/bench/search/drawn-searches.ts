/** How long searches take that a seed draws, with and without a name, and the worst that we can think of. */
import { getTimes, readFamilyCpuMs } from '../../../rig/processes.ts'
import { quantile, round, timed } from '../../../rig/statistics.ts'
import {
  drawFactSearches,
  drawNumbers,
  drawSearches,
  readFactSamples,
} from '../../../rig/synthetic-register/searches.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { findCompanies, SEARCH_PAGE_MAX } from '../../../src/register/index.ts'
import { type SearchCriteria, searchCompanies } from '../../../src/register/search/search.ts'
import type { RunOptions } from '../../harness/named-runs.ts'

const SEARCHES = 2_000
const SEARCHES_SHORT = 500
const WARM_UP = 300
const COMPANIES = 2_000
const FILTERS_SEED = 11
const FACTS_SEED = 17
const SLOW_MS = 30

/** A search with what it took. */
export interface Slowest {
  ms: number
  input: string
}

interface Timed {
  /** Of searches without a name, in milliseconds. */
  times: number[]
  namedTimes: number[]
  slowest: Slowest
  /** Processor time of the database for each, in milliseconds. */
  cpuMsEach: number
}

const countOf = ({ short }: RunOptions) => (short ? SEARCHES_SHORT : SEARCHES)

/** Returns the processor time that the database has taken so far, all its connections included. */
export async function readDatabaseCpuMs(db: Database): Promise<number> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  return readFamilyCpuMs(getTimes(row?.pid ?? 0).parent)
}

/** Runs every search once. */
export async function timeSearches(
  db: Database,
  searches: readonly SearchCriteria[],
  { say }: Pick<RunOptions, 'say'>,
): Promise<Timed> {
  const found: Omit<Timed, 'cpuMsEach'> = { times: [], namedTimes: [], slowest: { ms: 0, input: '' } }
  const cpuBeforeMs = await readDatabaseCpuMs(db)
  for (const criteria of searches) {
    const [ms, { candidates }] = await timed(() => searchCompanies(db, criteria))
    const times = criteria.name === undefined ? found.times : found.namedTimes
    times.push(ms)
    const input = JSON.stringify(criteria).slice(0, 120)
    if (ms > SLOW_MS) say(`${round(ms)} ms, ${candidates.length} found: ${input}`)
    if (ms > found.slowest.ms) found.slowest = { ms: round(ms), input }
  }
  return { ...found, cpuMsEach: ((await readDatabaseCpuMs(db)) - cpuBeforeMs) / searches.length }
}

/** By status, kind of accounts, postcode and days. */
export async function measureFilters(db: Database, rows: number, options: RunOptions) {
  const companies = await findCompanies(db, drawNumbers(rows, COMPANIES, FILTERS_SEED))
  await timeSearches(db, drawSearches(companies, WARM_UP, FILTERS_SEED + 1), options)
  const { times, namedTimes, slowest, cpuMsEach } = await timeSearches(
    db,
    drawSearches(companies, countOf(options), FILTERS_SEED),
    options,
  )
  return {
    filters_cpu_ms: round(cpuMsEach, 1),
    filters_p50_ms: round(quantile(times, 0.5)),
    filters_p95_ms: round(quantile(times, 0.95)),
    filters_p99_ms: round(quantile(times, 0.99)),
    named_filters_p99_ms: round(quantile(namedTimes, 0.99)),
    slowest_filters: slowest,
  }
}

/** By section, region and figures. */
export async function measureFacts(db: Database, rows: number, options: RunOptions) {
  const samples = await readFactSamples(db, drawNumbers(rows, COMPANIES, FACTS_SEED))
  await timeSearches(db, drawFactSearches(samples, WARM_UP, FACTS_SEED + 1), options)
  const { times, namedTimes, slowest, cpuMsEach } = await timeSearches(
    db,
    drawFactSearches(samples, countOf(options), FACTS_SEED),
    options,
  )
  const nasty = FACTS_NASTY.flatMap((each) => [1, SEARCH_PAGE_MAX].map((page) => ({ ...each, page })))
  const all = [...times, ...namedTimes]
  return {
    facts_cpu_ms: round(cpuMsEach, 1),
    facts_p50_ms: round(quantile(all, 0.5)),
    facts_p99_ms: round(quantile(times, 0.99)),
    named_facts_p99_ms: round(quantile(namedTimes, 0.99)),
    all_facts_p99_ms: round(quantile(all, 0.99)),
    slowest_facts: slowest,
    worst_facts: (await timeSearches(db, nasty, options)).slowest,
  }
}

/** Each on the first and the last page. */
const FACTS_NASTY: ReadonlyArray<Omit<SearchCriteria, 'page'>> = [
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
