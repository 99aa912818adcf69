import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedKey, newApiKey } from './api-keys.ts'

test('a new key is well formed and tells its mode', () => {
  for (const mode of ['live', 'test'] as const) {
    const key = newApiKey(mode)
    expect(key).toMatch(new RegExp(`^np_${mode}_[0-9A-Za-z]{39}$`))
    expect(isWellFormedKey(key)).toBe(true)
  }
})

test('any single mistyped character is seen without a look-up', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 46 }), fc.integer({ min: 0, max: 61 }), (at, letter) => {
      const key = newApiKey('live')
      const typed = key.slice(0, at) + letters[letter] + key.slice(at + 1)
      expect(isWellFormedKey(typed)).toBe(typed === key)
    }),
    { numRuns: 500 },
  )
})

test('a live key is not turned into a test key by its prefix', () => {
  expect(isWellFormedKey(newApiKey('live').replace('np_live_', 'np_test_'))).toBe(false)
})
