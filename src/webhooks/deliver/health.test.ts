import { expect, test } from 'vitest'
import { addSeconds } from '../../lib/clock.ts'
import { type AttemptResult, afterAttempt, HEALTHY, type Health, inFlightMax } from './health.ts'

const POLICY = { disableAfterSeconds: 5 * 86_400, pauseSeconds: 30 }
const START = new Date('2026-03-02T09:00:00Z')

/** Returns the health after these attempts, `everySeconds` apart. */
function live(results: readonly AttemptResult[], everySeconds = 1, from: Health = HEALTHY): Health {
  return results.reduce(
    (health, result, index) =>
      afterAttempt(health, { result, retryAfterSeconds: null, at: addSeconds(START, index * everySeconds) }, POLICY),
    from,
  )
}

const failures = (count: number): AttemptResult[] => Array<AttemptResult>(count).fill('failed')

test('a success forgets every failure before it', () => {
  expect(live([...failures(7), 'delivered'])).toEqual({
    ...HEALTHY,
    lastSuccessAt: addSeconds(START, 7),
    lastFailureAt: addSeconds(START, 6),
  })
})

test('four failures in a row do not pause; the fifth does, and only one is in flight meanwhile', () => {
  expect(live(failures(4))).toMatchObject({ pausedUntil: null, consecutiveFailures: 4, failingSince: START })
  const paused = live(failures(5))
  expect(paused).toMatchObject({ pausedUntil: addSeconds(START, 4 + 30), pauses: 1 })
  expect([inFlightMax(HEALTHY, 9), inFlightMax(paused, 9)]).toEqual([5, 1])
})

test('a receiver is sent one event, and more at once with each that it accepts', () => {
  expect([0, 1, 2, 4, 40].map((accepted) => inFlightMax(HEALTHY, accepted))).toEqual([1, 2, 3, 5, 5])
})

test('failures that were under way when the pause began do not make it longer', () => {
  expect(live(failures(8)).pausedUntil).toEqual(addSeconds(START, 34))
})

test.each([
  [1, 60],
  [2, 120],
  [5, 960],
  [6, 1_800],
  [40, 1_800],
])('after %i pauses that did not help the next lasts %i s', (pauses, seconds) => {
  const failing = { ...HEALTHY, consecutiveFailures: 9, failingSince: START, pauses }
  const after = afterAttempt(failing, { result: 'failed', retryAfterSeconds: null, at: START }, POLICY)
  expect(after).toMatchObject({ pausedUntil: addSeconds(START, seconds), pauses: pauses + 1 })
})

test('a receiver that says how long to wait gets that pause, up to half an hour', () => {
  const asks = (retryAfterSeconds: number) =>
    afterAttempt(HEALTHY, { result: 'failed', retryAfterSeconds, at: START }, POLICY).pausedUntil
  expect(asks(90)).toEqual(addSeconds(START, 90))
  expect(asks(86_400)).toEqual(addSeconds(START, 1_800))
})

test.each<[string, AttemptResult[], number, Health['disabledReason']]>([
  ['one 410', ['gone'], 1, 'gone'],
  ['two blocked addresses', ['blocked', 'blocked'], 1, null],
  ['two blocked addresses after failures', ['failed', 'failed', 'blocked', 'blocked'], 1, null],
  ['three blocked addresses', ['blocked', 'blocked', 'blocked'], 1, 'blocked_address'],
  ['failures over four days', failures(5), 86_400, null],
  ['failures over five days', failures(6), 86_400, 'no_success'],
  [
    'a success after four days, then two more of failures',
    [...failures(5), 'delivered', 'failed', 'failed'],
    86_400,
    null,
  ],
])('%s: %o', (_, results, everySeconds, reason) => {
  expect(live(results, everySeconds).disabledReason).toBe(reason)
})
