/** A saved head of the log of evidence records, compared with the log of today by the customer’s command. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import { publishHeadJob, rotateEvidenceKey } from '../src/evidence/index.ts'
import { ALDER, publish, siteOf } from './setup/companies.ts'
import { DAY_SECONDS, prepare, startTestService, type TestKeys, type TestService, WAIT } from './setup/harness.ts'

const CLIENT = join(import.meta.dirname, '../clients/cli/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'nameplate-heads-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CA_FILE = join(folder, 'authorities.pem')
const [authority, nextAuthority] = ['First', 'Next'].map((name) =>
  prepare(
    () => SimulatedAuthority.create(name),
    (one) => one.close(),
  ),
) as [SimulatedAuthority, SimulatedAuthority]
const it: TestService = prepare(
  async () => {
    writeFileSync(CA_FILE, authority.certificate)
    const timeStamp = { url: new URL(await authority.listen()), timeoutSeconds: 5 }
    return startTestService({ companies: [ALDER], timeStamp, timeStampCertificatesFile: CA_FILE })
  },
  (service) => service[Symbol.asyncDispose](),
)
let account: TestKeys
/** A page of heads, as it came, and its head alone. */
const [page, alone] = [join(folder, 'heads.json'), join(folder, 'head.json')]

async function seal(): Promise<void> {
  const body = { domain: publish(it.web, siteOf(ALDER)) }
  const { resolution_id: id } = (await it.call('POST', '/v1/resolve/domain', { key: account.key, body, headers: WAIT }))
    .body
  const made = await it.call('POST', `/v1/resolutions/${id}/evidence/record`, { key: account.key })
  expect(made.status).toBe(201)
}

async function publishNext(): Promise<void> {
  await seal()
  it.clock.advance(DAY_SECONDS)
  await it.runJob(publishHeadJob)
}

beforeAll(async () => {
  // The command has the time of this machine: what is published here is days old for it.
  it.clock.advance(-12 * DAY_SECONDS)
  for (const one of [authority, nextAuthority]) one.now = () => it.clock.now()
  account = await it.openAccount({ credits: 10 })
  for (let count = 0; count < 3; count += 1) await seal()
  await it.runJob(publishHeadJob)
  const { body } = await it.call('GET', '/v1/evidence/log/heads?limit=1')
  writeFileSync(page, JSON.stringify(body))
  writeFileSync(alone, JSON.stringify(body.data[0]))
  for (let count = 0; count < 2; count += 1) await seal()
  it.clock.advance(DAY_SECONDS)
  await it.runJob(publishHeadJob)
})

function verify(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, NAMEPLATE_API_URL: it.config.baseUrl.href }
  return new Promise((resolve) =>
    execFile(process.execPath, [CLIENT, 'verify', ...argv], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

/** Changes the log as one could who writes to the database. */
async function change(sql: string): Promise<void> {
  await it.app.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(sql)
  })
}

test('a log that only grew holds what it had, for a head alone and for the page that it came on', async () => {
  for (const file of [alone, page]) {
    const { code, stdout } = await verify(file, '--head')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing was removed or changed since')])
    expect(stdout).toContain('The log has 5 entries and begins with the 3 entries of the saved head.')
  }
  const report = JSON.parse((await verify(alone, '--head', '--json')).stdout)
  expect(report.steps.map(({ step, result }: { step: string; result: string }) => [step, result])).toEqual([
    ['saved_head', 'ok'],
    ['newest_head', 'ok'],
    ['growth', 'ok'],
  ])
})

test('keys that were saved before the newest key are no break of the log', async () => {
  const keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify((await it.call('GET', '/.well-known/nameplate-evidence-keys.json')).body))
  await rotateEvidenceKey(it.app)
  await publishNext()
  const old = await verify(alone, '--head', '--keys', keys)
  expect([old.code, old.stdout]).toEqual([0, expect.stringContaining('may be newer than the file')])
  expect(old.stdout).not.toContain('Do not rely on this log.')
  expect((await verify(alone, '--head')).stdout).toContain('Nothing was removed or changed since')
})

test('keys that were saved before the newest time-stamp authority are no break of the log', async () => {
  const keys = join(folder, 'keys-of-one-authority.json')
  writeFileSync(keys, JSON.stringify((await it.call('GET', '/.well-known/nameplate-evidence-keys.json')).body))
  writeFileSync(CA_FILE, `${authority.certificate}\n${nextAuthority.certificate}`)
  it.app.config.timeStamp = { url: new URL(await nextAuthority.listen()), timeoutSeconds: 5 }
  await publishNext()
  const old = await verify(alone, '--head', '--keys', keys)
  expect([old.code, old.stdout]).toEqual([0, expect.stringContaining('may be newer than the file')])
  expect(old.stdout).not.toContain('Do not rely on this log.')
  const { code, stdout } = await verify(alone, '--head')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/“Next.*confirms that head[^]*Nothing was removed or changed/),
  ])
})

test('a log that moved to another host holds what it had', async () => {
  const { siteUrl } = it.app.config
  it.app.config.siteUrl = new URL('https://moved.example')
  await publishNext()
  const { code, stdout } = await verify(alone, '--head')
  it.app.config.siteUrl = siteUrl
  await publishNext()
  expect([code, stdout]).toEqual([0, expect.stringContaining('and is moved.example/evidence-log now.')])
  expect(stdout).toContain('Nothing was removed or changed since')
})

test('a head that was changed, or is none, is refused; and a head is no evidence', async () => {
  const changed = join(folder, 'changed.json')
  const { body } = await it.call('GET', '/v1/evidence/log/heads')
  const [newest, first] = [body.data[0], body.data.at(-1)]
  writeFileSync(changed, JSON.stringify({ ...first, checkpoint: first.checkpoint.replace('\n3\n', '\n2\n') }))
  expect(await verify(changed, '--head')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Do not rely on this file.'),
  })
  writeFileSync(changed, JSON.stringify({ root: newest.root }))
  expect(await verify(changed, '--head')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not a saved head'),
  })
  expect(await verify(alone)).toMatchObject({ code: 1, stdout: expect.stringContaining('Do not rely on this record.') })
})

test('an entry that was changed is named as the break', async () => {
  await change(`update evidence_node set hash = sha256('x') where level = 1 and index = 0`)
  const changed = await verify(alone, '--head', '--json')
  expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
    1,
    expect.objectContaining({
      intact: false,
      steps: expect.arrayContaining([expect.objectContaining({ problem: 'log_changed' })]),
    }),
  ])
  expect((await verify(alone, '--head')).stdout).toContain('Do not rely on this log.')
})

test('heads that were published and removed are missed two days later', async () => {
  const last = join(folder, 'last.json')
  writeFileSync(last, JSON.stringify((await it.call('GET', '/v1/evidence/log/heads?limit=1')).body))
  await change('delete from evidence_head where size > 3')
  const { code, stdout } = await verify(last, '--head', '--json')
  expect([code, JSON.parse(stdout).steps.at(-1)]).toMatchObject([1, { problem: 'heads_removed' }])
  expect((await verify(last, '--head')).stdout).toContain('Do not rely on this log. Keep the file')
})

test('entries that were removed are named as the break', async () => {
  await change('update evidence_log set size = 2')
  const shorter = await verify(alone, '--head')
  expect([shorter.code, shorter.stdout]).toEqual([1, expect.stringContaining('entries were removed')])
})
