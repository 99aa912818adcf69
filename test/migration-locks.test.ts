/** A database changes while customers use it: their requests do not wait behind a migration that waits. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Database } from '../src/lib/db/db.ts'
import { type Migration, migrate, readMigrations } from '../src/lib/db/migrate.ts'
import { createEmptyDatabase } from './setup/harness.ts'

const ROOT = join(import.meta.dirname, '..')

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let db: Database
beforeAll(async () => {
  database = await createEmptyDatabase()
  db = new Database({ url: database.url, connectionsMax: 3, applicationName: 'test' })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('a migration that waits for a table gives its turn up, and runs once the table is free', async () => {
  const first: Migration = { name: '0001_a.sql', sql: 'create table one (id integer)', sha256: 'a' }
  const next: Migration = {
    name: '0002_b.sql',
    sql: '-- short locks\nalter table one add column two integer',
    sha256: 'b',
  }
  await migrate(database.url, [first], [])
  const gaveUp = Promise.withResolvers<string>()
  let migrated: Promise<string[]> | undefined
  await db.transaction(async (tx) => {
    await tx.query('select from one')
    migrated = migrate(database.url, [first, next], [], gaveUp.resolve)
    expect(await gaveUp.promise).toBe('0002_b.sql waits for its locks')
  })
  expect(await migrated).toEqual(['0002_b.sql'])
})

test('the list of reviews is filled a part at a time, and a review whose answer is gone ends it too', async () => {
  const copy = (await readMigrations(join(ROOT, 'migrations'))).find(({ name }) => name.startsWith('0061'))
  const tables = {
    name: '0060_tables.sql',
    sha256: 'c',
    sql: `create table resolution (id text, situation text not null, findings jsonb not null);
     create table review_item (id text, resolution_id text, situation text, candidate_numbers text[] not null default '{}',
       candidate_names text not null default '');
     insert into resolution select 'res_' || n, 'close_names',
       '{"candidates": [{"companyNumber": "00000001", "companyName": "ONE LTD"}]}' from generate_series(1, 1500) n;
     insert into review_item (id, resolution_id) select 'rev_' || n, 'res_' || n from generate_series(1, 1501) n`,
  }
  const done = await migrate(database.url, copy ? [tables, copy] : [], [])
  expect(done).toEqual(['0060_tables.sql', '0061_review_desk_copy.sql'])
  const counted = await db.query(
    `select situation, candidate_numbers as numbers, candidate_names as names, count(*)::integer as count
     from review_item group by 1, 2, 3 order by count`,
  )
  expect(counted).toEqual([
    { situation: null, numbers: [], names: '', count: 1 },
    { situation: 'close_names', numbers: ['00000001'], names: 'one ltd', count: 1500 },
  ])
})
