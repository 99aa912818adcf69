import { expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)

test.each([
  ['a number', 1, 0, false],
  ['a list', [1], 0, true],
  ['a list', [1], 1, false],
  ['an empty list in a list', [[]], 1, false],
  ['an object in a list', [{ a: 1 }], 1, true],
  ['an object in a list', [{ a: 1 }], 2, false],
  ['a deep branch beside shallow ones', { a: 1, b: [2, { c: nested(3) }] }, 5, true],
  ['a deep branch beside shallow ones', { a: 1, b: [2, { c: nested(3) }] }, 6, false],
])('%s (%j) is deeper than %j: %j', (_what, value, levels, expected) => {
  expect(isDeeperThan(value, levels)).toBe(expected)
})

test('thirty thousand lists in each other are told without running out of stack', () => {
  expect(isDeeperThan(nested(30_000), 64)).toBe(true)
})
