/** A database changes while customers use it: their requests do not wait behind a migration that waits. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnection } from '../src/lib/db/connection.ts'
import { Database } from '../src/lib/db/db.ts'
import { type Migration, migrate } from '../src/lib/db/migrate.ts'
import { createEmptyDatabase } from './setup/harness.ts'

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
    sql: 'alter table one add column two integer',
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

test('a migration that meets a deadlock is the one that gives up, and tries again', async () => {
  const another = await createEmptyDatabase()
  const client = await openConnection(another.url)
  const run = async (sql: string) => void (await client.query(sql))
  await run('create table one (id int); create table two (id int)')
  // Held in the other order, until the migration has given up once.
  await run('begin; lock table two in access exclusive mode')
  const lines: string[] = []
  const sql = `lock table one in access exclusive mode;
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
