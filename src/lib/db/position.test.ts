import { expect, test } from 'vitest'
import { latestOf } from './position.ts'

const at = (bytes: number, timeline = '00000001') => ({ timeline, bytes })

test('of several positions the furthest covers all', () => {
  expect(latestOf([at(5), at(9), at(7)])).toEqual(at(9))
})

test('a new primary counts its log from where the old one was left, so its timeline comes first', () => {
  expect(latestOf([at(900), at(5, '0000000A'), at(7, '00000009')])).toEqual(at(5, '0000000A'))
})

test('one unknown position makes all unknown', () => {
  expect(latestOf([at(5), null])).toBeNull()
  expect(latestOf([])).toBeNull()
})
