import { describe, expect, test } from 'vitest'
import { tryAll } from './stamp-records.ts'

/** The authority always refuses these positions. */
function openQueue(size: number, refused: readonly number[]) {
  const waiting = new Set(Array.from({ length: size }, (_, index) => index))
  const run = (number: number) =>
    tryAll(
      [...waiting].map((index) => async () => !refused.includes(index) && waiting.delete(index)),
      number,
    )
  return { waiting, run }
}

describe('stamps that could not be had before', () => {
  test('come to all others where the authority always refuses the three oldest', async () => {
    const { waiting, run } = openQueue(8, [0, 1, 2])
    for (let number = 0; number < 8; number += 1) await run(number)
    expect([...waiting]).toEqual([0, 1, 2])
  })

  test('are asked for on and on where failures are not in a row', async () => {
    const { waiting, run } = openQueue(8, [0, 2, 4, 6])
    expect(await run(0)).toEqual({ done: 4, failed: 4 })
    expect([...waiting]).toEqual([0, 2, 4, 6])
  })

  test('are given up for this run after three failures in a row', async () => {
    const { run } = openQueue(8, [0, 1, 2, 3, 4, 5, 6, 7])
    expect(await run(5)).toEqual({ done: 0, failed: 3 })
    expect(await openQueue(0, []).run(5)).toEqual({ done: 0, failed: 0 })
  })
})
