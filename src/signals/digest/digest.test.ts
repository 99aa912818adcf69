import { expect, test } from 'vitest'
import { mondayOf, sevenInLondon } from './digest.ts'

test.each([
  ['in winter', '2026-01-15', '2026-01-15T07:00:00.000Z'],
  ['in summer', '2026-07-15', '2026-07-15T06:00:00.000Z'],
  ['the day before the clocks go forward', '2026-03-28', '2026-03-28T07:00:00.000Z'],
  ['the day the clocks go forward', '2026-03-29', '2026-03-29T06:00:00.000Z'],
  ['the day before the clocks go back', '2026-10-24', '2026-10-24T06:00:00.000Z'],
  ['the day the clocks go back', '2026-10-25', '2026-10-25T07:00:00.000Z'],
])('seven in the morning in London %s', (_name, day, expected) => {
  expect(sevenInLondon(day).toISOString()).toBe(expected)
})

test.each([
  ['2026-11-16', '2026-11-16'],
  ['2026-11-18', '2026-11-16'],
  ['2026-11-22', '2026-11-16'],
  ['2027-01-01', '2026-12-28'],
])('the week of %s begins on %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday)
})
