import type { Client } from 'pg'

/**
 * Drops the indexes and constraints of tables that are about to be filled, and returns a function that makes them again:
 * building them afterwards takes a fraction of the time. A primary key that another table refers to and an index that a
 * partition has from its parent cannot be dropped alone, and stay.
 */
export async function dropIndexes(client: Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint mine
     where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f') and conparentid = 0 and not exists (
       select from pg_constraint other where other.contype = 'f' and other.conindid = mine.conindid
         and mine.contype <> 'f' and other.conrelid <> all ($1::regclass[]))
     order by contype <> 'f'`,
    [tables],
  )
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  // The indexes of the constraints are gone by now.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any ($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
       and not exists (select from pg_inherits where inhrelid = indexrelid)`,
    [tables],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of constraints.toReversed()) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    }
  }
}
