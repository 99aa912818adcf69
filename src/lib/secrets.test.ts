import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets, hashToken, newToken } from './secrets.ts'

const key = (id: string, byte: number) => ({ id, key: new Uint8Array(32).fill(byte) })
const hashingKeys = [new Uint8Array(32).fill(9)]
const secrets = createSecrets({ sealingKeys: [key('a', 1)], hashingKeys })

test('what is sealed for one row opens there and nowhere else', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (text, context, other) => {
      const sealed = secrets.seal(text, context)
      expect(secrets.unseal(sealed, context)).toBe(text)
      if (other !== context) expect(() => secrets.unseal(sealed, other)).toThrow()
    }),
  )
})

test('a changed character does not open', () => {
  const sealed = secrets.seal('np_live_secret', 'row')
  const parts = sealed.split('.')
  for (const index of [2, 3, 4]) {
    const changed = [...parts]
    const part = Buffer.from(changed[index] ?? '', 'base64url')
    part[0] = (part[0] ?? 0) ^ 1
    changed[index] = part.toString('base64url')
    expect(() => secrets.unseal(changed.join('.'), 'row')).toThrow()
  }
})

test('after a rotation the new key seals and the old one still opens', () => {
  const old = secrets.seal('kept', 'row')
  const rotated = createSecrets({ sealingKeys: [key('b', 2), key('a', 1)], hashingKeys })
  expect(rotated.unseal(old, 'row')).toBe('kept')
  expect(rotated.seal('new', 'row')).toMatch(/^v1\.b\./)
  const forgotten = createSecrets({ sealingKeys: [key('b', 2)], hashingKeys })
  expect(() => forgotten.unseal(old, 'row')).toThrow('"a", which is not configured')
})

test('two seals of one text differ, two hashes of one value do not', () => {
  expect(secrets.seal('same', 'row')).not.toBe(secrets.seal('same', 'row'))
  expect(secrets.keyedHash('same')).toEqual(secrets.keyedHash('same'))
  const { token, hash } = newToken()
  expect(hashToken(token)).toEqual(hash)
  expect(token.length).toBeGreaterThanOrEqual(43)
})
