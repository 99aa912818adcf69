import type { Database, Db, Tx } from '../../lib/db/db.ts'
import { AREA_PATTERN, REGION_OF_AREA } from './regions.ts'
import { NO_SECTION, SECTION_OF_DIVISION } from './sections.ts'

/** The steps of a rebuild; each is reported once, when it begins. */
export type RebuildStep = 'names' | 'name indexes' | 'words' | 'word indexes' | 'swap'

export interface RebuildResult {
  names: number
  words: number
  seconds: number
}

/** Held shared by every change of a name and alone by the moments a rebuild begins and ends. */
const LOCK_ID = 7_302_651_185

/**
 * Builds the search tables again from `company` and swaps them with the old ones in one step. Readers see the old or the
 * new; changes that arrive meanwhile are in both. A rebuild that dies leaves the old one as it was.
 */
export async function rebuildSearchIndex(
  db: Database,
  options: { onStep?: (step: RebuildStep) => void } = {},
): Promise<RebuildResult> {
  const startedAt = performance.now()
  const report = options.onStep ?? (() => {})
  await db.transaction(announceRebuild)
  const counts = await db.transaction(async (tx) => {
    // Minutes of work for millions of companies; the memory is for sorting them.
    await tx.query(`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '512MB', true),
      set_config('work_mem', '256MB', true), set_config('jit', 'off', true)`)
    await tx.query('create table company_name_new (like company_name including defaults)')
    await tx.query('create table name_token_new (like name_token including defaults)')
    report('names')
    await tx.query(FILL_NAMES, TABLES)
    report('name indexes')
    await copyIndexes(tx, 'company_name')
    report('words')
    await tx.query(FILL_TOKENS)
    report('word indexes')
    await copyIndexes(tx, 'name_token')
    await tx.query('analyze company_name_new')
    await tx.query('analyze name_token_new')
    report('swap')
    return swap(tx)
  })
  return { ...counts, seconds: (performance.now() - startedAt) / 1_000 }
}

/** False for a role that only serves. */
export async function canBuildTables(db: Db): Promise<boolean> {
  const [row] = await db.query<{ can: boolean }>(`select has_schema_privilege(current_schema(), 'create') as can`)
  return row?.can === true
}

/**
 * Updates the search for these companies from their rows in `company`; to be called in the transaction that changed,
 * added or removed them.
 */
export async function updateSearchIndex(tx: Tx, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return
  await tx.query('select pg_advisory_xact_lock_shared($1)', [LOCK_ID])
  await refreshNames(tx, numbers)
  await tx.query(
    `insert into search_touched (number)
     select distinct number from unnest($1::text[]) number where exists (select from search_rebuild)
     on conflict do nothing`,
    [numbers],
  )
}

// Statements name one table only, so the new table gets its name before the companies changed meanwhile are done again.
async function refreshNames(tx: Tx, numbers: readonly string[]): Promise<void> {
  await tx.query('delete from company_name where number = any ($1)', [numbers])
  await tx.query(INSERT_NAMES, [...TABLES, numbers])
  await tx.query(ADD_TOKENS, [numbers])
}

async function announceRebuild(tx: Tx): Promise<void> {
  // A change of a name after this sees the announcement; one before it is visible to the rebuild.
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID])
  await tx.query('delete from search_touched')
  await tx.query(
    `insert into search_rebuild (started_at) values (now())
     on conflict (only_one) do update set started_at = excluded.started_at`,
  )
}

async function swap(tx: Tx): Promise<{ names: number; words: number }> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID])
  for (const table of ['company_name', 'name_token'] as const) {
    const indexes = await listIndexes(tx, table)
    await tx.query(`drop table ${table}`)
    await tx.query(`alter table ${table}_new rename to ${table}`)
    for (const { name } of indexes) await tx.query(`alter index ${name}_new rename to ${name}`)
  }
  const touched = await tx.query<{ number: string }>('delete from search_touched returning number')
  if (touched.length > 0)
    await refreshNames(
      tx,
      touched.map(({ number }) => number),
    )
  await tx.query('delete from search_rebuild')
  const [counts] = await tx.query<{ names: number; words: number }>(
    `select (select df from name_token where token = '~n')::integer as names,
            (select count(*) from name_token where token < '~')::integer as words`,
  )
  return counts ?? { names: 0, words: 0 }
}

interface IndexDefinition {
  name: string
  definition: string
}

