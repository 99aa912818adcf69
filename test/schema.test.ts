import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Database } from '../src/lib/db/db.ts'
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
