import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDaysToDate, addMonthsToDate, toLondonDate } from './clock.ts'

test.each([
  ['2026-01-15T23:59:59Z', '2026-01-15'],
  ['2026-07-01T22:59:59Z', '2026-07-01'],
  // In summer London is an hour ahead of UTC.
  ['2026-07-01T23:00:00Z', '2026-07-02'],
  ['2026-10-25T00:30:00Z', '2026-10-25'],
])('at %s it is %s in London', (at, date) => {
  expect(toLondonDate(new Date(at))).toBe(date)
})

describe('months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-03-31', -1, '2026-02-28'],
  ])('%s and %i months is %s', (date, months, expected) => {
    expect(addMonthsToDate(date, months)).toBe(expected)
  })
})

test('days added and taken away again cancel out', () => {
  const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(date, fc.integer({ min: -10_000, max: 10_000 }), (at, days) => {
      const start = at.toISOString().slice(0, 10)
      expect(addDaysToDate(addDaysToDate(start, days), -days)).toBe(start)
    }),
  )
})
