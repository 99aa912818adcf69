import { expect, test } from 'vitest'
import { sevenInLondon } from './digest.ts'

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
