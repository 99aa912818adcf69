/** Evidence in hostile hands: sites that write into their own evidence, strangers who send bombs, forgers who swap parts. */
import { createPrivateKey, type JsonWebKey, randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Bundle,
  checkBundle,
  checkPdf,
  parsePublishedKeys,
  sealOf,
  signText,
} from '../packages/evidence-check/index.ts'
import { DATABASE_KINDS } from '../proofs/chaos/tamper/database-kinds.ts'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import type { App } from '../src/app.ts'
import { readPublishedKeys, rotateEvidenceKey, verifyRecords } from '../src/evidence/index.ts'
import { requestStamp } from '../src/evidence/stamp/authority.ts'
import type { Tx } from '../src/lib/db/db.ts'
import { ALDER, page, publish, siteOf } from './setup/companies.ts'
import { prepare, type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER] })
let account: TestAccount
beforeAll(async () => {
  account = await it.openAccount({ credits: 10 })
})

/** Bytes that no compression shortens stay in the file as they are, with what follows them. */
const noise = () => randomBytes(40_000)
const SIGNATURE_LIKE = '/ByteRange [0 1 2 3] /Reason (Evidence record evd_Another) /Type /EmbeddedFile stream'

async function askAbout(domain: string): Promise<string> {
  const headers = { prefer: 'wait=30' }
  return (await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain }, headers })).body
    .resolution_id
}
const fetchRecord = (resolutionId: string, accept: string) =>
  fetch(new URL(`/v1/resolutions/${resolutionId}/evidence/record`, it.config.baseUrl), {
    method: 'POST',
    headers: { 'x-api-key': account.key, accept },
  })
const readBundle = async (resolutionId: string) =>
  (await (await fetchRecord(resolutionId, 'application/json')).json()) as { record: string; jws: string }
const readKeys = async () => parsePublishedKeys((await it.call('GET', '/v1/evidence/keys')).body)

describe('a site that writes into its own evidence', () => {
  test('what looks like a signature on a quoted page does not break the document about it', async () => {
    const disclosure = `© 2026 ${ALDER.name}. Registered in England and Wales. Company number ${ALDER.number}.
      Registered office: 1 Mill Lane, Ripon, North Yorkshire, ${ALDER.postcode}.`
    const home = page(ALDER.name, disclosure)
    const comments = Array.from({ length: 5 }, () => [
      Buffer.from('<!-- '),
      noise(),
      Buffer.from(`${SIGNATURE_LIKE} -->`),
    ])
    const bytes = Buffer.concat([Buffer.from(home), ...comments.flat()])
    const resolutionId = await askAbout(publish(it.web, { pages: { '/': bytes } }))
    const response = await fetchRecord(resolutionId, 'application/pdf')
    const pdf = Buffer.from(await response.arrayBuffer())
    expect(pdf.includes(SIGNATURE_LIKE)).toBe(true)
    const report = checkPdf(pdf, await readKeys())
    expect(report.steps.filter(({ result }) => result === 'failed')).toEqual([])
    expect(report.intact).toBe(true)
  })
})

describe('a stranger who sends a file to /verify', () => {
  const send = (body: Buffer | string, type: string) =>
    fetch(new URL('/verify', it.config.siteUrl), {
      method: 'POST',
      headers: { 'content-type': type },
      body: body as string,
    })

  test('gets an answer for a form with a million fields', async () => {
    const response = await send('a&'.repeat(4_000_000), 'application/x-www-form-urlencoded')
    expect(response.status).toBe(400)
  })

  test('does not have attachments unpacked that are larger than any record, or of a document that is not ours', async () => {
    const bomb = deflateSync(Buffer.alloc(60_000_000))
    const header = (type: string) =>
      `1 0 obj\n<</Type /EmbeddedFile /Subtype /application#2F${type} /Filter /FlateDecode /Length ${bomb.length}>>\nstream\n`
    const parts = ['json', 'warc', 'json'].flatMap((type) => [
      Buffer.from(header(type)),
      bomb,
      Buffer.from('\nendobj\n'),
    ])
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts])
    const before = process.memoryUsage().arrayBuffers
    const report = checkPdf(pdf, await readKeys())
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000)
    expect(report.steps.map(({ problem }) => problem)).toEqual(['not_signed', 'no_record'])
  })

  test('sees what is wrong with a record whose times are no texts', async () => {
    const bundle = await readBundle(await askAbout(publish(it.web, siteOf(ALDER))))
    const record = JSON.parse(bundle.record)
    record.question.resolved_at = { toString: 1 }
    const response = await send(JSON.stringify({ ...bundle, record: JSON.stringify(record) }), 'application/json')
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('not one that this program knows')
  })
})

describe('a forger who swaps the time stamp', () => {
  const forger = prepare(
    () => SimulatedAuthority.create(),
    (one) => one.close(),
  )

  test('gets no “Holds” for an authority of their own, and none for a stamp that was taken out', async () => {
    const resolutionId = await askAbout(publish(it.web, siteOf(ALDER)))
    const bundle = await readBundle(resolutionId)
    const timeStamp = { url: new URL(await forger.listen()), timeoutSeconds: 5 }
    const config = { ...it.config, timeStamp, timeStampCertificatesFile: null }
    const token = await requestStamp({ config }, sealOf(bundle.record, bundle.jws))
    const stepOf = async (stamp: object) => {
      const report = checkBundle(JSON.stringify({ ...bundle, time_stamp: stamp }), await readKeys())
      return report.steps.find(({ step }) => step === 'time_stamp')
    }
    const swapped = await stepOf({ state: 'stamped', token: token.toString('base64') })
    expect([swapped?.result, swapped?.says]).toEqual(['missing', expect.stringContaining('proves nothing')])
    expect(await stepOf({ state: 'stamped', token: null })).toMatchObject({
      result: 'failed',
      problem: 'stamp_removed',
    })
  })
})

