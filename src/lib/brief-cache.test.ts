import { expect, test } from 'vitest'
import { BriefCache } from './brief-cache.ts'

/** Returns a cache of the numbers from 1 on. */
function openCache(keptMs: number) {
  let loads = 0
  return new BriefCache({ keptMs, load: async () => (loads += 1) })
}

test('all who ask while a value is made get that one', async () => {
  const cache = openCache(0)
  expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual([1, 1, 1])
})

test('a value is kept for its time and made again afterwards', async () => {
  const kept = openCache(3_600_000)
  expect([await kept.get(), await kept.get()]).toEqual([1, 1])
  const over = openCache(0)
  expect([await over.get(), await over.get()]).toEqual([1, 2])
})

test('a failure is not kept', async () => {
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 1) throw new Error('the database is away')
    return loads
  }
  const cache = new BriefCache({ keptMs: 3_600_000, load })
  await expect(cache.get()).rejects.toThrow('away')
  expect(await cache.get()).toBe(2)
})
