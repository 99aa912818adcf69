/** Every table has one owner. Others use it only where one statement must, and entry points never. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isProduct, ROOT, readSources } from '../../tools/house/sources.ts'
import { ALLOWED, listForbiddenUses, listForeignUses, listTables, OWNERS } from '../../tools/house/tables.ts'

const sources = readSources().filter(isProduct)
const uses = listForeignUses(sources)

test('every table has an owner, which is a folder of src', () => {
  expect(Object.keys(OWNERS).sort()).toEqual(listTables().sort())
  expect([...new Set(Object.values(OWNERS))].filter((owner) => !existsSync(join(ROOT, 'src', owner)))).toEqual([])
})

test('a feature reads the tables of another only where the list of allowances says why, and writes none', () => {
  const found = listForbiddenUses(uses).map(({ file, table, owner }) => `${file} uses ${table} of ${owner}`)
  expect(found, 'call a function of the owner, or say in tools/house/tables.ts why one statement must').toEqual([])
})

test('every allowance is in use', () => {
  const idle = ALLOWED.filter(({ by }) => by !== 'privacy').flatMap(({ by, tables }) =>
    tables.filter((table) => !uses.some((use) => use.table === table && use.file.startsWith(`src/${by}/`))),
  )
  expect(idle, 'take it out of ALLOWED in tools/house/tables.ts').toEqual([])
})

/** Only the answers that are kept for an idempotency key belong to the entry points together. */
const OWN_TABLE = 'src/entry/http/idempotency.ts'

const listQueries = (files: ReadonlyArray<{ file: string; text: string }>) =>
  files.filter(({ file, text }) => file.startsWith('src/entry/') && file !== OWN_TABLE && /\.query[<(]/.test(text))

test('entry points run no SQL', () => {
  expect(listQueries(sources).map(({ file }) => file)).toEqual([])
})

test('the rules see planted violations', () => {
  const file = 'src/signals/planted.ts'
  const planted = [
    { file, text: "await tx.query('update company set name = $1')" },
    { file: 'src/signals/other.ts', text: "await db.query('select 1 from credit_balance')" },
  ]
  expect(listForbiddenUses(listForeignUses(planted)).map(({ table }) => table)).toEqual(['company', 'credit_balance'])
  expect(listQueries([{ file: 'src/entry/api/planted.ts', text: 'app.db.query<Row>(text)' }])).toHaveLength(1)
})
