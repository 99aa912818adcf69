/** Members of JSON that someone else wrote. */
import { expect, test } from 'vitest'
import { withoutNested } from './loose-json.ts'

test('a nested member is left out, and nothing else changes', () => {
  const record = { name: 'A', identity: { start_on: '2025-12-01', preferred_name: 'Robin' } }
  expect(withoutNested(record, ['identity', 'preferred_name'])).toEqual({
    name: 'A',
    identity: { start_on: '2025-12-01' },
  })
  expect(record.identity.preferred_name).toBe('Robin')
  for (const other of [{ name: 'B' }, { identity: null }, { identity: 'x' }]) {
    expect(withoutNested(other, ['identity', 'preferred_name'])).toBe(other)
  }
})
