import { expect, test } from 'vitest'
import { safeNext } from './session.ts'

test.each(['/account', '/connected-apps', '/oauth/authorize?client_id=x&scope=y', '/a/b%2Fc'])('%s is kept', (next) => {
  expect(safeNext(next)).toBe(next)
})

test.each([
  undefined,
  42,
  '',
  'account',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/a\\b',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil.example',
  '/ evil',
  '%2F%2Fevil.example',
  '/é',
])('%j leads to the account', (next) => {
  expect(safeNext(next)).toBe('/console')
})
