import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownRows } from './known-rows.ts'

const number = fc.stringMatching(/^[A-Z0-9]{8}$/)

test('compares like a map of number to hash, and knows what was not seen', () => {
  fc.assert(
    fc.property(fc.uniqueArray(number, { maxLength: 200 }), fc.array(number, { maxLength: 50 }), (known, asked) => {
      const rows = KnownRows.forCount(known.length)
      known.forEach((item, index) => rows.add(item, index - 5))
      for (const [index, item] of known.entries()) {
        if (index % 2 === 0) expect(rows.compare(item, index - 5)).toBe('same')
        else if (index % 3 === 0) expect(rows.compare(item, 999)).toBe('changed')
      }
      for (const item of asked) if (!known.includes(item)) expect(rows.compare(item, 0)).toBe('new')
      const unseen = known.filter((_, index) => index % 2 !== 0 && index % 3 !== 0)
      expect([...rows.unseen()].sort()).toEqual(unseen.sort())
    }),
  )
})

test('threads share one copy', () => {
  const rows = KnownRows.forCount(1)
  rows.add('01234567', 1)
  const shared = new KnownRows(rows.memory)
  expect(shared.compare('01234567', 1)).toBe('same')
  expect([...rows.unseen()]).toEqual([])
})
