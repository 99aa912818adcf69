/** Time stamps of an authority that is made of another library, then every way to break them. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pkijs from 'pkijs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Random } from '../../rig/random.ts'
import { SimulatedAuthority } from '../../rig/time-stamps/index.ts'
import { BadForm } from './der.ts'
import { openStampResponse, readTimeStamp, toNonce, writeStampRequest } from './time-stamp.ts'

const IMPRINT = createHash('sha256').update('a record').digest()
const AT = new Date('2026-11-18T12:00:00.000Z')
let authority: SimulatedAuthority
let root: X509Certificate
let token: Buffer
beforeAll(async () => {
  authority = await SimulatedAuthority.create()
  authority.now = () => AT
  root = new X509Certificate(authority.certificate)
  token = Buffer.from((await authority.stamp({ imprint: IMPRINT })).toSchema().toBER(false))
})

test('a request is what another library reads, and its nonce is the one that is compared', () => {
  const nonce = Buffer.from('00ff00ff00ff00ff', 'hex')
  const asked = pkijs.TimeStampReq.fromBER(new Uint8Array(writeStampRequest(IMPRINT, nonce)).buffer)
  expect(Buffer.from(asked.messageImprint.hashedMessage.valueBlock.valueHexView)).toEqual(IMPRINT)
  expect([asked.certReq, asked.nonce?.toBigInt()]).toEqual([true, toNonce(nonce)])
})

describe('a stamp', () => {
  test('has time, hash and authority, and is trusted where its root is', async () => {
    const stamp = readTimeStamp(token, [root])
    expect(stamp).toMatchObject({ at: AT, imprint: IMPRINT, authority: 'Simulated Time Stamps', isTrusted: true })
    const other = new X509Certificate((await SimulatedAuthority.create()).certificate)
    expect(readTimeStamp(token, [other]).isTrusted).toBe(false)
    expect(readTimeStamp(token, []).isTrusted).toBe(false)
  })

  test('with any byte changed is refused, or says the same as before', () => {
    for (let at = 0; at < token.length; at += 1) {
      const changed = Buffer.from(token)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      const read = tryRead(changed)
      if (read) expect([at, read.at, read.imprint, read.isTrusted]).toEqual([at, AT, IMPRINT, true])
    }
  })

  test('that is cut, extended or drawn at random is refused in words', () => {
    const random = new Random(7)
    const cuts = Array.from({ length: token.length }, (_, length) => token.subarray(0, length))
    const drawn = Array.from({ length: 500 }, () =>
      Buffer.from(Array.from({ length: 1 + random.below(80) }, () => random.below(256))),
    )
    const nested = Buffer.from('3080'.repeat(2_000), 'hex')
    const long = Buffer.from('3084ffffffff', 'hex')
    for (const bytes of [...cuts, ...drawn, nested, long, Buffer.concat([token, token])])
      expect(tryRead(bytes)).toBeNull()
  })
})

/** Null where it is refused as it must be; any other error fails the test. */
function tryRead(bytes: Buffer) {
  try {
    return readTimeStamp(bytes, [root])
  } catch (error) {
    expect(error).toBeInstanceOf(BadForm)
    return null
  }
}

test('a refusal has no token', () => {
  expect(() => openStampResponse(Buffer.from('30053003020102', 'hex'))).toThrow('refused')
})

const folder = mkdtempSync(join(tmpdir(), 'nameplate-stamp-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('openssl agrees', () => {
  const files = { data: join(folder, 'data'), token: join(folder, 'token'), root: join(folder, 'root.pem') }
  writeFileSync(files.data, 'a record')
  writeFileSync(files.token, token)
  writeFileSync(files.root, authority.certificate)
  const argv = ['ts', '-verify', '-data', files.data, '-in', files.token, '-token_in', '-CAfile', files.root]
  expect(execFileSync('openssl', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).toContain(
    'Verification: OK',
  )
})
