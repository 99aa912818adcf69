/**
 * Search over N synthetic companies: how long it takes, and whether the company meant is among the first ten. A company
 * with the same name key as the one meant is as right: no search could distinguish them by name.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Random, randomOf } from '../../rig/random.ts'
import { openStage } from '../../rig/stage.ts'
import { quantile, round, timed } from '../../rig/statistics.ts'
import { loadSyntheticFigures, loadSyntheticRegister } from '../../rig/synthetic-register/load.ts'
import { syntheticRows } from '../../rig/synthetic-register/rows.ts'
import type { Database } from '../../src/lib/db/db.ts'
import { toNameKey } from '../../src/register/search/name-key.ts'
import { type SearchCriteria, searchCompanies } from '../../src/register/search/search.ts'
import { rebuildSearchIndex } from '../../src/register/search/search-index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { measureFacts, measureFilters, readDatabaseCpuMs, timeSearches } from './search/drawn-searches.ts'

const ROWS_DEFAULT = 5_700_000
const ROWS_SHORT = 100_000
const QUERIES_PER_KIND = 500
const QUERIES_PER_KIND_SHORT = 100
const FIRST = 10
// Statements are planned and pages are read on a new connection; a service has had both.
const WARM_UP = 200

export const benchSearch: NamedRun = {
  about: 'search over N companies by names, drawn filters and figures: latency and recall',
  proof: {
    title: 'Search over the whole register',
    about:
      'Companies of the live register’s number are made up, with names, addresses, figures and dates as they are distributed there, and ' +
      'searched on PostgreSQL with the settings that we ship: by names as people type them, and by drawn filters alone and with a name, ' +
      'on the first and on later pages.',
    figures: {
      rows: { label: 'companies', atLeast: ROWS_DEFAULT },
      p50_ms: { label: 'by name, p50', unit: 'ms' },
      p99_ms: { label: 'by name, p99', unit: 'ms', atMost: 40 },
      filters_p99_ms: { label: 'by status, type, industry, place or day, p99', unit: 'ms', atMost: 40 },
      named_filters_p99_ms: { label: '… with a name, p99', unit: 'ms', atMost: 40 },
      facts_p50_ms: { label: 'by figures, section, region or age too, p50', unit: 'ms' },
      all_facts_p99_ms: {
        label: '… p99',
        unit: 'ms',
        atMost: 40,
        limitedBy:
          'spans of many years with figures, and the last pages of searches that fit some thousand companies, read many blocks',
      },
      index_build_seconds: { label: 'time to build the search', unit: 's' },
    },
  },
  short: {
    p99_ms: { atMost: 150 },
    filters_p99_ms: { atMost: 150 },
    // By section, region and figures, with and without a name.
    all_facts_p99_ms: { atMost: 150 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const rows = options.rows ?? (options.short ? ROWS_SHORT : ROWS_DEFAULT)
  await using stage = await openStage({ postgres: readComposeSettings() })
  const { app } = stage
  options.say(`loading ${rows} companies`)
  const [load] = await timed(async () => {
    await loadSyntheticRegister(app.config.databaseUrl, rows)
    await loadSyntheticFigures(app.config.databaseUrl, rows)
  })
  const [build, built] = await timed(() =>
    rebuildSearchIndex(app.db, { onStep: (step) => options.say(`building: ${step}`) }),
  )
  const figures = await measure(app.db, rows, options)
  return {
    rows,
    names: built.names,
    words: built.words,
    load_seconds: round(load / 1_000),
    index_build_seconds: round(build / 1_000),
    ...figures,
  }
}

/** Returns the settings of PostgreSQL that we ship. */
function readComposeSettings(): Record<string, string> {
  const compose = readFileSync(join(import.meta.dirname, '../../deploy/compose.yaml'), 'utf8')
  const { services } = parse(compose) as { services: { postgres: { command: string[] } } }
  const settings = services.postgres.command.flatMap((argument) => /^(\w+)=(.+)$/.exec(argument)?.slice(1) ?? [])
  return Object.fromEntries(
    settings.flatMap((name, index) => (index % 2 === 0 ? [[name, settings[index + 1] ?? '']] : [])),
  )
}

async function measure(db: Database, rows: number, options: RunOptions): Promise<Record<string, unknown>> {
  const queries = drawQueries(rows, options.short ? QUERIES_PER_KIND_SHORT : undefined)
  for (const { typed } of queries.slice(0, WARM_UP)) await searchCompanies(db, { name: typed, page: 1 })
  const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]))
  const found = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]))
  const cpuBeforeMs = await readDatabaseCpuMs(db)
  for (const { kind, typed, meant } of queries) {
    const [ms, { candidates }] = await timed(() => searchCompanies(db, { name: typed, page: 1 }))
    times.get(kind)?.push(ms)
    if (candidates.slice(0, FIRST).some(({ company }) => isMeant(company, meant))) {
      found.set(kind, (found.get(kind) ?? 0) + 1)
    }
  }
  const cpuMsEach = ((await readDatabaseCpuMs(db)) - cpuBeforeMs) / queries.length
  const four = KINDS.filter((kind) => kind !== 'two_words').flatMap((kind) => times.get(kind) ?? [])
  const nasty = [...NASTY.map((name) => ({ name })), ...WIDE].flatMap((each) =>
    [1, 50].map((page) => ({ ...each, page })),
  )
  const { slowest: worstNasty } = await timeSearches(db, nasty, options)
  const filters = await measureFilters(db, rows, options)
  const facts = await measureFacts(db, rows, options)
  return {
    cpu_ms: round(cpuMsEach, 1),
    p50_ms: at(four, 0.5),
    p95_ms: at(four, 0.95),
    p99_ms: at(four, 0.99),
    p99_ms_by_kind: Object.fromEntries(KINDS.map((kind) => [kind, at(times.get(kind) ?? [], 0.99)])),
    ...filters,
    ...facts,
    worst_ms: round(
      Math.max(
        ...four,
        ...(times.get('two_words') ?? []),
        worstNasty.ms,
        filters.slowest_filters.ms,
        facts.slowest_facts.ms,
        facts.worst_facts.ms,
      ),
    ),
    worst_nasty: worstNasty,
    recall_at_10: Object.fromEntries(
      KINDS.map((kind) => [kind, round((found.get(kind) ?? 0) / (times.get(kind)?.length || 1), 3)]),
    ),
  }
}

