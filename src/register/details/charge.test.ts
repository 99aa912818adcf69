/** Charges in words: the property that each is over, the debt behind it, and what was released. */
import { expect, test } from 'vitest'
import { CHARGE_TEXT_LENGTH_MAX, parseCharge } from './charge.ts'

test('a charge says what it is over, which debt it secures and what was released, in words beside codes', () => {
  const charge = parseCharge({
    status: 'part-satisfied',
    particulars: {
      type: 'short-particulars',
      description: ' Land at Weir Lane. ',
      contains_floating_charge: true,
      floating_charge_covers_all: true,
      contains_fixed_charge: false,
      chargor_acting_as_bare_trustee: 'no',
    },
    secured_details: { type: 'amount-secured', description: 'All monies due' },
    assets_ceased_released: 'part-property-released',
  })
  expect(charge).toMatchObject({
    status_text: 'Partially satisfied',
    particulars: {
      type: 'short-particulars',
      type_text: 'Short particulars',
      description: 'Land at Weir Lane.',
      flags: ['contains_floating_charge', 'floating_charge_covers_all'],
      flags_text: ['Contains floating charge', 'Floating charge covers all the property or undertaking of the company'],
    },
    secured_details: { type: 'amount-secured', type_text: 'Amount secured', description: 'All monies due' },
    assets_ceased_released: 'part-property-released',
    assets_ceased_released_text: 'Part of the property or undertaking has been released from the charge',
  })
})

test('a charge that was stored without them, or with nonsense in them, has none', () => {
  const nothing = {
    particulars: null,
    secured_details: null,
    assets_ceased_released: null,
    assets_ceased_released_text: null,
  }
  expect(parseCharge({ status: 'outstanding' })).toMatchObject(nothing)
  const nonsense = { particulars: ['x'], secured_details: 'all', assets_ceased_released: 7 }
  expect(parseCharge(nonsense)).toMatchObject(nothing)
  expect(parseCharge({ particulars: { contains_negative_pledge: false } })).toMatchObject(nothing)
})

test('the misspelt member of older records is read, and a code that no list has is made words', () => {
  expect(parseCharge({ assests_ceased_released: 'whole-property-released' })).toMatchObject({
    assets_ceased_released_text: 'All of the property or undertaking has been released from the charge',
  })
  expect(parseCharge({ particulars: { type: 'long-particulars' } }).particulars).toMatchObject({
    type_text: 'Long particulars',
    description: null,
    flags: [],
  })
})

test('pages of an old deed are cut, and never inside a character', () => {
  const description = `${'x'.repeat(CHARGE_TEXT_LENGTH_MAX - 2)}😀 and more`
  const cut = parseCharge({ particulars: { description } }).particulars?.description ?? ''
  expect(cut.length).toBeLessThanOrEqual(CHARGE_TEXT_LENGTH_MAX)
  expect(cut.isWellFormed()).toBe(true)
  expect(cut.endsWith('x…')).toBe(true)
})