describe('one who can write to the database, and has no sealing key', () => {
  class Undone extends Error {}

  /** The transaction as a database: what opens one of its own runs in it. */
  const inside = (tx: Tx) =>
    ({
      query: tx.query.bind(tx),
      transaction: (run: (same: Tx) => Promise<unknown>) => run(tx),
    }) as unknown as App['db']

  /** Runs `look` on the database as a change left it, with triggers off, and takes the change back. */
  async function lookAfter(change: (tx: Tx) => Promise<unknown>, look: (app: App) => Promise<unknown>): Promise<void> {
    const changed = it.app.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await change(tx)
      await look({ ...it.app, db: inside(tx) })
      throw new Undone()
    })
    await expect(changed).rejects.toBeInstanceOf(Undone)
  }
  const listKinds = async (app: App) => (await verifyRecords(app, () => undefined)).problems.map(({ kind }) => kind)

  beforeAll(async () => {
    await readBundle(await askAbout(publish(it.web, siteOf(ALDER))))
    await readBundle(await askAbout(publish(it.web, siteOf(ALDER))))
  })

  const found = ['key_planted', 'certificate_planted', 'record_moved', 'record_removed', 'record_not_audited']
  test.each(DATABASE_KINDS.filter(({ expected }) => found.includes(expected)))(
    'is found by `evidence verify`: $name',
    async ({ expected, change }) => {
      expect(await listKinds(it.app)).toEqual([])
      await lookAfter(change, async (app) => expect(await listKinds(app)).toContain(expected))
    },
  )

  test.each(DATABASE_KINDS.filter(({ expected }) => expected === 'key_planted'))(
    'gets no key of their own published: $name',
    async ({ change }) => {
      const ours = (await readPublishedKeys(it.app)).keys.map(({ x }) => x)
      await lookAfter(change, async (app) => {
        const keys = (await readPublishedKeys(app)).keys.map(({ x }) => x)
        expect(keys.filter((x) => !ours.includes(x))).toEqual([])
      })
    },
  )

  test.each(DATABASE_KINDS.filter(({ expected }) => expected === 'certificate_planted'))(
    'gets no certificate published that would sign documents for us, and /verify still checks: $name',
    async ({ change }) => {
      const ours = (await readPublishedKeys(it.app)).document_certificates
      await lookAfter(change, async (app) => {
        const published = await readPublishedKeys(app)
        expect(published.document_certificates).toEqual(ours)
        expect(parsePublishedKeys(published).certificates).toHaveLength(ours.length)
      })
    },
  )

  test('cannot take a stamp away unseen, where there is an authority: a day later each record has one', async () => {
    const timeStamp = { url: new URL('http://authority.test'), certificatesFile: null, timeoutSeconds: 1 }
    const in23Hours = new Date(it.clock.now().getTime() + 23 * 3_600_000)
    const in2Days = new Date(it.clock.now().getTime() + 48 * 3_600_000)
    const look = (at: Date, config: object) =>
      verifyRecords({ ...it.app, config: { ...it.config, ...config }, clock: { now: () => at } }, () => undefined)
    expect((await look(in2Days, {})).problems).toEqual([])
    expect((await look(in23Hours, { timeStamp })).problems).toEqual([])
    const { problems } = await look(in2Days, { timeStamp })
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['stamp_missing']))
  })

  test('a key whose sealing key is lost is published again when the operator names its public half', async () => {
    const [key] = (await readPublishedKeys(it.app)).keys
    const lose = (tx: Tx) => tx.query(`update evidence_key set private_jwk_sealed = 'v1.lost.AAAA.AAAA.AAAA'`)
    await lookAfter(lose, async (app) => {
      expect([(await readPublishedKeys(app)).keys, await listKinds(app)]).toEqual([
        [],
        expect.arrayContaining(['key_planted']),
      ])
      const named = { ...app, config: { ...app.config, evidenceKeysLost: [key?.x ?? ''] } }
      expect([(await readPublishedKeys(named)).keys, await listKinds(named)]).toEqual([[key], []])
    })
  })
})

test('one who stole a key that signs no more makes a record that holds by itself, and /verify says that it is not ours', async () => {
  const bundle = (await readBundle(await askAbout(publish(it.web, siteOf(ALDER))))) as Bundle
  const opened = await openKey()
  await rotateEvidenceKey(it.app)
  const record = bundle.record.replace(ALDER.name, 'FORGED LIMITED')
  const jws = signText(record, opened)
  const forged = JSON.stringify({ ...bundle, record, jws })
  expect(checkBundle(forged, await readKeys()).intact).toBe(true)
  const send = (text: string) =>
    it.visit('POST', '/verify', { rawBody: text, headers: { 'content-type': 'application/json' } })
  expect((await send(JSON.stringify(bundle))).text).toContain('The record is intact.')
  const { text } = await send(forged)
  expect(text).toContain('Do not rely on this record.')
  expect(text).toContain('another one was signed with a key of ours')
})

async function openKey() {
  const [row] = await it.app.db.query<{ id: string; sealed: string }>(
    'select id, private_jwk_sealed as sealed from evidence_key where retired_at is null',
  )
  const opened = it.app.secrets.unseal(row?.sealed ?? '', `evidence_key:${row?.id}`)
  const jwk = JSON.parse(opened) as JsonWebKey
  return { id: row?.id ?? '', key: createPrivateKey({ key: jwk, format: 'jwk' }) }
}
