import { expect, test } from 'vitest'
import { prefersType } from './accepted-type.ts'

test.each([
  ['application/pdf', true],
  [' Application/PDF ; q=0.4', true],
  ['application/pdf, */*', true],
  ['text/html, application/pdf;q=0.9, */*;q=0.1', true],
  ['application/json;q=0.5, application/pdf', true],
  ['application/pdf;q=0.9, application/json;q=0.8', true],
  ['application/pdf, application/json', true],
  ['application/json, application/pdf', false],
  ['application/pdf;q=0.5, application/json', false],
  ['application/pdf;q=0.1, */*', false],
  ['application/pdf;q=0', false],
  ['application/pdf;q=none', false],
  ['application/*', false],
  ['*/*', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['application/pdf-something', false],
  ['', false],
  [undefined, false],
])('Accept: %s asks for the document before the bundle: %s', (accept, isDocument) => {
  expect(prefersType(accept, 'application/pdf', 'application/json')).toBe(isDocument)
})
