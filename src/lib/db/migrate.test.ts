import { expect, test } from 'vitest'
import { findPending, type Migration } from './migrate.ts'

const migration = (name: string, sha256 = name): Migration => ({ name, sql: '', sha256 })
const all = [migration('0001_a.sql'), migration('0002_b.sql'), migration('0003_c.sql')]

test('what has not run is pending, in order', () => {
  expect(findPending(new Map(), all)).toEqual(all)
  const applied = new Map(['0001_a.sql', '0003_c.sql'].map((name) => [name, name]))
  expect(findPending(applied, all).map(({ name }) => name)).toEqual(['0002_b.sql'])
})

test('a migration changed after it ran is refused', () => {
  expect(() => findPending(new Map([['0001_a.sql', 'another hash']]), all)).toThrow('was changed after it ran')
})

test('a database from before the first migration is told that nothing upgrades it', () => {
  const old = new Map([['0001_foundations.sql', 'hash']])
  expect(() => findPending(old, all)).toThrow('make a new database')
  expect(() => findPending(new Map([['register/search/names.sql', 'hash']]), all)).not.toThrow()
})
