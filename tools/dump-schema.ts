import type { Db } from '../src/lib/db/db.ts'

/**
 * Returns the schema as text, from the server's own descriptions: the sum of the migrations, to read in one file. Our
 * tables only; the job engine owns its own schema.
 */
export async function dumpSchema(db: Db): Promise<string> {
  const parts = [HEADER, ...(await listFunctions(db)), ...(await listTables(db))]
  return `${parts.join('\n\n')}\n`
}

const HEADER = '-- The sum of migrations/. Made by `npm run schema`; a test compares it with a migrated database.'

async function listFunctions(db: Db): Promise<string[]> {
  const rows = await db.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     order by p.proname, pg_get_function_identity_arguments(p.oid) collate "C"`,
  )
  return rows.map((row) => `${row.definition.trim()};`)
}

interface TableRow {
  oid: number
  name: string
  persistence: 'p' | 'u'
  /** Null for a table that is not partitioned. */
  partition_key: string | null
}

async function listTables(db: Db): Promise<string[]> {
  const tables = await db.query<TableRow>(
    `select oid::int, relname as name, relpersistence as persistence, pg_get_partkeydef(oid) as partition_key from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  const texts: string[] = []
  for (const table of tables) texts.push(await describeTable(db, table))
  return texts
}

async function describeTable(db: Db, table: TableRow): Promise<string> {
  const columns = await db.query<{ line: string }>(
    `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || case when a.attcollation <> t.typcollation then ' collate "' || c.collname || '"' else '' end
       || case when a.attnotnull then ' not null' else '' end
       || case a.attidentity when 'a' then ' generated always as identity' else '' end
       || case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
               when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end as line
     from pg_attribute a join pg_type t on t.oid = a.atttypid
       left join pg_collation c on c.oid = a.attcollation
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table.oid],
  )
  // Before PostgreSQL 18 "not null" is no constraint of its own; leaving it out keeps one dump for all versions.
  const constraints = await db.query<{ line: string }>(
    `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
     where conrelid = $1 and contype <> 'n' order by contype desc, conname`,
    [table.oid],
  )
  const after = await db.query<{ line: string }>(
    `select line from (
       select pg_get_indexdef(indexrelid) as line from pg_index i
       where indrelid = $1 and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
       union all
       select pg_get_triggerdef(oid) from pg_trigger where tgrelid = $1 and not tgisinternal
     ) described order by line collate "C"`,
    [table.oid],
  )
  const body = [...columns, ...constraints].map(({ line }) => `  ${line}`).join(',\n')
  const kind = table.persistence === 'u' ? 'unlogged table' : 'table'
  const split = table.partition_key === null ? '' : ` partition by ${table.partition_key}`
  return [`create ${kind} ${table.name} (\n${body}\n)${split};`, ...after.map(({ line }) => `${line};`)].join('\n')
}