function isMeant(company: { name: string; previousNames: ReadonlyArray<{ name: string }> }, meant: string): boolean {
  return toNameKey(company.name) === meant || company.previousNames.some(({ name }) => toNameKey(name) === meant)
}

/** Returns as many of each kind, alternating, so that a slow moment of the machine hits all of them. */
export function drawQueries(rows: number, perKind = QUERIES_PER_KIND): Query[] {
  const queries: Query[] = []
  const stride = Math.max(1, Math.floor(rows / (perKind * KINDS.length * 1.5)))
  let index = 0
  for (const line of syntheticRows(rows)) {
    index += 1
    if (index % stride !== 0) continue
    const kind = KINDS[queries.length % KINDS.length] ?? 'exact'
    const query = queryFor(kind, line.slice(1, line.indexOf('","')), randomOf(3, index))
    if (query) queries.push(query)
    if (queries.length === perKind * KINDS.length) break
  }
  return queries
}

const WIDE: ReadonlyArray<Omit<SearchCriteria, 'page'>> = [
  { status: 'active' },
  { status: 'liquidation' },
  { accountsType: 'dormant' },
  { accountsType: 'micro-entity', status: 'active' },
  { accountsType: 'group', status: 'liquidation' },
  { incorporatedFrom: '2026-08-01' },
  { incorporatedTo: '1950-01-01' },
  { incorporatedFrom: '2026-01-01', accountsType: 'micro-entity' },
  { incorporatedFrom: '2025-10-01', status: 'active' },
  { postcode: 'EC1' },
  { postcode: 'M1 1AA' },
  { postcode: 'EC1', accountsType: 'dormant', status: 'active' },
  { name: 'SERVICES', postcode: 'EC1' },
  { name: 'SERVICES', status: 'liquidation' },
  { name: 'SERVICES', incorporatedFrom: '2026-08-01', incorporatedTo: '2026-08-31' },
  { name: 'LONDON PROPERTY', status: 'receivership' },
]

function at(values: readonly number[], share: number): number {
  return round(quantile(values, share))
}

export const KINDS = ['exact', 'no_suffix', 'typo', 'reordered', 'two_words'] as const
export type Kind = (typeof KINDS)[number]

interface Query {
  kind: Kind
  typed: string
  /** The name key of the company meant. */
  meant: string
}

/** Returns one query of this kind for the company, or null when its name is too short for it. */
export function queryFor(kind: Kind, name: string, random: Random): Query | null {
  const meant = toNameKey(name)
  const words = meant.split(' ')
  if (kind === 'exact') return { kind, typed: name, meant }
  if (kind === 'no_suffix') return { kind, typed: meant, meant }
  if (kind === 'typo') return meant.length < 6 ? null : { kind, typed: misspell(words, random), meant }
  if (words.length < 2) return null
  if (kind === 'reordered') return { kind, typed: reorder(words, random), meant }
  return words.length < 3 ? null : { kind, typed: words.slice(0, 2).join(' '), meant }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Leaves out, doubles, swaps or replaces one letter, in a word of four letters or more where there is one. */
function misspell(words: readonly string[], random: Random): string {
  const long = words.flatMap((word, index) => (word.length >= 4 ? [index] : []))
  const index = long.length > 0 ? random.pick(long) : random.below(words.length)
  const word = words[index] ?? ''
  const at = random.below(word.length)
  const kind = random.below(4)
  const swapped = word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
  const spelt = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at] ?? '') + word.slice(at),
    swapped,
    word.slice(0, at) + (LETTERS[random.below(26)] ?? '') + word.slice(at + 1),
  ][kind]
  return words.map((other, each) => (each === index ? spelt : other)).join(' ')
}

function reorder(words: readonly string[], random: Random): string {
  const from = 1 + random.below(words.length - 1)
  return [...words.slice(from), ...words.slice(0, from)].join(' ')
}

/** Input that no customer means but a program sends. */
const NASTY: readonly string[] = [
  'THE|LIMITED|LTD|AND|& & &|A|B|A B C D E F G H I J K L M N O P|1|2024|THE AND OF'.split('|'),
  'SERVICES|GROUP|UK SERVICES|SERVICES GROUP|MANAGEMENT COMPANY|COMPANY MANAGEMENT ROAD HIGH|GREEN ENERGY'.split('|'),
  'SERVICES SOLUTIONS CONSULTING PROPERTIES GROUP HOLDINGS CONSTRUCTION ENGINEERING PROPERTY CONSULTANCY MANAGEMENT',
  'SMITH|JONES JONES|LONDON PROPERTY|LONDON ROAD MANAGEMENT COMPANY|SERVCES|PROPRTIES LODNON'.split('|'),
  ['X'.repeat(160), 'SMITH '.repeat(26).trim(), `${'AB '.repeat(53)}X`, 'ZZZZZZZZ QQQQQQ'],
  ['🎉🎉🎉', "'; drop table company; --", '%%%%', 'ÀÉÎÕÜ'],
].flat()
