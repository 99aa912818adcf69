import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Database } from '../src/lib/db/db.ts'
import { migrate, readDefinitions, readMigrations } from '../src/lib/db/migrate.ts'
import { dumpSchema } from '../tools/dump-schema.ts'
import { createTestDatabase } from './setup/harness.ts'

const ROOT = join(import.meta.dirname, '..')

test('schema.sql is the sum of the migrations (npm run schema writes it)', async () => {
  const database = await createTestDatabase()
  const db = new Database({ url: database.url, connectionsMax: 1, applicationName: 'test' })
  expect(await dumpSchema(db)).toBe(readFileSync(join(ROOT, 'schema.sql'), 'utf8'))
  await db.close()
  await database.drop()
})

test('every foreign key has an index that begins with it', async () => {
  const database = await createTestDatabase()
  const db = new Database({ url: database.url, connectionsMax: 1, applicationName: 'test' })
  const bare = await db.query<{ name: string }>(
    `select c.conname as name from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and not exists (
         select from pg_index i
         where i.indrelid = c.conrelid and (i.indkey::int2[])[0] = c.conkey[1] and i.indisvalid
       )`,
  )
  expect(bare).toEqual([])
  await db.close()
  await database.drop()
})

test('a definition runs again when its text changed and never otherwise; one that fails leaves all as they were', async () => {
  const database = await createTestDatabase()
  const db = new Database({ url: database.url, connectionsMax: 1, applicationName: 'test' })
  const migrations = await readMigrations(join(ROOT, 'migrations'))
  const definitions = await readDefinitions(join(ROOT, 'src'))
  expect(definitions.map(({ name }) => name)).toContain('register/search/names.sql')
  expect(await migrate(database.url, migrations, definitions)).toEqual([])
  const define = (sha256: string, sql: string) =>
    migrate(database.url, migrations, [
      { name: 'x/one.sql', sql, sha256 },
      { name: 'x/two.sql', sql: '', sha256 },
    ])
  const one = async () => (await db.query<{ one: number }>('select one()'))[0]?.one
  const returns = (value: number) => `create or replace function one() returns integer language sql return ${value}`
  expect(await define('first', returns(1))).toEqual(['x/one.sql', 'x/two.sql'])
  expect(await define('first', returns(1))).toEqual([])
  expect(await one()).toBe(1)
  await expect(define('broken', `${returns(2)}; create or replace function nonsense`)).rejects.toThrow('left nothing')
  expect(await one()).toBe(1)
  expect(await define('third', returns(3))).toEqual(['x/one.sql', 'x/two.sql'])
  expect(await one()).toBe(3)
  await db.close()
  await database.drop()
})

test('a function that runs as the owner of the tables can be called by no role that was not given it, and sees no temporary table first', async () => {
  const database = await createTestDatabase()
  const db = new Database({ url: database.url, connectionsMax: 1, applicationName: 'test' })
  const open = await db.query(
    `select proname, proconfig from pg_proc
     where prosecdef and pronamespace = 'public'::regnamespace
       and (has_function_privilege('public', oid, 'execute')
         or not coalesce(array_to_string(proconfig, ';'), '') ~ 'search_path=[^;]*pg_temp"?(;|$)')`,
  )
  expect(open).toEqual([])
  await db.close()
  await database.drop()
})
