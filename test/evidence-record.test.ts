/** Evidence records: what is filed of an answer, sealed so that anyone can check it without us. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, flattenedVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkBundle, parsePublishedKeys } from '../packages/evidence-check/index.ts'
import { putCompanies } from '../rig/companies.ts'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import { makeRecord, readPublishedKeys, rotateEvidenceKey, stampLateJob } from '../src/evidence/index.ts'
import { disableAccount, eraseAccount } from '../src/privacy/index.ts'
import { makeShareLink } from '../src/resolution/index.ts'
import { ALDER, publish, siteNaming, siteOf } from './setup/companies.ts'
import { prepare, startTestService, type TestKeys, type TestService } from './setup/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'nameplate-records-'))
const CA_FILE = join(folder, 'authorities.pem')
const TIMEOUT_SECONDS = 1
const authority = prepare(
  () => SimulatedAuthority.create(),
  (one) => one.close(),
)
const it: TestService = prepare(
  async () => {
    const url = new URL(await authority.listen())
    writeFileSync(CA_FILE, authority.certificate)
    const timeStamp = { url, timeoutSeconds: TIMEOUT_SECONDS }
    return startTestService({ companies: [ALDER], timeStamp, timeStampCertificatesFile: CA_FILE })
  },
  (service) => service[Symbol.asyncDispose](),
)
afterAll(() => rmSync(folder, { recursive: true }))

let account: TestKeys
let resolutionId: string
beforeAll(async () => {
  account = await it.openAccount({ credits: 50 })
})
beforeEach(async () => {
  authority.mood = 'well'
  authority.now = () => it.clock.now()
  resolutionId = (await resolve()).resolution_id
})

async function resolve(site = siteOf(ALDER), key = account.key) {
  const body = { domain: publish(it.web, site) }
  const found = await it.call('POST', '/v1/resolve/domain', { key, body, headers: { prefer: 'wait=30' } })
  expect(found.body.status).toBe('completed')
  return found.body
}
const make = (id = resolutionId, key = account.key) => it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key })
const fetchRecord = (id: string, key = account.key) => it.call('GET', `/v1/evidence/${id}`, { key })
const keys = async () => (await it.call('GET', '/v1/evidence/keys')).body
const check = async (bundle: object) => checkBundle(JSON.stringify(bundle), parsePublishedKeys(await keys()))
const sealOf = ({ record, jws }: { record: string; jws: string }) =>
  createHash('sha256').update(`${record}\n${jws}`).digest()

test('a record has the question, the answer, the proof, the pages, the company and the method, with all times in UTC', async () => {
  const { status, body } = await make()
  expect(status).toBe(201)
  const record = JSON.parse(body.record)
  expect(record).toMatchObject({
    kind: 'nameplate.evidence',
    version: 1,
    id: body.id,
    mode: 'live',
    question: { resolution_id: resolutionId },
    answer: { outcome: 'matched', company_number: ALDER.number, company_name: ALDER.name },
    method: { decided_by: 'rules' },
    register: {
      compared_with: { company_number: ALDER.number, company_status_text: 'Active' },
      company: { company_name: ALDER.name, sic_codes_text: expect.any(Array), office: { postcode: ALDER.postcode } },
      officers: { missing: 'not_configured', items: [] },
    },
    decision: null,
  })
  expect(record.checklist.length).toBeGreaterThan(0)
  const [proof] = record.quotes
  expect(proof.quote).toContain(ALDER.number)
  expect(record.pages.map((page: { sha256: string }) => page.sha256)).toContain(proof.page_sha256)
  const times = body.record.match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? []
  expect(times.length).toBeGreaterThan(5)
  for (const time of times) expect(time).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/)
})

test('the same content is one record, for two who ask at once too; a decision or a change in the register makes another', async () => {
  const both = await Promise.all([make(), make(), make()])
  const ids = new Set(both.map(({ body }) => body.id))
  expect([ids.size, both.map(({ status }) => String(status)).sort()]).toEqual([1, ['200', '200', '201']])
  it.clock.advance(3_600)
  const again = await make()
  expect([again.status, ids.has(again.body.id)]).toEqual([200, true])
  await putCompanies(it.app, [{ ...ALDER, status: 'liquidation' }])
  const changed = await make()
  expect([changed.status, ids.has(changed.body.id)]).toEqual([201, false])
  await putCompanies(it.app, [ALDER])
  const { resolution_id: doubtful } = await resolve(siteNaming(ALDER))
  const before = await make(doubtful)
  const { body: reviews } = await it.call('GET', '/v1/reviews', { key: account.key })
  const decision = { action: 'accept', company_number: ALDER.number, reviewer: 'Ann', reason: 'I know them.' }
  const decided = await it.call('POST', `/v1/reviews/${reviews.data[0].id}/decision`, {
    key: account.key,
    body: decision,
  })
  expect(decided.status).toBe(200)
  const after = await make(doubtful)
  expect(after.body.id).not.toBe(before.body.id)
  expect(JSON.parse(after.body.record).decision).toMatchObject({ action: 'accept', reviewer: 'Ann' })
  expect(JSON.parse(before.body.record).decision).toBeNull()
  expect((await fetchRecord(before.body.id)).body.record).toBe(before.body.record)
})

test('the answer lists the records that its own account made of it, newest first, until the match is refunded', async () => {
  const records = async (who: { key: string }, id = resolutionId) =>
    (await it.call('GET', `/v1/resolutions/${id}`, { key: who.key })).body.records
  expect(await records(account)).toEqual([])
  const first = await make()
  it.clock.advance(3_600)
  await putCompanies(it.app, [{ ...ALDER, status: 'liquidation' }])
  const second = await make()
  await putCompanies(it.app, [ALDER])
  const listed = await records(account)
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.body.id, first.body.id])
  expect(listed[1]).toEqual({
    id: first.body.id,
    made_at: JSON.parse(first.body.record).made_at,
    url: `/v1/evidence/${first.body.id}`,
    verify_url: new URL(`/verify/${first.body.id}`, it.config.siteUrl).href,
  })
  expect((await it.call('GET', listed[1].url, { key: account.key })).body.record).toBe(first.body.record)
  // Another account that got the same answer.
  const other = await it.openAccount({ credits: 5 })
  const { domain } = JSON.parse(first.body.record).question
  const shared = await it.call('POST', '/v1/resolve/domain', { key: other.key, body: { domain } })
  expect(shared.body.resolution_id).toBe(resolutionId)
  expect(await records(other)).toEqual([])
  // Of test mode, the records of test mode alone.
  const asked = { key: account.testKey, body: { domain: 'matched.test' }, headers: { prefer: 'wait=30' } }
  const { resolution_id: id } = (await it.call('POST', '/v1/resolve/domain', asked)).body
  const ofTest = await make(id, account.testKey)
  expect(await records({ key: account.testKey }, id)).toMatchObject([{ id: ofTest.body.id }])
  const refund = 'update paid_fact set refunded_at = $1 where account_id = $2 and domain = $3'
  await it.app.db.query(refund, [it.clock.now(), account.id, domain])
  expect(await records(account)).toEqual([])
})

describe('a bundle and the published keys are enough to check it', () => {
  test('with the library', async () => {
    const { intact, steps } = await check((await make()).body)
    expect(steps.map(({ step, result }) => [step, result])).toEqual([
      ['form', 'ok'],
      ['signature', 'ok'],
      ['time_stamp', 'ok'],
      ['contents', 'ok'],
    ])
    expect(intact).toBe(true)
  })

  test('with another JWS library, and with the bare signature', async () => {
    const { body } = await make()
    const published = await keys()
    const named = await it.visit('GET', '/.well-known/nameplate-evidence-keys.json')
    expect(JSON.parse(named.text)).toEqual(published)
    const [protectedHeader = '', , signature = ''] = body.jws.split('.')
    const payload = Buffer.from(body.record).toString('base64url')
    const { protectedHeader: header } = await flattenedVerify(
      { protected: protectedHeader, payload, signature },
      createLocalJWKSet(published),
    )
    const key = published.keys.find(({ kid }: { kid: string }) => kid === header?.kid)
    const bare = createPublicKey({ key, format: 'jwk' })
    const signed = Buffer.from(`${protectedHeader}.${payload}`)
    expect(verify(null, signed, bare, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  test('with openssl, the time stamp', async () => {
    const { body } = await make()
    const [data, token] = [join(folder, 'sealed'), join(folder, 'token')]
    writeFileSync(data, `${body.record}\n${body.jws}`)
    writeFileSync(token, Buffer.from(body.time_stamp.token, 'base64'))
    const argv = ['ts', '-verify', '-data', data, '-in', token, '-token_in', '-CAfile', CA_FILE]
    expect(execFileSync('openssl', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).toContain('OK')
  })

  test('by the commands of the documentation, the time stamp of an authority whose certificate has ended', async () => {
    const { body } = await make()
    const ended = await SimulatedAuthority.create('Ended', new Date('2022-01-01T00:00:00Z'))
    ended.now = () => new Date('2021-06-01T12:00:00Z')
    const token = Buffer.from((await ended.stamp({ imprint: sealOf(body) })).toSchema().toBER()).toString('base64')
    const cwd = mkdtempSync(join(folder, 'by-hand-'))
    writeFileSync(join(cwd, 'bundle.json'), JSON.stringify({ ...body, time_stamp: { state: 'stamped', token } }))
    const authorities = [new X509Certificate(ended.certificate).raw.toString('base64')]
    writeFileSync(join(cwd, 'keys.json'), JSON.stringify({ time_stamp_authorities: authorities }))
    const guide = readFileSync(new URL('../docs/outcomes.md', import.meta.url), 'utf8')
    const blocks = [...guide.matchAll(/```text\n([^`]+)```/g)].map(([, block = '']) => block)
    const [parts, stamp] = [' .record bundle.json', '-data sealed.txt'].map((words) =>
      blocks.find((block) => block.includes(words)),
    )
    const argv = ['-euc', `${parts}${stamp}`]
    const says = execFileSync('bash', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    expect(says).toContain('Verification: OK')
    expect(says).toContain('2021')
  })

  test('where the operator asks no authority any more, and its certificates are still trusted', async () => {
    const { body } = await make()
    const off = { ...it.app, config: { ...it.app.config, timeStamp: null } }
    const { steps } = checkBundle(JSON.stringify(body), parsePublishedKeys(await readPublishedKeys(off)))
    expect(steps.find(({ step }) => step === 'time_stamp')?.result).toBe('ok')
  })
})

test('a new key signs from then on, and records of earlier keys stay valid', async () => {
  const before = (await make()).body
  const id = await rotateEvidenceKey(it.app)
  const after = (await make((await resolve()).resolution_id)).body
  const kidOf = ({ jws }: { jws: string }) =>
    JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid
  expect([kidOf(after), kidOf(before)]).toEqual([id, expect.not.stringMatching(id)])
  for (const bundle of [before, after]) expect((await check(bundle)).intact).toBe(true)
  const listed = JSON.parse((await it.run('evidence', 'keys', '--json')).stdout)
  expect(listed.map((key: { id: string }) => key.id)).toContain(kidOf(before))
  await expect(it.app.db.query('delete from evidence_key')).rejects.toThrow('never changed or deleted')
})

test('while the authority is away, a record says that its stamp is pending; it is stamped later', async () => {
  authority.mood = 'fails'
  const { status, body } = await make()
  expect([status, body.time_stamp]).toEqual([201, { state: 'pending', token: null }])
  const { intact, steps } = await check(body)
  expect([intact, steps[2]?.result]).toEqual([true, 'missing'])
  await it.settle()
  authority.mood = 'well'
  await it.runJob(stampLateJob)
  await it.runJob(stampLateJob)
  const later = (await fetchRecord(body.id)).body
  expect([later.record, later.time_stamp.state]).toEqual([body.record, 'stamped'])
  expect((await check(later)).steps[2]?.result).toBe('ok')
})

test('a bundle that is fetched again is the one that was filed', async () => {
  const filed = (await make()).body
  it.clock.advance(86_400)
  expect((await fetchRecord(filed.id)).body).toEqual(filed)
})

test('a test key makes records of test answers, marked as test, one a day, that the live key does not see', async () => {
  const asked = { key: account.testKey, body: { domain: 'matched.test' }, headers: { prefer: 'wait=30' } }
  const { resolution_id: id } = (await it.call('POST', '/v1/resolve/domain', asked)).body
  const made = await make(id, account.testKey)
  expect([made.status, JSON.parse(made.body.record).mode]).toEqual([201, 'test'])
  expect((await make(id, account.testKey)).body.id).toBe(made.body.id)
  expect((await check(made.body)).intact).toBe(true)
  expect((await fetchRecord(made.body.id)).status).toBe(404)
  expect((await make(id)).status).toBe(404)
  expect((await make('res_test_none', account.testKey)).status).toBe(404)
})

/** More requests at once than the limit has, again where a slow machine gave it time to refill. */
async function isLimited(path: string): Promise<boolean> {
  const ip = '198.51.100.7'
  for (let round = 0; round < 5; round += 1) {
    const calls = await Promise.all(Array.from({ length: 80 }, () => it.call('GET', path, { ip })))
    if (calls.some(({ status }) => status === 429)) return true
  }
  return false
}

