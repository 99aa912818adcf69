import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('the value is made at the first call and kept, also when it is undefined', () => {
  let calls = 0
  const read = lazy(() => void (calls += 1))
  expect(calls).toBe(0)
  expect([read(), read()]).toEqual([undefined, undefined])
  expect(calls).toBe(1)
})

test('a maker that fails is called again', () => {
  let fails = true
  const flaky = lazy(() => {
    if (fails) throw new Error('not yet')
    return 'made'
  })
  expect(flaky).toThrow('not yet')
  fails = false
  expect(flaky()).toBe('made')
})
