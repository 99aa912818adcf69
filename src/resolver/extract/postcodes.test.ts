/** Postcodes as people write them. */
import { expect, test } from 'vitest'
import { findPostcodes } from './postcodes.ts'

const codesIn = (text: string) => findPostcodes(text).map(({ code }) => code)

test.each([
  ['1 High Street, Leeds, LS1 4AP', 'LS14AP'],
  ['leeds ls1 4ap', 'LS14AP'],
  ['LS14AP', 'LS14AP'],
  ['LS1  4AP', 'LS14AP'],
  ['London EC1A 1BB.', 'EC1A1BB'],
  ['W1A 0AX', 'W1A0AX'],
  ['M1 1AE, Manchester', 'M11AE'],
  ['Belfast BT1 5GS', 'BT15GS'],
  ['St Helier JE2 3AB', 'JE23AB'],
])('“%s” gives %s', (text, code) => {
  const [found] = findPostcodes(text)
  expect(codesIn(text)).toEqual([code])
  expect(text.slice(found?.start, found?.end).toUpperCase().replaceAll(' ', '')).toBe(code)
})

test('several are found in order', () => {
  expect(codesIn('Works: LS9 8AB. Registered office: LS1 4AP.')).toEqual(['LS98AB', 'LS14AP'])
})

test.each([
  ['half a code', 'LS1'],
  ['letters that no code ends with', 'LS1 4AC'],
  ['part of a longer word', 'XLS1 4APX'],
  ['an Irish code', 'D02 XY45'],
  ['a model number', 'ABC1 2DE'],
  ['nothing', 'no postcode here'],
])('%s is none', (_what, text) => {
  expect(codesIn(text)).toEqual([])
})
