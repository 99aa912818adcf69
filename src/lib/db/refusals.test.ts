import { expect, test } from 'vitest'
import { describeRefusal, TooSlow, Unreachable } from './refusals.ts'

const withCode = (code: string) => Object.assign(new Error('from the server'), { code })

test.each([
  ['a read that took too long', new TooSlow('late'), 'slow'],
  ['a statement that the server ended', withCode('57014'), 'slow'],
  [
    'no connection in time',
    new Unreachable('', { cause: new Error('timeout exceeded when trying to connect') }),
    'slow',
  ],
  ['a refused connection', new Unreachable('', { cause: withCode('ECONNREFUSED') }), 'lost'],
  ['a wrong password', new Unreachable('', { cause: withCode('28P01') }), 'lost'],
  ['a connection that ends', new Error('Connection terminated unexpectedly'), 'lost'],
  ['a server that stops', withCode('57P01'), 'lost'],
  ['a conflict with recovery', withCode('40001'), 'conflict'],
  ['a deadlock with recovery', withCode('40P01'), 'conflict'],
  ['a table that is not there', withCode('42P01'), 'failed'],
])('%s', (_name, error, refusal) => {
  expect(describeRefusal(error)).toBe(refusal)
})
