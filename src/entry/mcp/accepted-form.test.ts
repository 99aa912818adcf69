import { expect, test } from 'vitest'
import { readAcceptedForm } from './accepted-form.ts'

test.each([
  [undefined, true, true],
  ['', true, true],
  ['*/*', true, true],
  ['application/json', true, false],
  ['application/*', true, false],
  ['text/event-stream', false, true],
  ['application/json, text/event-stream', true, true],
  ['Application/JSON; charset=utf-8', true, false],
  ['application/json;q=0, text/event-stream', false, true],
  ['text/html', false, false],
])('Accept: %s', (header, json, stream) => {
  expect(readAcceptedForm(header)).toEqual({ json, stream })
})
