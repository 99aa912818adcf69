/** How long searches with drawn filters take, with and without a name. */
import { quantile, round, timed } from '../../../rig/statistics.ts'
import { drawNumbers, drawSearches } from '../../../rig/synthetic-register/searches.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { findCompanies } from '../../../src/register/index.ts'
import { searchCompanies } from '../../../src/register/search/search.ts'
import type { RunOptions } from '../../harness/named-runs.ts'

const SEARCHES = 2_000
const WARM_UP = 300
const COMPANIES = 2_000
const SEED = 11
const SLOW_MS = 30

/** A search with what it took. */
export interface Slowest {
  ms: number
  input: string
}

export interface FilterFigures {
  /** Searches by filters alone, in milliseconds. */
  times: number[]
  /** Searches by filters and a name, in milliseconds. */
  namedTimes: number[]
  slowest: Slowest
}

/** Measures every search once, after others of the same mix. */
export async function measureFilters(db: Database, rows: number, options: RunOptions): Promise<FilterFigures> {
  const companies = await findCompanies(db, drawNumbers(rows, COMPANIES, SEED))
  for (const criteria of drawSearches(companies, WARM_UP, SEED + 1)) await searchCompanies(db, criteria)
  const figures: FilterFigures = { times: [], namedTimes: [], slowest: { ms: 0, input: '' } }
  for (const criteria of drawSearches(companies, SEARCHES, SEED)) {
    const [ms, { candidates }] = await timed(() => searchCompanies(db, criteria))
    const times = criteria.name === undefined ? figures.times : figures.namedTimes
    times.push(ms)
    if (ms > SLOW_MS) options.say(`${round(ms)} ms, ${candidates.length} found: ${JSON.stringify(criteria)}`)
    if (ms > figures.slowest.ms) figures.slowest = { ms: round(ms), input: JSON.stringify(criteria) }
  }
  return figures
}

export function presentFilters({ times, namedTimes, slowest }: FilterFigures): Record<string, unknown> {
  return {
    filters_p50_ms: round(quantile(times, 0.5)),
    filters_p95_ms: round(quantile(times, 0.95)),
    filters_p99_ms: round(quantile(times, 0.99)),
    named_filters_p99_ms: round(quantile(namedTimes, 0.99)),
    slowest_filters: slowest,
  }
}
