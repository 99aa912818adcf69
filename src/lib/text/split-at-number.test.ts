import { expect, test } from 'vitest'
import { splitAtNumber } from './split-at-number.ts'

test.each([
  ['Company No. 08496536 here', '08496536', ['Company No. ', '08496536', ' here']],
  ['No. 8496536', '08496536', ['No. ', '8496536', '']],
  ['No. 08 496 536.', '08496536', ['No. ', '08 496 536', '.']],
  ['sc123456', 'SC123456', ['', 'sc123456', '']],
  ['No. 1234', '08496536', null],
  ['No. 1234', null, null],
])('%s', (quote, number, parts) => {
  expect(splitAtNumber(quote, number)).toEqual(parts)
})
