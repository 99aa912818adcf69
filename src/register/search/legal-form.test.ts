import { expect, test } from 'vitest'
import { findLegalForm } from './legal-form.ts'

test.each([
  ['Acme Ltd', 'limited'],
  ['ACME LIMITED.', 'limited'],
  ['Acme (UK) P.L.C.', 'plc'],
  ['Acme Public Limited Company', 'plc'],
  ['Prosser & Vaughan L.L.P.', 'llp'],
  ['Acme Limited Liability Partnership', 'llp'],
  ['Acme Limited Partnership', 'lp'],
  ['Acme Community Interest Company', 'cic'],
  ['Siop Cyfyngedig', 'limited'],
  ['Limited', null],
  ['Unlimited Ideas', null],
  ['Help', null],
])('%s: %s', (name, form) => {
  expect(findLegalForm(name)).toBe(form)
})
