import { expect, test } from 'vitest'
import { applyAge } from './age.ts'

const page = 1

test.each([
  ['2026-11-17', { ageFromYears: 2 }, undefined, '2024-11-17'],
  ['2026-11-17', { ageToYears: 2 }, '2023-11-18', undefined],
  ['2026-11-17', { ageFromYears: 0, ageToYears: 0 }, '2025-11-18', '2026-11-17'],
  // A year that lacks the day ends on the day before it.
  ['2024-02-29', { ageFromYears: 1 }, undefined, '2023-02-28'],
  ['2024-02-29', { ageToYears: 0 }, '2023-03-01', undefined],
  ['2025-02-28', { ageFromYears: 1 }, undefined, '2024-02-28'],
  ['2025-03-01', { ageFromYears: 1 }, undefined, '2024-03-01'],
  // The narrower day counts.
  ['2026-11-17', { ageFromYears: 2, incorporatedTo: '2020-01-01' }, undefined, '2020-01-01'],
  ['2026-11-17', { ageToYears: 2, incorporatedFrom: '2020-01-01' }, '2023-11-18', undefined],
])('on %s, %j is from %s to %s', (today, criteria, incorporatedFrom, incorporatedTo) => {
  expect(applyAge({ ...criteria, page }, today)).toEqual({ incorporatedFrom, incorporatedTo, page })
})
