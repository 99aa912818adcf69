import { expect, test } from 'vitest'
import { isConnectionLost, isPassingFailure } from './failures.ts'

const failure = (code: string, message = 'no') => Object.assign(new Error(message), { code })

test.each([
  ['ECONNREFUSED', 'nobody listens'],
  ['ECONNRESET', 'the proxy cut the session'],
  ['08001', 'no connection'],
  ['08006', 'the connection is lost'],
  ['57P01', 'the server is being stopped'],
  ['57P02', 'the server crashed'],
  ['57P03', 'the server is starting'],
  ['25006', 'the server only reads'],
  ['40001', 'another transaction was first'],
  ['53100', 'the disk is full'],
  ['53300', 'too many connections'],
])('%s passes by itself: %s', (code) => {
  expect(isPassingFailure(failure(code))).toBe(true)
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('“%s” passes by itself', (message) => {
  expect(isPassingFailure(new Error(message))).toBe(true)
})

test('our own mistakes do not pass by themselves', () => {
  for (const code of ['23505', '42601', '42P01', '22P02']) expect(isPassingFailure(failure(code))).toBe(false)
  expect(isPassingFailure(new Error('undefined is not a function'))).toBe(false)
  expect(isPassingFailure('08006')).toBe(false)
})

test('a connection outlives a conflict, and not the end of its server or its turning read-only', () => {
  expect(['40001', '23505', '53100'].map((code) => isConnectionLost(failure(code)))).toEqual([false, false, false])
  expect(['25006', '57P01', '08006'].map((code) => isConnectionLost(failure(code)))).toEqual([true, true, true])
})
