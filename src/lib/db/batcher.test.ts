import { setImmediate as untilLater } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

/** A handler that ends when it is let. */
function openHandler() {
  const batches: Array<{ items: number[]; end: (error?: Error) => void }> = []
  const handle = (items: number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => item * 10)))
    batches.push({ items, end })
    return promise
  }
  return { batches, handle }
}

/** A batch is sent by an immediate; on a busy machine, a timer may come before that. */
async function untilSent(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await untilLater()
}

test('each caller gets the result of its own item', async () => {
  const batcher = new Batcher<number, number>({ slots: 1, itemsMax: 10 })
  const { batches, handle } = openHandler()
  const results = Promise.all([1, 2, 3].map((item) => batcher.add(item, handle)))
  await untilSent()
  batches[0]?.end()
  expect(await results).toEqual([10, 20, 30])
  expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]])
})

test('one item alone is not delayed', async () => {
  const batcher = new Batcher<number, number>({ slots: 1, itemsMax: 10 })
  const { batches, handle } = openHandler()
  const result = batcher.add(1, handle)
  await new Promise((resolve) => void setImmediate(resolve))
  expect(batches).toHaveLength(1)
  batches[0]?.end()
  expect(await result).toBe(10)
})

test('an item that is added while a batch is under way never joins it', async () => {
  const batcher = new Batcher<number, number>({ slots: 1, itemsMax: 10 })
  const { batches, handle } = openHandler()
  const first = batcher.add(1, handle)
  await untilSent()
  const second = batcher.add(2, handle)
  await untilSent()
  expect(batches).toHaveLength(1)
  batches[0]?.end()
  expect(await first).toBe(10)
  await untilSent()
  batches[1]?.end()
  expect(await second).toBe(20)
  expect(batches.map(({ items }) => items)).toEqual([[1], [2]])
})

test('no more batches than slots are under way, and none is larger than it may be', async () => {
  const batcher = new Batcher<number, number>({ slots: 2, itemsMax: 3 })
  const { batches, handle } = openHandler()
  const results = Promise.all(Array.from({ length: 8 }, (_, item) => batcher.add(item, handle)))
  await untilSent()
  expect(batches.map(({ items }) => items)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ])
  for (const { end } of batches) end()
  await untilSent()
  batches[2]?.end()
  expect(await results).toEqual([0, 10, 20, 30, 40, 50, 60, 70])
})

test('an error reaches the callers of its batch and no others', async () => {
  const batcher = new Batcher<number, number>({ slots: 1, itemsMax: 2 })
  const { batches, handle } = openHandler()
  const results = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item, handle)))
  await untilSent()
  batches[0]?.end(new Error('broken'))
  await untilSent()
  batches[1]?.end()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('a handler that returns too few results fails its batch', async () => {
  const batcher = new Batcher<number, number>({ slots: 1, itemsMax: 2 })
  await expect(batcher.add(1, async () => [])).rejects.toThrow('0 results for 1 items')
})
