/** A database becomes partitioned while customers use it: no request fails between the steps, and none ends in a deadlock. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnection } from '../src/lib/db/connection.ts'
import { Database } from '../src/lib/db/db.ts'
import { type Migration, migrate, readMigrations } from '../src/lib/db/migrate.ts'
import { createEmptyDatabase } from './setup/harness.ts'

const ROOT = join(import.meta.dirname, '..')
const AT = new Date('2026-11-01T12:00:00Z')

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let migrations: Migration[]
let db: Database
beforeAll(async () => {
  database = await createEmptyDatabase()
  migrations = await readMigrations(join(ROOT, 'migrations'))
  db = new Database({ url: database.url, connectionsMax: 3, applicationName: 'test' })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const migrateTo = (last: string) =>
  migrate(
    database.url,
    migrations.filter(({ name }) => name <= last),
    [],
  )

/** Holds as the release did that ran while the tables were partitioned; later ones name columns that come after the steps. */
const hold = (references: string[]) =>
  db.query(
    `with wanted as (
       select 'hld_' || reference as id, reference, place from unnest($1::text[]) with ordinality one (reference, place)
     ), held as (
       insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at)
       select id, 'acc_1', reference, 1, 'held', $2, $2::timestamptz + interval '1 minute' from wanted
     ), moved as (
       update credit_balance set held = held + (select count(*) from wanted) where account_id = 'acc_1'
       returning balance, held - (select count(*) from wanted) as held_before
     )
     insert into ledger_entry (account_id, kind, amount, balance_delta, held_delta, balance_after, held_after,
       reason, reference, hold_id, created_at)
     select 'acc_1', 'hold', 1, 0, 1, balance, held_before + place, 'test', reference, id, $2
     from wanted cross join moved order by place
     returning hold_id`,
    [references, AT],
  )

test('holds for many domains work before, between and after all steps, and none is lost', async () => {
  await migrateTo('0027')
  await db.query(
    `insert into account (id, email, email_canonical, password_hash, created_at) values ('acc_1', 'a@b.c', 'a@b.c', 'x', now())`,
  )
  await db.query(`insert into credit_balance (account_id, balance, held) values ('acc_1', 100, 0)`)
  const steps = ['0026', '0028', '0029', '0030', '0031', '0032', '9999']
  for (const step of steps) {
    await migrateTo(step)
    const held = await hold([`${step}-a`, `${step}-b`, `${step}-c`])
    expect(held).toHaveLength(3)
  }
  const counts = await db.query<{ holds: number; entries: number }>(
    `select (select count(*) from credit_hold)::int as holds, (select count(*) from ledger_entry where kind = 'hold')::int as entries`,
  )
  expect(counts).toEqual([{ holds: 3 * steps.length, entries: 3 * steps.length }])
})

test('a migration that meets a deadlock is the one that gives up, and tries again', async () => {
  const another = await createEmptyDatabase()
  const client = await openConnection(another.url)
  const run = async (sql: string) => void (await client.query(sql))
  await run('create table one (id int); create table two (id int)')
  // Held in the other order, until the migration has given up once.
  await run('begin; lock table two in access exclusive mode')
  const lines: string[] = []
  const sql = `-- short locks
set local lock_timeout = '500ms';
lock table one in access exclusive mode;
lock table two in access exclusive mode;
create table three (id int);`
  const migrated = migrate(another.url, [{ name: '0001_three.sql', sql, sha256: 'x' }], [], (line) => lines.push(line))
  await run('lock table one in access exclusive mode')
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0)
  await run('commit')
  expect(await migrated).toEqual(['0001_three.sql'])
  await client.end()
  await another.drop()
})
