import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { IdleQueues } from './idle-queues.ts'

const LOOKS_MS = 1_000
const log = createLog({ level: 'silent' })
const { signal } = new AbortController()

/** Returns queues that are ready as soon as they are named, and the lists that were looked for. */
function openQueues() {
  const ready = new Set<string>()
  const looks: string[][] = []
  const listReady = async (names: readonly string[]) => {
    looks.push([...names])
    return new Set(names.filter((name) => ready.has(name)))
  }
  return { ready, looks, idle: new IdleQueues({ listReady, log }) }
}

test('one look is for all queues that wait, and only the one with a job goes on', async () => {
  const { ready, looks, idle } = openQueues()
  const ended: string[] = []
  const stop = new AbortController()
  const waits = ['a', 'b'].map((name) => idle.wait(name, stop.signal).then(() => ended.push(name)))
  ready.add('b')
  await waits[1]
  expect(ended).toEqual(['b'])
  expect(looks).toEqual([['a', 'b']])
  stop.abort()
  await Promise.all(waits)
})

test('a worker that stops does not wait for a job, and looks no more', async () => {
  const { looks, idle } = openQueues()
  const stop = new AbortController()
  const wait = idle.wait('a', stop.signal)
  stop.abort()
  await wait
  await sleep(LOOKS_MS)
  expect(looks).toEqual([])
})

test('a look that fails is repeated', async () => {
  let looks = 0
  const listReady = async (names: readonly string[]) => {
    looks += 1
    if (looks === 1) throw new Error('the database is away')
    return new Set(names)
  }
  await new IdleQueues({ listReady, log }).wait('a', signal)
  expect(looks).toBe(2)
})
