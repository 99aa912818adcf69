import { afterEach, expect, test } from 'vitest'
import { IsolatedThreads, ThreadFailure, ThreadsBusy } from './isolated-threads.ts'

const program = new URL('./isolated-threads.fixture.ts', import.meta.url)
let threads: IsolatedThreads
const open = (options: Partial<ConstructorParameters<typeof IsolatedThreads>[0]> = {}) => {
  threads = new IsolatedThreads({ program, threads: 1, queueMax: 10, heapMbMax: 48, cpuMsMax: 600, ...options })
  return threads
}
afterEach(() => threads.close())

test.each([
  ['endless loop', 'time'],
  ['endless pattern', 'time'],
  ['memory', 'memory'],
  ['error', 'crash'],
  ['exit', 'crash'],
  ['recursion', 'crash'],
])('a task that ends in %s fails by %s, and the next one is done by another thread', async (deed, reason) => {
  // On a busy machine, collecting garbage takes longer than the limit of time before memory runs out.
  const pool = open(reason === 'time' ? {} : { cpuMsMax: 20_000 })
  const failed = pool.run({ deed })
  const next = pool.run({ deed: 'answer' })
  await expect(failed).rejects.toBeInstanceOf(ThreadFailure)
  await expect(failed).rejects.toMatchObject({ reason })
  expect(await next).toBe('well')
})

test('a thread knows nothing of the environment of its process', async () => {
  process.env['PLANTED_SECRET'] = 'hunter2'
  const seen = JSON.parse(String(await open().run({ deed: 'environment' })))
  expect(Object.keys(seen).filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([])
})

test('tasks wait for a thread up to a bound, and are refused beyond it', async () => {
  const pool = open({ queueMax: 1 })
  const [first, second, third] = [1, 2, 3].map(() => pool.run({ deed: 'answer' }))
  await expect(third).rejects.toBeInstanceOf(ThreadsBusy)
  expect(await Promise.all([first, second])).toEqual(['well', 'well'])
})
