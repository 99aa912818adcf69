import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/setup/harness.ts'
import { Database } from './db/db.ts'
import { LeasedLimiter } from './limits/leased-limiter.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = new Database({ url: database.url, connectionsMax: 8, applicationName: 'test' })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Counts the statements a limiter sends. */
function counting(): { limiter: LeasedLimiter; writes: () => number } {
  let writes = 0
  const limiter = new LeasedLimiter({
    query: (text, params) => {
      writes += 1
      return db.query(text, params)
    },
  })
  return { limiter, writes: () => writes }
}

test('eight processes together admit no more than the burst and what time adds', async () => {
  const policy = { name: 'api', burst: 120, perSecond: 20 }
  const processes = Array.from({ length: 8 }, () => new LeasedLimiter(db))
  const startedAt = Date.now()
  const admissions = await Promise.all(
    processes.flatMap((limiter) => Array.from({ length: 100 }, () => limiter.admit('shared', policy))),
  )
  const admitted = admissions.filter(({ kind }) => kind === 'admitted').length
  const seconds = (Date.now() - startedAt) / 1_000
  expect(admitted).toBeLessThanOrEqual(120 + Math.ceil(seconds * 20))
  expect(admitted).toBeGreaterThanOrEqual(100)
})

test('a busy caller costs one write per ten requests', async () => {
  const { limiter, writes } = counting()
  for (let request = 0; request < 100; request += 1)
    await limiter.admit('busy', { name: 'api', burst: 120, perSecond: 20 })
  expect(writes()).toBeLessThanOrEqual(11)
})

test('a refused caller costs no write until a token is due', async () => {
  const { limiter, writes } = counting()
  const policy = { name: 'login', burst: 3, perSecond: 0.01 }
  const kinds: string[] = []
  for (let attempt = 0; attempt < 50; attempt += 1) kinds.push((await limiter.admit('guesser', policy)).kind)
  expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(3)
  expect(writes()).toBeLessThanOrEqual(4)
  const refused = await limiter.admit('guesser', policy)
  expect(refused).toMatchObject({ kind: 'refused' })
  if (refused.kind === 'refused') expect(refused.retryAfterSeconds).toBeGreaterThan(90)
})

test('tokens come back with time', async () => {
  const { limiter } = counting()
  const policy = { name: 'quick', burst: 2, perSecond: 10 }
  for (let request = 0; request < 2; request += 1) await limiter.admit('caller', policy)
  expect((await limiter.admit('caller', policy)).kind).toBe('refused')
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect((await limiter.admit('caller', policy)).kind).toBe('admitted')
})

test('callers do not share buckets, nor do policies', async () => {
  const { limiter } = counting()
  const policy = { name: 'one', burst: 1, perSecond: 0.01 }
  expect((await limiter.admit('a', policy)).kind).toBe('admitted')
  expect((await limiter.admit('a', policy)).kind).toBe('refused')
  expect((await limiter.admit('b', policy)).kind).toBe('admitted')
  expect((await limiter.admit('a', { ...policy, name: 'two' })).kind).toBe('admitted')
})
