import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService()
const account = prepare(() => it.openAccount())

test('a NUL in an address or a body is the caller’s mistake, not ours', async () => {
  const { key } = account
  const inPath = await it.call('GET', '/v1/reviews/rev%00', { key })
  expect([inPath.status, inPath.body.code]).toEqual([400, 'invalid_request'])
  const inBody = await it.call('POST', '/v1/reviews/rev_x/decision', {
    key,
    body: { action: 'reject', reason: 'a\0b', reviewer: '\0' },
  })
  expect([400, 404]).toContain(inBody.status)
  expect(it.logText()).not.toContain('request.failed')
})

test('an address that cannot be decoded, or a part of it that is endless, is refused in the shape of every error', async () => {
  for (const path of ['/v1/bulk/%zz', '/v1/bulk/%ff%fe', `/v1/bulk/${'a'.repeat(300)}`]) {
    const refused = await it.call('GET', path, { key: account.key })
    expect([refused.status, refused.body.code], path).toEqual([400, 'invalid_request'])
    expect(refused.body.request_id).toBe(refused.headers.get('x-request-id'))
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('a cursor that no page gave is refused or leads to an empty page, and is never a failure of ours', async () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  const paths = Object.entries<{ get?: { parameters?: Array<{ name: string }> } }>(document.paths)
  const paged = paths.filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'cursor'))
  expect(paged.length).toBeGreaterThan(3)
  const review = `rev_${'0'.repeat(27)}`
  const numbers = ['9'.repeat(300), '1e-99', '1e-37', '9.9999999999999999']
  const cursors = [...numbers.map((number) => `${number}_${review}`), '9999999999999-ZZZZZZZZ', '9'.repeat(15), 'x']
  for (const [path] of paged) {
    for (const cursor of cursors) {
      const address = `${path.replace(/\{\w+\}/g, '1')}?cursor=${cursor}`
      expect([200, 400, 404], address).toContain((await it.call('GET', address, { key: account.key })).status)
    }
  }
  expect(it.logText()).not.toContain('request.failed')
})

test.each([
  ['bytes that are no request', 'nonsense\r\n\r\n', 400],
  ['headers beyond all measure', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
])('%s are refused in the shape of every error, and the connection is closed', async (_, bytes, status) => {
  const answer = await sendBytes(bytes)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head).toContain('connection: close')
  expect(head).toContain('x-content-type-options: nosniff')
  expect(JSON.parse(body)).toMatchObject({
    status,
    code: 'invalid_request',
    request_id: expect.stringMatching(/^req_/),
  })
})

test('a program that registers with redirects of another shape is refused', async () => {
  for (const redirect_uris of ['http://127.0.0.1/', { every: 1 }, [7], [null]]) {
    const refused = await it.visit('POST', '/oauth/register', { body: { client_name: 'x', redirect_uris } })
    expect(refused.status).toBe(400)
  }
  expect(it.logText()).not.toContain('oauth.server_error')
})

test('a table that is no CSV is refused and not logged as a failure of ours', async () => {
  const headers = { 'content-type': 'text/csv' }
  const refused = await it.call('POST', '/v1/bulk', {
    key: account.key,
    headers,
    rawBody: 'domain\n"alderfinch.co.uk\n',
  })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
  expect(it.logText()).not.toContain('request.failed')
})

function sendBytes(bytes: string): Promise<string> {
  const { port } = it.config.listen
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
    socket.setTimeout(10_000, () => socket.destroy(new Error('nothing came')))
  })
}
