import type { Database, Db, Tx } from '../../lib/db/db.ts'

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
    await tx.query(FILL_NAMES)
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
  await tx.query(INSERT_NAMES, [numbers])
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

// A company that went back to an old name is found by it as its present one.
const NAMES_OF_COMPANIES = `
  select c.number, c.name_key, false as is_previous, c.status, c.accounts_type,
    nullif(replace(upper(c.postcode), ' ', ''), '') as postcode, c.incorporated_on
  from company c
  union all
  select distinct c.number, key, true, c.status, c.accounts_type,
    nullif(replace(upper(c.postcode), ' ', ''), ''), c.incorporated_on
  from company c cross join unnest(c.previous_name_keys) key
  where key <> c.name_key and key <> ''`

const COLUMNS = 'number, name_key, is_previous, status, accounts_type, postcode, incorporated_on'

const FILL_NAMES = `insert into company_name_new (${COLUMNS})
  select ${COLUMNS} from (${NAMES_OF_COMPANIES}) named order by name_key collate "C", number`

const INSERT_NAMES = `insert into company_name (${COLUMNS})
  select ${COLUMNS} from (${NAMES_OF_COMPANIES}) named where number = any ($1)`

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
  select '~n', count(*) from company_name_new`

const ADD_TOKENS = `insert into name_token (token, df)
  select distinct term, 1 from company_name,
    unnest(name_terms(name_key, status, accounts_type, postcode, incorporated_on) || '~n'::text) term
  where number = any ($1) and term <> ''
  on conflict (token) do nothing`
