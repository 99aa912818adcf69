import { expect, test } from 'vitest'
import { compareNames, countEdits, measureLikeness } from './compare-names.ts'
import { toNameKey } from './name-key.ts'

test.each([
  ['Meridian Widgets Ltd', 'MERIDIAN WIDGETS LIMITED', 'same'],
  ['Smith and Son', 'SMITH & SON LIMITED', 'same'],
  ['Meridianwidgets', 'MERIDIAN WIDGETS LIMITED', 'letters'],
  ['Widgets Meridian', 'MERIDIAN WIDGETS LIMITED', 'order'],
  ['Meridan Widgets', 'MERIDIAN WIDGETS LIMITED', 'misspelt'],
  ['Merridian Wigets', 'MERIDIAN WIDGETS LIMITED', 'misspelt'],
  ['Meridain Widgets', 'MERIDIAN WIDGETS LIMITED', 'misspelt'],
  ['Meridian', 'MERIDIAN WIDGETS LIMITED', 'part'],
  ['Meridian Widgets Holdings', 'MERIDIAN WIDGETS LIMITED', 'part'],
  // Another word, not a slip: too short, a digit, or too many letters.
  ['The Red Cat', 'THE RED CAR LIMITED', 'other'],
  ['Mill Wharf 1', 'MILL WHARF 2 LIMITED', 'other'],
  ['Mill 10 Wharf', 'MILL 100 WHARF LIMITED', 'other'],
  ['Merton Widgets', 'MERIDIAN WIDGETS LIMITED', 'other'],
  ['', 'MERIDIAN WIDGETS LIMITED', 'other'],
])('%s beside %s: %s', (typed, name, difference) => {
  expect(compareNames(toNameKey(typed), toNameKey(name)).difference).toBe(difference)
})

test.each([
  ['WIDGET', 'WIDGET', 0],
  ['WIDGET', 'WIGDET', 1],
  ['WIDGET', 'WIDGETS', 1],
  ['WIDGET', 'VIDGE', 2],
  ['', 'ABC', 3],
])('from %s to %s: %i edits', (one, other, edits) => {
  expect([countEdits(one, other), countEdits(other, one)]).toEqual([edits, edits])
})

test('the nearer of two names is the more like', () => {
  const likeness = (typed: string) => measureLikeness(typed, 'MERIDIAN WIDGETS')
  const order = ['MERIDIAN WIDGETS', 'MERIDIANWIDGETS', 'MERIDAN WIDGETS', 'MERIDIAN', 'MERTON WIDGETS', 'QUAYSIDE']
  expect(order.toSorted((a, b) => likeness(b) - likeness(a))).toEqual(order)
  expect(likeness('MERIDIAN WIDGETS')).toBe(1)
  expect(likeness('QUAYSIDE')).toBeLessThan(0.3)
})
