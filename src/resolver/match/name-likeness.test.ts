/** Names that a slip of the pen apart are the same; names that differ in a word are not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toNameKey } from '../../register/index.ts'
import { isNearlySame } from './name-likeness.ts'

const alike = (one: string, other: string) => isNearlySame(toNameKey(one), toNameKey(other))

test.each([
  ['Harrowgill Joinery Ltd', 'HARROWGILL JOINERY LIMITED'],
  ['Harrowgill Joinery Ltd', 'Harowgill Joinery Ltd'],
  ['Harrowgill Joinery Ltd', 'Harrowgill Joinrey Ltd'],
  ['Harrowgill Joinery Ltd', 'Harrow Gill Joinery Ltd'],
  ['Harrowgill & Sons Ltd', 'Harrowgill and Sons Limited'],
  ['Harrowgill & Sons Ltd', 'Harrowgill & Son Ltd'],
  ['Dŵr Cymru Cyf', 'Dwr Cymru Cyfyngedig'],
])('%s and %s are the same', (one, other) => {
  expect(alike(one, other)).toBe(true)
})

test.each([
  ['Harrowgill Joinery Ltd', 'Harrowgill Kitchens Ltd'],
  ['Harrowgill Joinery Ltd', 'Harrowgill Ltd'],
  ['Harrowgill Joinery Ltd', 'Harrowgill Holdings Ltd'],
  ['Pixel Foundry Ltd', 'Bramley Group plc'],
  ['ABC Ltd', 'ABD Ltd'],
  ['Acme1 Ltd', 'Acme2 Ltd'],
  ['', ''],
  ['Harrowgill Ltd', ''],
])('%s and %s are not', (one, other) => {
  expect(alike(one, other)).toBe(false)
})

describe('of any names', () => {
  const keys = fc.stringMatching(/^[A-Z]{0,30}$/)

  test('likeness is mutual, and every name is like itself', () => {
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        expect(isNearlySame(one, other)).toBe(isNearlySame(other, one))
        expect(isNearlySame(one, one)).toBe(one !== '')
      }),
    )
  })

  test('one letter more or less is no other name, from six letters on', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{6,30}$/), fc.nat(29), (key, index) => {
        expect(isNearlySame(key, key.slice(0, index) + key.slice(index + 1) || key)).toBe(true)
      }),
    )
  })

  test('a third of the letters wrong is another name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-M]{6,30}$/), (key) => {
        const wrong = key.replaceAll(/.(..?)?/g, 'Z$1')
        expect(isNearlySame(key, wrong)).toBe(false)
      }),
    )
  })
})
