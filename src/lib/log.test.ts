import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(line: object): string {
  const lines: string[] = []
  createLog({ level: 'info', destination: { write: (text: string) => void lines.push(text) } }).info(line)
  return lines.join('')
}

test('secrets are replaced wherever their names stand, and the rest is kept', () => {
  const text = logged({
    event: 'request.finished',
    password: 'hush-1',
    body: { token: 'hush-2', new_password: 'hush-3', email: 'kept@customer.test' },
    request: { headers: { authorization: 'hush-4', 'x-api-key': 'hush-5', cookie: 'hush-6' } },
  })
  expect(text).not.toContain('hush')
  expect(text).toContain('kept@customer.test')
  expect(JSON.parse(text)).toMatchObject({ level: 'info', event: 'request.finished', password: '[redacted]' })
})

test('an error is logged with its cause', () => {
  const text = logged({ event: 'x', error: new Error('outer', { cause: new Error('inner') }) })
  expect(text).toContain('outer')
  expect(text).toContain('inner')
})

test('a secret that an error carries is replaced too', () => {
  const error = Object.assign(new Error('refused'), { token: 'hush-1', headers: { authorization: 'hush-2' } })
  const text = logged({ event: 'x', error })
  expect(text).not.toContain('hush')
  expect(text).toContain('refused')
})
