import { expect, test } from 'vitest'
import { Semaphore } from '../../lib/limits/semaphore.ts'
import { assertAcceptablePassword, hashPassword, isPasswordCorrect } from './passwords.ts'

test.each([
  'password',
  'PASSWORD1',
  '12345678',
  'qwertyuiop',
  'my-nameplate-1',
  'ann.smith',
  'ann.smith@customer.test',
])('refuses %s', (password) => {
  expect(() => assertAcceptablePassword(password, { email: 'Ann.Smith@customer.test', field: 'password' })).toThrow(
    'attackers try first',
  )
})

test('takes pass phrases, in any alphabet', () => {
  for (const password of ['seven quiet harbours', 'пароль из пяти слов', '     spaces     ']) {
    expect(() => assertAcceptablePassword(password, { email: 'ann@customer.test', field: 'password' })).not.toThrow()
  }
})

const app = { passwordSlots: new Semaphore({ slots: 1, queueMax: 0 }) }

test('a hash opens to its password exactly, and an unknown account to none', async () => {
  const hash = await hashPassword(app, 'seven quiet harbours')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPasswordCorrect(app, hash, 'seven quiet harbours')).toBe(true)
  expect(await isPasswordCorrect(app, hash, 'Seven quiet harbours')).toBe(false)
  expect(await isPasswordCorrect(app, null, 'no account has this password')).toBe(false)
})
