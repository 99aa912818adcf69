import { expect, test } from 'vitest'
import { findPending, type Migration } from './migrate.ts'

const migration = (name: string, sha256 = name): Migration => ({ name, sql: '', sha256 })
const all = [migration('0001_a.sql'), migration('0002_b.sql'), migration('0003_c.sql')]

test('what has not run is pending, in order', () => {
  expect(findPending(new Map(), all)).toEqual(all)
  expect(findPending(new Map([['0002_b.sql', '0002_b.sql']]), all).map(({ name }) => name)).toEqual([
    '0001_a.sql',
    '0003_c.sql',
  ])
})

test('a migration changed after it ran is refused', () => {
  expect(() => findPending(new Map([['0001_a.sql', 'another hash']]), all)).toThrow('was changed after it ran')
})