test('the published keys are limited by address, and wrong input is refused', async () => {
  const wrong = [
    ['POST', `/v1/resolutions/${'x'.repeat(65)}/evidence/record`],
    ['GET', `/v1/evidence/${'x'.repeat(65)}`],
  ] as const
  for (const [method, path] of wrong) expect((await it.call(method, path, { key: account.key })).status).toBe(400)
  expect(await isLimited('/v1/evidence/keys')).toBe(true)
})

describe('the page /verify', () => {
  const send = (text: string, contentType: string) =>
    it.visit('POST', '/verify', { rawBody: text, headers: { 'content-type': contentType } })
  const asFile = (text: string) =>
    `--cut\r\ncontent-disposition: form-data; name="file"; filename="a.json"\r\n\r\n${text}\r\n--cut\r\ncontent-disposition: form-data; name="text"\r\n\r\n\r\n--cut--\r\n`

  test('says in words what holds and what the register says today, without an account', async () => {
    expect((await it.visit('GET', '/verify')).text).toContain('multipart/form-data')
    const text = JSON.stringify((await make()).body)
    const forms = [
      await send(asFile(text), 'multipart/form-data; boundary=cut'),
      await send(new URLSearchParams({ text }).toString(), 'application/x-www-form-urlencoded'),
      await send(text, 'application/json'),
    ]
    for (const { status, text: page } of forms) {
      expect(status).toBe(200)
      for (const words of ['The record is intact.', 'The register today', ALDER.name, '1 Mill Lane', 'Holds'])
        expect(page).toContain(words)
    }
  })

  test('says where the time stamp was taken out, and when it was confirmed where the file has none', async () => {
    authority.mood = 'fails'
    const { body: early } = await make()
    expect(early.time_stamp).toEqual({ state: 'pending', token: null })
    authority.mood = 'well'
    await it.runJob(stampLateJob)
    const { text: honest } = await send(JSON.stringify(early), 'application/json')
    expect(honest).toContain('The record is intact.')
    expect(honest).toContain('this file is without its stamp. Fetch the bundle again.')
    const { body: late } = await fetchRecord(early.id)
    expect(late.time_stamp.state).toBe('stamped')
    const without = { ...late, time_stamp: { state: 'stamped', token: null } }
    const { text } = await send(JSON.stringify(without), 'application/json')
    expect(text).toContain('Do not rely on this record.')
    expect(text).toContain('was taken out')
  })

  test('says what fails, and refuses what is no bundle', async () => {
    const { body } = await make()
    const changed = { ...body, record: body.record.replace(ALDER.number, '00000001') }
    const { text } = await send(JSON.stringify(changed), 'application/json')
    expect(text).toContain('Do not rely on this record.')
    expect(text).toContain('changed after signing')
    expect(text).not.toContain('The register today')
    for (const none of [
      '',
      '{}',
      '[]',
      'null',
      '{"format":"nameplate-evidence-bundle/1"}',
      '<script>alert(1)</script>',
    ]) {
      const refused = await send(asFile(none), 'multipart/form-data; boundary=cut')
      expect([none, refused.status, refused.text.includes('<script>alert')]).toEqual([none, 400, false])
    }
    expect((await send('x'.repeat(12_100_000), 'application/json')).status).toBe(413)
  })
})

