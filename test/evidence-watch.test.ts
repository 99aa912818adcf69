/** Metrics for the operator: stamps that do not come, a daily job that does not anchor, and keys that are not published. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import { anchorAuditJob, stampLateJob } from '../src/evidence/index.ts'
import { ALDER, publish, siteOf } from './setup/companies.ts'
import { prepare, startTestService, type TestService, WAIT } from './setup/harness.ts'

const authority = prepare(
  () => SimulatedAuthority.create(),
  (one) => one.close(),
)
const it: TestService = prepare(
  async () => {
    const timeStamp = { url: new URL(await authority.listen()), timeoutSeconds: 1 }
    return startTestService({ companies: [ALDER], timeStamp })
  },
  (service) => service[Symbol.asyncDispose](),
)

async function readMetric(name: string): Promise<number> {
  const { text } = await it.call('GET', '/metrics')
  return Number(new RegExp(`^nameplate_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('the age of the daily anchor is shown, also where there never was one', async () => {
  expect(await readMetric('audit_anchor_age_seconds')).toBe(-1)
  await it.runJob(anchorAuditJob)
  it.clock.advance(7_200)
  expect(Math.round((await readMetric('audit_anchor_age_seconds')) / 60)).toBe(120)
})

test('records and anchors without a stamp are counted after an hour, until the authority is well again', async () => {
  authority.now = () => it.clock.now()
  await it.runJob(stampLateJob)
  const account = await it.openAccount({ credits: 2 })
  const asked = { key: account.key, body: { domain: publish(it.web, siteOf(ALDER)) }, headers: WAIT }
  const { resolution_id: id } = (await it.call('POST', '/v1/resolve/domain', asked)).body
  authority.mood = 'fails'
  expect((await it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key: account.key })).status).toBe(201)
  await it.settle()
  it.clock.advance(86_400)
  await it.runJob(anchorAuditJob)
  expect(await readMetric('evidence_stamps_late')).toBe(1)
  it.clock.advance(3_601)
  expect(await readMetric('evidence_stamps_late')).toBe(2)
  authority.mood = 'well'
  await it.runJob(stampLateJob)
  expect(await readMetric('evidence_stamps_late')).toBe(0)
})

test('a key that no sealing key opens is counted', async () => {
  expect(await readMetric('evidence_keys_unpublished')).toBe(0)
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  await it.app.db.query(
    `insert into evidence_key (id, public_jwk, private_jwk_sealed, activates_at, retired_at)
     values ('evk_planted', $1, 'not sealed by us', now(), now())`,
    [JSON.stringify({ kty: jwk.kty, crv: jwk.crv, x: jwk.x })],
  )
  expect(await readMetric('evidence_keys_unpublished')).toBe(1)
})
