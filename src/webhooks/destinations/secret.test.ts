import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeaders, toSigningKeys } from './secret.ts'

const VECTOR = {
  eventId: 'evt_1',
  timestamp: 1_767_225_600,
  body: '{"id":"evt_1","type":"ping","created":"2026-01-01T00:00:00Z","data":{}}',
}
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const KEYS = toSigningKeys({ current: SECRET, previous: null })

test('the published test vector holds in both schemes', () => {
  expect(Buffer.byteLength(VECTOR.body)).toBe(71)
  expect(signatureHeaders(VECTOR, KEYS)).toEqual({
    'x-webhook-id': 'evt_1',
    'x-webhook-timestamp': '1767225600',
    'x-webhook-signature': '04ade7c7203316f74b6feb7432dd7c0a41b5eaf7cb5755c5349759f886d26ece',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,OvzyEo5YpHzkVpwxlCkmoBMbuQRN+YozBMv9o6pYBoo=',
  })
})

test('while a secret is being replaced, both sign', () => {
  const old = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const headers = signatureHeaders(VECTOR, toSigningKeys({ current: SECRET, previous: old }))
  const expected = createHmac('sha256', old).update(`${VECTOR.timestamp}.${VECTOR.body}`).digest('hex')
  expect(headers['x-webhook-signature-previous']).toBe(expected)
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
  expect(headers['webhook-signature']).toContain('v1,OvzyEo5YpHzkVpwxlCkmoBMbuQRN+YozBMv9o6pYBoo= v1,')
})

test.each([
  ['one byte of the body', { ...VECTOR, body: VECTOR.body.replace('ping', 'pong') }],
  ['the time', { ...VECTOR, timestamp: VECTOR.timestamp + 1 }],
])('another signature for %s', (_, changed) => {
  const signature = (parts: typeof VECTOR) => signatureHeaders(parts, KEYS)['x-webhook-signature']
  expect(signature(changed)).not.toBe(signature(VECTOR))
})