test('the customer’s command checks a file with keys from a file or from the service, and fails where it was changed', async () => {
  const { body } = await make()
  const [file, changed, published] = ['bundle.json', 'changed.json', 'keys.json'].map((name) => join(folder, name))
  if (!file || !changed || !published) throw new Error('three files')
  writeFileSync(file, JSON.stringify(body))
  writeFileSync(changed, JSON.stringify({ ...body, record: body.record.replace('matched', 'no_match') }))
  writeFileSync(published, JSON.stringify(await keys()))
  expect(await verifyFile(file, '--keys', published)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('intact'),
  })
  expect(await verifyFile(file)).toMatchObject({ code: 0, stdout: expect.stringContaining(ALDER.name) })
  const named = new URL('/.well-known/nameplate-evidence-keys.json', it.config.siteUrl).href
  expect((await verifyFile(file, '--keys-url', named)).code).toBe(0)
  const refused = await verifyFile(changed, '--keys', published)
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('Do not rely') })
  expect((await verifyFile(join(folder, 'none.json'), '--keys', published)).code).toBe(1)
})

const CLIENT = join(import.meta.dirname, '../clients/cli/main.ts')

function verifyFile(...argv: string[]): Promise<{ code: number; stdout: string }> {
  const env = { ...process.env, NAMEPLATE_API_URL: it.config.baseUrl.href }
  return new Promise((resolve) =>
    execFile(process.execPath, [CLIENT, 'verify', ...argv], { env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout }),
    ),
  )
}

