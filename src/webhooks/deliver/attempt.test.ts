import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { addSeconds } from '../../lib/clock.ts'
import { classifyResponse, nextAttemptAt } from './attempt.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const { webhooks } = loadConfig({
  ENVIRONMENT: 'development',
  BASE_URL: 'http://localhost',
  SITE_URL: 'http://localhost',
  DATABASE_URL: 'postgresql://localhost/unused',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'hello@nameplate.example',
  SEALING_KEYS: `k1:${KEY}`,
  HASHING_KEY: KEY,
})
const START = new Date('2026-03-02T09:00:00Z')
const MIDDLE = 0.5

function secondsUntilNext(attempt: number, retryAfterSeconds: number | null = null, random = MIDDLE): number | null {
  const next = nextAttemptAt({ event: { attempt }, startedAt: START, retryAfterSeconds }, webhooks, random)
  return next && (next.getTime() - START.getTime()) / 1_000
}

test('eleven attempts over more than three days, and then it has failed', () => {
  const waits = Array.from({ length: 11 }, (_, index) => secondsUntilNext(index + 1))
  expect(waits).toEqual([5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null])
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)
  expect(total).toBeGreaterThanOrEqual(72 * 3_600)
})

test('the wait varies by a fifth either way', () => {
  expect([secondsUntilNext(2, null, 0), secondsUntilNext(2, null, 1)]).toEqual([48, 72])
})

test('Retry-After makes a wait longer, never shorter, and at most a day', () => {
  expect(secondsUntilNext(1, 120)).toBe(120)
  expect(secondsUntilNext(5, 120)).toBe(7_200)
  expect(secondsUntilNext(1, 10_000_000)).toBe(86_400)
  expect(nextAttemptAt({ event: { attempt: 11 }, startedAt: START, retryAfterSeconds: 5 }, webhooks)).toBeNull()
  expect(nextAttemptAt({ event: { attempt: 1 }, startedAt: START, retryAfterSeconds: 60 }, webhooks, 0)).toEqual(
    addSeconds(START, 60),
  )
})

test.each([
  [200, null, 'delivered'],
  [204, null, 'delivered'],
  [299, null, 'delivered'],
  [301, null, 'failed'],
  [304, null, 'failed'],
  [400, null, 'failed'],
  [410, null, 'gone'],
  [429, null, 'failed'],
  [500, null, 'failed'],
  [null, 'timeout', 'failed'],
  [null, 'certificate', 'failed'],
  [null, 'blocked', 'blocked'],
])('a response of %s (%s) is %s', (status, error, result) => {
  expect(classifyResponse({ status, error })).toBe(result)
})
