/** docs/stored-data.md names every column that may hold something about a person; export and erasure reach every table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERASED_TABLES, EXPORTED } from '../../src/privacy/index.ts'
import { listColumns } from '../setup/schema-columns.ts'

const ROOT = join(import.meta.dirname, '../..')
const schema = readFileSync(join(ROOT, 'schema.sql'), 'utf8')
const document = readFileSync(join(ROOT, 'docs/stored-data.md'), 'utf8')

/** Numbers of our own, and words from fixed lists. */
const SAYS_NOTHING =
  /^(id|\w+_id|\w+_number|mode|state|status|kind|outcome|previous_outcome|plan|action|purpose|model|shape|\w+_type|\w+_reason|\w+_by)$/
const HOLDS_TEXT = ['text', 'text[]', 'jsonb', 'bytea'] as const

const inTable = new Set([...document.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name ?? ''))
const shared = new Set(
  [...(document.split('Published by others')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
)
const tableOf = (column: string) => column.split('.')[0] ?? ''

test('every column that may hold something about a person is in docs/stored-data.md with its retention', () => {
  const mayHold = listColumns(schema, HOLDS_TEXT).filter(
    (name) => !shared.has(tableOf(name)) && !SAYS_NOTHING.test(name.split('.')[1] ?? ''),
  )
  const missing = mayHold.filter((name) => !inTable.has(name))
  expect(missing, 'give each a row: what it is, how long it is kept, what erasing does').toEqual([])
})

test('docs/stored-data.md names no column that does not exist', () => {
  const columns = new Set(listColumns(schema))
  expect([...inTable].filter((name) => !columns.has(name))).toEqual([])
})

/** Tables whose rows belong to an account, directly or through a table that does. */
function listAccountTables(): string[] {
  const owned = new Set(['account'])
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)^\)(?: partition by .*)?;/gm)]
  for (let round = 0; round < 4; round += 1) {
    for (const [, table = '', body = ''] of tables) {
      const parents = [...body.matchAll(/REFERENCES (\w+)\(/g)].map(([, parent]) => parent ?? '')
      if (/^ {2}account_id /m.test(body) || parents.some((parent) => owned.has(parent))) owned.add(table)
    }
  }
  return [...owned].filter((table) => !shared.has(table)).sort()
}

test('an export reaches every table with rows of an account', () => {
  const exported = new Set(EXPORTED.map(({ table }) => table))
  expect(
    listAccountTables().filter((table) => !exported.has(table)),
    'add it to src/privacy/export.ts',
  ).toEqual([])
})

test('erasing reaches every table with rows of an account, or the document says that it stays', () => {
  const kept = new Set(['account', 'api_key', 'audit_anchored', 'audit_chain', 'audit_event', 'review_decision'])
  const books = new Set(['ledger_entry', 'credit_hold', 'credit_balance', 'usage_day'])
  const byParent = new Set(['spending_day'])
  const reached = new Set([...ERASED_TABLES, ...kept, ...books, ...byParent])
  expect(
    listAccountTables().filter((table) => !reached.has(table)),
    'add it to src/privacy/erase.ts',
  ).toEqual([])
})