function listIndexes(tx: Tx, table: string): Promise<IndexDefinition[]> {
  return tx.query(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = $1 order by indexname`,
    [table],
  )
}

/** The migrations say which indexes there are; a rebuild makes the same ones, by the definitions the database gives. */
async function copyIndexes(tx: Tx, table: 'company_name' | 'name_token'): Promise<void> {
  for (const { name, definition } of await listIndexes(tx, table)) {
    await tx.query(
      definition.replace(` INDEX ${name} ON `, ` INDEX ${name}_new ON `).replace(`.${table} `, `.${table}_new `),
    )
  }
}

/** `$1` has the regions by postcode area, and `$2` the sections by division. */
const TABLES = [JSON.stringify(REGION_OF_AREA), JSON.stringify(SECTION_OF_DIVISION)]

const sectionSql = (code: string) =>
  `case when length(${code}) = 5 and ${code} <> '${NO_SECTION}' then $2::jsonb ->> left(${code}, 2) end`

/** A company has at most four SIC codes. */
const selectListed = (condition: string, newestFigures: string) => `
  select c.number, c.name_key, c.previous_name_keys, c.status, c.accounts_type, c.incorporated_on, office.postcode,
    nullif(kinds.letters, '') as sections,
    $1::jsonb ->> substring(office.postcode from '${AREA_PATTERN}') as region,
    newest.employees, newest.net_assets
  from company c
  cross join lateral (select nullif(replace(upper(c.postcode), ' ', ''), '') as postcode) office
  cross join lateral (select ${[1, 2, 3, 4].map((nth) => `${sectionSql(`c.sic_codes[${nth}]`)} as letter_${nth}`).join(', ')}) sic
  cross join lateral (select concat(letter_1,
    case when letter_2 <> coalesce(letter_1, '') then letter_2 end,
    case when letter_3 <> all (array[coalesce(letter_1, ''), coalesce(letter_2, '')]) then letter_3 end,
    case when letter_4 <> all (array[coalesce(letter_1, ''), coalesce(letter_2, ''), coalesce(letter_3, '')])
      then letter_4 end) as letters) kinds
  ${newestFigures} ${condition}`

const FACTS = 'status, accounts_type, postcode, incorporated_on, sections, region, employees, net_assets'
const COLUMNS = `number, name_key, is_previous, ${FACTS}`

// A company that went back to an old name is found by it as its present one.
const NAMES_OF_LISTED = `
  select number, name_key, false as is_previous, ${FACTS} from listed
  union all
  select distinct number, key, true, ${FACTS} from listed cross join unnest(previous_name_keys) key
  where key <> name_key and key <> ''`

// All figures are read in the order of their key, which takes a fraction of a lookup for each company.
const FILL_NAMES = `with listed as materialized (${selectListed(
  '',
  `left join (select distinct on (company_number) company_number, employees, net_assets from company_figures
     order by company_number, period_end desc) newest on newest.company_number = c.number`,
)})
  insert into company_name_new (${COLUMNS})
  select ${COLUMNS} from (${NAMES_OF_LISTED}) named order by name_key collate "C", number`

const INSERT_NAMES = `with listed as materialized (${selectListed(
  'where c.number = any ($3)',
  `left join lateral (select employees, net_assets from company_figures where company_number = c.number
     order by period_end desc limit 1) newest on true`,
)})
  insert into company_name (${COLUMNS}) select ${COLUMNS} from (${NAMES_OF_LISTED}) named`

// Words by unnesting; filters by grouping their columns, which is several times faster than unnesting them too.
const FILL_TOKENS = `insert into name_token_new (token, df)
  select word, count(*) from (
    select unnest(string_to_array(name_key, ' ')) as word from company_name_new) words where word <> '' group by word
  union all
  select term, sum(rows) from (
    select unnest(name_terms('', status, accounts_type, null, incorporated_on)) as term, rows from (
      select status, accounts_type, incorporated_on, count(*) as rows
      from company_name_new group by 1, 2, 3) kinds) terms group by term
  union all
  select term, sum(rows) from (
    select unnest(array['~p:' || postcode, '~o:' || left(postcode, -3)]) as term, rows from (
      select postcode, count(*) as rows from company_name_new where postcode is not null group by 1) places) terms
  group by term
  union all
  select term, sum(rows) from (
    select unnest(fact_terms(sections, region, employees, null, null)) as term, rows from (
      select sections, region, employees, count(*) as rows from company_name_new group by 1, 2, 3) kinds) terms
  where term is not null group by term
  union all
  select term, sum(rows) from (
    select unnest(array['~v:' || assets_group(net_assets), '~w:' || assets_band(net_assets), '~x:' || assets_step(net_assets),
        '~aw:' || accounts_type || ':' || assets_band(net_assets)]) as term, rows from (
      select accounts_type, net_assets, count(*) as rows
      from company_name_new where net_assets is not null group by 1, 2) kinds) terms
  where term is not null group by term
  union all
  select '~ae:' || accounts_type || ':' || staff_band(employees), count(*)
  from company_name_new where accounts_type is not null and employees is not null group by 1
  union all
  select '~g:' || month_term(incorporated_on), count(*)
  from company_name_new
  where (employees is not null or net_assets is not null) and incorporated_on is not null group by 1
  union all
  select '~n', count(*) from company_name_new
  union all
  select '~z', count(*) from company_name_new where employees is not null or net_assets is not null`

const ADD_TOKENS = `insert into name_token (token, df)
  select distinct term, 1 from company_name,
    unnest(search_terms(name_key, ${FACTS}) || array['~n', '~z',
      '~ae:' || accounts_type || ':' || staff_band(employees),
      '~aw:' || accounts_type || ':' || assets_band(net_assets)]) term
  where number = any ($1) and term <> ''
  on conflict (token) do nothing`
