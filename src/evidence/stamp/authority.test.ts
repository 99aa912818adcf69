import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthorityMood, SimulatedAuthority } from '../../../rig/time-stamps/index.ts'
import type { Config } from '../../config.ts'
import { requestStamp } from './authority.ts'

const IMPRINT = createHash('sha256').update('a record').digest()
const folder = mkdtempSync(join(tmpdir(), 'nameplate-authority-'))
const certificatesFile = join(folder, 'authorities.pem')
let authority: SimulatedAuthority
let url: URL
beforeAll(async () => {
  authority = await SimulatedAuthority.create()
  url = new URL(await authority.listen())
})
beforeEach(() => {
  authority.mood = 'well'
  writeFileSync(certificatesFile, authority.certificate)
})
afterAll(async () => {
  await authority.close()
  rmSync(folder, { recursive: true })
})

const ask = (file: string | null = certificatesFile) =>
  requestStamp(
    { config: { timeStamp: { url, timeoutSeconds: 0.5 }, timeStampCertificatesFile: file } as Config },
    IMPRINT,
  )

test('a stamp comes from an authority that is trusted, or from any where none is named', async () => {
  for (const file of [certificatesFile, null]) expect((await ask(file)).length).toBeGreaterThan(100)
})

const REFUSED: Array<[AuthorityMood, RegExp]> = [
  ['refuses', /refused/],
  ['fails', /status 503/],
  ['hangs', /timeout|aborted/i],
  ['other imprint', /another hash/],
  ['other nonce', /another request/],
  ['changed token', /signature/],
  ['garbage', /./],
  ['endless', /./],
]
test.each(REFUSED)('an authority with the fault "%s" gives no stamp', async (mood, why) => {
  authority.mood = mood
  await expect(ask()).rejects.toThrow(why)
})

test('an authority that is not trusted gives no stamp', async () => {
  writeFileSync(certificatesFile, (await SimulatedAuthority.create('Another')).certificate)
  await expect(ask()).rejects.toThrow('not one of TIME_STAMP_CA_FILE')
})