test('a match that was disputed and refunded has no evidence any more', async () => {
  const { body } = await make()
  const dispute = { reason: 'It is not them.' }
  it.clock.advance(60)
  await it.call('POST', `/v1/resolutions/${resolutionId}/dispute`, { key: account.key, body: dispute })
  await it.app.db.query('update paid_fact set refunded_at = $1 where account_id = $2', [it.clock.now(), account.id])
  expect([(await make()).status, (await fetchRecord(body.id)).status]).toEqual([404, 404])
  await it.app.db.query('update paid_fact set refunded_at = null where account_id = $1', [account.id])
})

test('records are erased with their account, and /verify still tells a document of one from a forged one', async () => {
  const leaving = await it.openAccount({ credits: 5 })
  const { resolution_id: id } = await resolve(siteOf(ALDER), leaving.key)
  const { body } = await make(id, leaving.key)
  await expect(it.app.db.query('delete from evidence_record where id = $1', [body.id])).rejects.toThrow('never changed')
  await expect(it.app.db.query(`update evidence_record set record = '{}' where id = $1`, [body.id])).rejects.toThrow(
    'never changed',
  )
  await eraseAccount(it.app, { id: leaving.id, email: 'gone@customer.test' })
  expect(await it.app.db.query('select id from evidence_record where id = $1', [body.id])).toEqual([])
  const checked = await it.visit('POST', '/verify', {
    rawBody: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  expect(checked.text).toContain('The record is intact.')
  const byAddress = await it.visit('GET', `/verify/${body.id}`)
  expect([byAddress.status, byAddress.text]).toEqual([404, expect.stringContaining('its account was erased since')])
  const verified = JSON.parse((await it.run('evidence', 'verify', '--json')).stdout)
  expect(verified).toMatchObject({ ok: true, erased: 1 })
})

test('an account that is disabled or erased meanwhile gets no record and no share link', async () => {
  const leaving = await it.openAccount({ credits: 5 })
  const { resolution_id: id } = await resolve(siteOf(ALDER), leaving.key)
  const origin = { ip: '192.0.2.1', requestId: 'late' }
  const owner = { accountId: leaving.id, mode: 'live', resolutionId: id, origin } as const
  await disableAccount(it.app, leaving.id)
  await expect(makeRecord(it.app, owner)).rejects.toMatchObject({ code: 'not_found' })
  await expect(makeShareLink(it.app, { ...owner, days: 5 })).rejects.toMatchObject({ code: 'not_found' })
  for (const table of ['evidence_record', 'share_link']) {
    expect(await it.app.db.query(`select 1 from ${table} where account_id = $1`, [leaving.id])).toEqual([])
  }
})

test('the operator checks all that is stored, and is shown what was changed', async () => {
  await make()
  const { code, stdout } = await it.run('evidence', 'verify', '--json')
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ ok: true, problems: [] })])
  const change = (text: string) =>
    it.app.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(text)
    })
  await change(`update evidence_record set record = replace(record, 'matched', 'no_match')`)
  const found = await it.run('evidence', 'verify', '--json')
  expect(found.code).toBe(1)
  const kinds = JSON.parse(found.stdout).problems.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toContain('record_changed')
})
