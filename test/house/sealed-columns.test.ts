/** A sealed column that `nameplated secrets reseal` does not walk would keep a leaked key alive. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SEALED_COLUMNS } from '../../src/entry/cli/secrets.ts'
import { listColumns } from '../setup/schema-columns.ts'

const schema = readFileSync(join(import.meta.dirname, '../../schema.sql'), 'utf8')

test('the command that seals again knows every sealed column of the schema', () => {
  const inSchema = listColumns(schema).filter((name) => name.includes('sealed'))
  expect(SEALED_COLUMNS.map(({ name }) => name).sort()).toEqual(inSchema.sort())
})

test('a sealed column that nobody knows is found', () => {
  expect(
    listColumns('create table note (\n  id text not null,\n  body_sealed text,\n  constraint x CHECK (true)\n);'),
  ).toEqual(['note.id', 'note.body_sealed'])
})
