/** Evidence documents: the record as two pages for people, which anyone can check with usual programs, with ours, or on paper. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPdf, parsePublishedKeys } from '../packages/evidence-check/index.ts'
import { SimulatedAuthority } from '../rig/time-stamps/index.ts'
import { until } from '../rig/until.ts'
import type { App } from '../src/app.ts'
import { getDocumentSigner } from '../src/evidence/document/certificates.ts'
import { makeSelfSigned } from '../src/evidence/document/self-signed.ts'
import { signDocument } from '../src/evidence/document/sign-document.ts'
import { readEvidenceState, readPublishedKeys, verifyRecords } from '../src/evidence/index.ts'
import { FolderStore } from '../src/lib/blobs/folder-store.ts'
import { IsolatedThreads } from '../src/lib/isolated-threads.ts'
import { ALDER, publish, siteNaming, siteOf } from './setup/companies.ts'
import { prepare, startTestService, type TestAccount, type TestService } from './setup/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'nameplate-documents-'))
const CA_FILE = join(folder, 'authorities.pem')
const authority = prepare(
  () => SimulatedAuthority.create(),
  (one) => one.close(),
)
const it: TestService = prepare(
  async () => {
    const url = new URL(await authority.listen())
    writeFileSync(CA_FILE, authority.certificate)
    return startTestService({
      companies: [ALDER],
      timeStamp: { url, timeoutSeconds: 5 },
      timeStampCertificatesFile: CA_FILE,
    })
  },
  (service) => service[Symbol.asyncDispose](),
)
afterAll(() => rmSync(folder, { recursive: true }))

let account: TestAccount
let resolutionId: string
let recordId: string
beforeAll(async () => {
  account = await it.openAccount({ credits: 50 })
  authority.now = () => it.clock.now()
  const body = { domain: publish(it.web, siteOf(ALDER)) }
  const headers = { prefer: 'wait=30' }
  resolutionId = (await it.call('POST', '/v1/resolve/domain', { key: account.key, body, headers })).body.resolution_id
  recordId = (await it.call('POST', `/v1/resolutions/${resolutionId}/evidence/record`, { key: account.key })).body.id
})
beforeEach(() => {
  authority.mood = 'well'
})

async function finishBulk(domains: string[], key: string): Promise<string> {
  const sent = await it.call('POST', '/v1/bulk', { key, body: { domains } })
  await until(
    async () => (await it.call('GET', `/v1/bulk/${sent.body.id}`, { key })).body.status === 'completed',
    'the bulk job did not end',
  )
  return sent.body.id
}
async function fetchDocument(path = `/v1/evidence/${recordId}`, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-api-key': account.key, accept: 'application/pdf' }
  return fetch(new URL(path, it.config.baseUrl), { headers, redirect: 'manual', ...init })
}
async function readDocument(id = recordId): Promise<Buffer> {
  const response = await fetchDocument(`/v1/evidence/${id}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await response.arrayBuffer())
}
const readKeys = async () => (await it.call('GET', '/v1/evidence/keys')).body
const check = async (pdf: Buffer) => checkPdf(pdf, parsePublishedKeys(await readKeys()))
function save(name: string, content: Buffer | string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
const run = (program: string, ...argv: string[]) =>
  execFileSync(program, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

describe('the document of a record', () => {
  test('has two tagged pages with question, answer, quote and how to check it, in words that programs can read', async () => {
    const file = save('words.pdf', await readDocument())
    expect(run('pdfinfo', file)).toMatch(/Tagged: +yes[\s\S]*Pages: +2\n/)
    const text = run('pdftotext', '-layout', file, '-')
    for (const words of [
      'Which UK registered company runs',
      ALDER.name,
      ALDER.number,
      'The words that prove it',
      recordId,
      'Page 1 of 2',
      'Page 2 of 2',
    ])
      expect(text).toContain(words)
    const structure = run('pdfinfo', '-struct-text', file)
    for (const tag of ['H1', 'H2', 'Table', 'Figure']) expect(structure).toContain(tag)
  })

  test('is signed over every byte, by the published certificate, and its time is confirmed', async () => {
    const file = save('signed.pdf', await readDocument())
    const found = run('pdfsig', '-nocert', file)
    for (const words of ['Signature is Valid', 'Total document signed', 'ETSI.CAdES.detached'])
      expect(found).toContain(words)
    const report = await check(readFileSync(file))
    expect(report.intact).toBe(true)
    expect(report.steps.map(({ step, result }) => `${step} ${result}`)).toEqual([
      'document ok',
      'document_time ok',
      'attachments ok',
      'form ok',
      'signature ok',
      'time_stamp ok',
      'contents ok',
    ])
    const [certificate] = (await readKeys()).document_certificates
    const { subject, ca } = new X509Certificate(Buffer.from(certificate, 'base64'))
    expect([subject.includes('evidence documents'), ca]).toEqual([true, false])
  })

  test('has the bundle and the quoted pages attached, as they are elsewhere', async () => {
    const file = save('attached.pdf', await readDocument())
    const out = join(folder, 'evidence.json')
    run('pdfdetach', '-savefile', 'evidence.json', '-o', out, file)
    const bundle = JSON.parse(readFileSync(out, 'utf8'))
    const { body } = await it.call('GET', `/v1/evidence/${recordId}`, { key: account.key })
    expect([bundle.record, bundle.jws]).toEqual([body.record, body.jws])
    const pages = join(folder, 'pages.warc.gz')
    run('pdfdetach', '-savefile', 'pages.warc.gz', '-o', pages, file)
    const archive = await fetchDocument(`/v1/resolutions/${resolutionId}/archive`)
    expect(hash(readFileSync(pages))).toBe(hash(Buffer.from(await archive.arrayBuffer())))
  })

  test.each([
    ['another content', '', 'failed', 'page_swapped'],
    ['another content and address', `, url = url || 'other'`, 'missing', null],
  ])(
    'whose kept page was swapped in the database for one with %s is not said to have it',
    async (_, more, ...result) => {
      const body = { domain: publish(it.web, siteOf({ ...ALDER, name: 'ANOTHER NAME LIMITED' })) }
      await it.call('POST', '/v1/resolve/domain', { key: account.key, body, headers: { prefer: 'wait=30' } })
      const of = 'from page_capture where leads_to is null and resolution_id'
      const [kept] = await it.app.db.query<{ id: string; url: string; sha256: Buffer }>(
        `select id, url, sha256 ${of} = $1`,
        [resolutionId],
      )
      if (!kept) throw new Error('no page is kept')
      await it.app.db.query(
        `update page_capture set sha256 = (select sha256 ${of} <> $1 and sha256 <> $2 limit 1)${more} where id = $3`,
        [resolutionId, kept.sha256, kept.id],
      )
      const { steps } = await check(await readDocument())
      const attached = steps.find(({ step }) => step === 'attachments')
      expect([attached?.result, attached?.problem]).toEqual(result)
      await it.app.db.query('update page_capture set sha256 = $2, url = $3 where id = $1', [
        kept.id,
        kept.sha256,
        kept.url,
      ])
      expect((await check(await readDocument())).steps.every((step) => step.result === 'ok')).toBe(true)
    },
  )

  test('can be made with the record in one request, and a test key gets one that says so', async () => {
    const headers = { 'x-api-key': account.key, accept: 'text/html;q=0.5, application/json;q=0.8, application/pdf' }
    const made = await fetchDocument(`/v1/resolutions/${resolutionId}/evidence/record`, { method: 'POST', headers })
    expect([made.status, made.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('.pdf"')])
    const body = { domain: 'matched.test' }
    const tried = await it.call('POST', '/v1/resolve/domain', {
      key: account.testKey,
      body,
      headers: { prefer: 'wait=30' },
    })
    const response = await fetchDocument(`/v1/resolutions/${tried.body.resolution_id}/evidence/record`, {
      method: 'POST',
      headers: { 'x-api-key': account.testKey, accept: 'application/pdf' },
    })
    const file = save('test.pdf', Buffer.from(await response.arrayBuffer()))
    expect([response.status, run('pdftotext', file, '-')]).toEqual([201, expect.stringContaining('test mode')])
    expect((await check(readFileSync(file))).intact).toBe(true)
  })

  test('is made without a time stamp of its own while the authority is away, and says so when it is checked', async () => {
    authority.mood = 'fails'
    const { intact, steps } = await check(await readDocument())
    expect([intact, steps.find(({ step }) => step === 'document_time')?.result]).toEqual([true, 'missing'])
  })
})

/** The service with a certificate of the operator's own, which was made then. */
function withOperators(name: string, madeAt: Date): { operated: App; certificate: Buffer } {
  const { certificate, key } = makeSelfSigned({ service: `${name}.test`, at: madeAt })
  const keyFile = save(`${name}-key.pem`, key.export({ type: 'pkcs8', format: 'pem' }).toString())
  const certificateFile = save(`${name}.pem`, new X509Certificate(certificate).toString())
  return {
    operated: { ...it.app, config: { ...it.config, documentCertificate: { certificateFile, keyFile } } },
    certificate,
  }
}

test('a document that was stamped after its certificate ended is found, and the operator is warned', async () => {
  const { operated } = withOperators('ended', new Date(it.clock.now().getTime() - 11 * 366 * 86_400_000))
  const warnings: unknown[] = []
  const log = { ...it.app.log, warn: (line: object) => warnings.push(line) }
  const signer = await getDocumentSigner({ ...operated, log })
  expect(warnings).toEqual([expect.objectContaining({ event: 'evidence.certificate_expired' })])
  const signed = await signDocument(operated, await readDocument(), { signer, recordId })
  const { intact, steps } = await check(signed)
  expect([intact, steps.flatMap(({ problem }) => problem ?? [])]).toEqual([false, ['certificate_not_valid']])
  await getDocumentSigner(it.app)
})

test('an operator’s own certificate stays published after another one', async () => {
  const { operated, certificate } = withOperators('operator', it.clock.now())
  await getDocumentSigner(operated)
  await getDocumentSigner(it.app)
  expect((await readPublishedKeys(it.app)).document_certificates).toContain(certificate.toString('base64'))
  expect((await check(await readDocument())).intact).toBe(true)
})

test('a certificate whose sealing key is lost is published once the operator names it', async () => {
  const { operated, certificate } = withOperators('replaced', it.clock.now())
  const id = hash(certificate)
  await getDocumentSigner(operated)
  const signed = await signDocument(operated, await readDocument(), {
    signer: await getDocumentSigner(operated),
    recordId,
  })
  await getDocumentSigner(it.app)
  await it.app.db.query(`update evidence_certificate set private_key_sealed = 'v1.lost.AAAA.AAAA.AAAA' where id = $1`, [
    id,
  ])
  const certificatesOf = async (app: App) => (await readPublishedKeys(app)).document_certificates
  const countUnpublished = async (app: App) => (await readEvidenceState(app)).unpublishedKeys
  const listKinds = async (app: App) => (await verifyRecords(app, () => undefined)).problems.map(({ kind }) => kind)
  expect([await countUnpublished(it.app), await listKinds(it.app)]).toEqual([
    1,
    expect.arrayContaining(['certificate_planted']),
  ])
  const named = { ...it.app, config: { ...it.config, evidenceKeysLost: [id] } }
  expect([await countUnpublished(named), await listKinds(named)]).toEqual([0, []])
  expect(await certificatesOf(named)).toContain(certificate.toString('base64'))
  expect(checkPdf(signed, parsePublishedKeys(await readPublishedKeys(named))).intact).toBe(true)
  await getDocumentSigner(operated)
  await getDocumentSigner(it.app)
})

/** Every kept body is other bytes, or should be in a folder that has none. */
async function withDamagedBodies(content: Buffer | null, work: () => Promise<void>): Promise<void> {
  const put = (bytes: Buffer | null, id: string | null) =>
    it.app.db.query(
      `update page_body set content = $1, stored_in = case when $1::bytea is null then 'folder' else 'postgres' end
       where $2::bigint is null or id = $2`,
      [bytes, id],
    )
  const before = await it.app.db.query<{ id: string; content: Buffer }>('select id::text, content from page_body')
  it.app.pageStores.folder = new FolderStore({ directory: join(folder, 'pages'), bytesMax: 4_000_000 })
  await put(content, null)
  try {
    await work()
  } finally {
    for (const body of before) await put(body.content, body.id)
    it.app.pageStores.folder = null
  }
}

test.each([
  ['damaged', Buffer.from('no page')],
  ['missing', null],
])('a %s page is no failure of ours: the document comes without it, and the archive is 503', async (_, content) => {
  await withDamagedBodies(content, async () => {
    const archive = await fetchDocument(`/v1/resolutions/${resolutionId}/archive`)
    expect([archive.status, await archive.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', detail: expect.stringContaining('missing or damaged') }),
    ])
    const pdf = await readDocument()
    expect((await check(pdf)).intact).toBe(true)
    const attached = run('pdfdetach', '-list', save('without-pages.pdf', pdf))
    expect([attached.includes('evidence.json'), attached.includes('pages.warc.gz')]).toEqual([true, false])
  })
  const attached = run('pdfdetach', '-list', save('with-pages.pdf', await readDocument()))
  expect(attached).toContain('pages.warc.gz')
})

/** Where no thread is free and none may wait, every task is refused. */
async function withFullQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const { typesetters } = it.app
  const program = new URL('../src/evidence/document/typesetting-thread.ts', import.meta.url)
  it.app.typesetters = new IsolatedThreads({ program, threads: 0, queueMax: 0, heapMbMax: 64, cpuMsMax: 1_000 })
  try {
    return await work()
  } finally {
    it.app.typesetters = typesetters
  }
}

describe('many documents at once', () => {
  test('are refused with a time to try again while too many wait, and not as a failure of ours', async () => {
    const asked = { key: account.key, headers: { accept: 'application/pdf' } }
    const [read, made] = await withFullQueue(async () => [
      await it.call('GET', `/v1/evidence/${recordId}`, asked),
      await it.call('POST', `/v1/resolutions/${resolutionId}/evidence/record`, asked),
    ])
    for (const refused of [read, made]) {
      expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, expect.any(String)])
      expect(refused?.body).toMatchObject({ code: 'busy', retryable: true })
    }
  })

  test('are limited for each account, made new or read again', async () => {
    const other = await it.openAccount()
    const headers = { 'x-api-key': other.key, accept: 'application/pdf' }
    for (const [method, path] of [
      ['GET', '/v1/evidence/evd_none'],
      ['POST', '/v1/resolutions/res_none/evidence/record'],
    ] as const) {
      const seen = new Set<number>()
      for (let round = 0; round < 5 && !seen.has(429); round += 1) {
        const replies = await Promise.all(Array.from({ length: 40 }, () => fetchDocument(path, { method, headers })))
        for (const { status } of replies) seen.add(status)
      }
      expect([path, seen.has(429)]).toEqual([path, true])
    }
    const bundle = await it.call('GET', '/v1/evidence/evd_none', { key: other.key })
    expect(bundle.status).toBe(404)
  })
})

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the address of a document in a browser', () => {
  const browser = { accept: 'text/html,application/xhtml+xml', cookie: '' }

  test('leads a person who is not signed in to sign in, and one who is to the document', async () => {
    const { origin } = it.config.siteUrl
    const page = `/evidence/${recordId}/document`
    const first = await it.call('GET', `/v1/evidence/${recordId}`, { headers: browser })
    expect([first.status, first.headers.get('location')]).toEqual([302, `${origin}${page}`])
    const asked = await it.visit('GET', page, { headers: browser })
    expect([asked.status, asked.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(page)}`])
    const cookie = `session=${account.token}`
    for (const id of [recordId, resolutionId]) {
      const shown = await fetch(new URL(`/evidence/${id}/document`, origin), { headers: { ...browser, cookie } })
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect((await check(Buffer.from(await shown.arrayBuffer()))).intact).toBe(true)
    }
    const other = await it.openAccount()
    const headers = { ...browser, cookie: `session=${other.token}` }
    expect((await it.visit('GET', page, { headers })).status).toBe(404)
    expect((await it.visit('GET', '/evidence/res_none/document', { headers })).status).toBe(404)
  })
})

describe('the page /verify', () => {
  const drop = async (bytes: Buffer) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'evidence.pdf')
    const response = await fetch(new URL('/verify', it.config.siteUrl), { method: 'POST', body: form })
    return { status: response.status, text: await response.text() }
  }

  test('says what a person decided, who and when, as the command does, and its address does not', async () => {
    const domain = publish(it.web, siteNaming(ALDER))
    const asked = { key: account.key, body: { domain }, headers: { prefer: 'wait=30' } }
    const { body: answer } = await it.call('POST', '/v1/resolve/domain', asked)
    expect(answer.outcome).toBe('needs_review')
    const { body: reviews } = await it.call('GET', `/v1/reviews?domain=${domain}`, { key: account.key })
    const decided = await it.call('POST', `/v1/reviews/${reviews.data[0].id}/decision`, {
      key: account.key,
      body: { action: 'accept', company_number: ALDER.number, reviewer: 'Ann Reviewer', reason: 'I know them.' },
    })
    expect(decided.status).toBe(200)
    const made = await it.call('POST', `/v1/resolutions/${answer.resolution_id}/evidence/record`, { key: account.key })
    const pdf = await readDocument(made.body.id)
    const says = `A person decided: it is company ${ALDER.number}. Ann Reviewer, `
    const { text } = await drop(pdf)
    for (const words of ['The record is intact.', says, 'The register today', ALDER.name]) expect(text).toContain(words)
    const ran = await verifyFile(save('decided.pdf', pdf))
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(says) })
    const atAddress = await it.visit('GET', `/verify/${made.body.id}`)
    expect(atAddress.text).toContain('The record is intact.')
    for (const words of ['Ann Reviewer', 'A person decided', ALDER.name]) expect(atAddress.text).not.toContain(words)
  })

  test('says of a dropped document what holds and what the register says today, and names what was changed', async () => {
    const pdf = await readDocument()
    const whole = await drop(pdf)
    expect(whole.status).toBe(200)
    for (const words of ['The record is intact.', 'The register today', ALDER.name, 'Not one byte was changed'])
      expect(whole.text).toContain(words)
    const appended = await drop(Buffer.concat([pdf, Buffer.from('\n% one line more\n')]))
    expect(appended.text).toContain('Do not rely on this record.')
    expect(appended.text).toContain('appended')
    expect((await drop(Buffer.from('%PDF-1.7\nnothing'))).status).toBe(400)
  })

  test('says at the address on the document what is on its face, and nothing of its people, quotes or account', async () => {
    for (const path of [`/verify/${recordId}`, `/verify?id=${recordId}`]) {
      const { status, text, headers } = await it.visit('GET', path)
      expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
      for (const words of ['The record is intact.', ALDER.name, 'Compare with your document', 'The register today'])
        expect(text).toContain(words)
      for (const words of [account.id, 'Registered in England', resolutionId]) expect(text).not.toContain(words)
    }
    const none = await it.visit('GET', `/verify/evd_${'0'.repeat(27)}`)
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('We have no record with this address.')])
    expect((await it.visit('GET', `/verify/${'x'.repeat(80)}`)).status).toBe(404)
  })
})

describe('the documents of a bulk job', () => {
  test('come as ZIP files in parts, with an index, and can be had again', async () => {
    const domains = [publish(it.web, siteOf(ALDER)), publish(it.web, siteOf(ALDER)), 'not a domain']
    const parts: string[][] = []
    let next: string | null = `/v1/bulk/${await finishBulk(domains, account.key)}/evidence?limit=1`
    while (next !== null && parts.length < 5) {
      const response: Response = await fetchDocument(next, { method: 'POST' })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
      const file = save(`part-${parts.length}.zip`, Buffer.from(await response.arrayBuffer()))
      parts.push(
        run('python3', '-m', 'zipfile', '-l', file)
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.split(' ')[0] ?? ''),
      )
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(parts.map(([document, index]) => [document?.slice(0, 15), document?.slice(-4), index])).toEqual([
      ['00001-evidence-', '.pdf', 'index.csv'],
      ['00002-evidence-', '.pdf', 'index.csv'],
    ])
    run('python3', '-m', 'zipfile', '-e', join(folder, 'part-1.zip'), join(folder, 'part'))
    expect(readFileSync(join(folder, 'part', 'index.csv'), 'utf8')).toMatch(
      new RegExp(`2"?,"?${domains[1]}"?,"?matched"?,"?${ALDER.number}`),
    )
    expect((await check(readFileSync(join(folder, 'part', parts[1]?.[0] ?? '')))).intact).toBe(true)
  })

  test('a row whose document fails is a line of the index with its problem, and the ZIP file is whole', async () => {
    const id = await finishBulk([publish(it.web, siteOf(ALDER)), publish(it.web, siteOf(ALDER))], account.key)
    const readIndex = async (name: string) => {
      const response = await fetchDocument(`/v1/bulk/${id}/evidence`, { method: 'POST' })
      const file = save(`${name}.zip`, Buffer.from(await response.arrayBuffer()))
      run('python3', '-m', 'zipfile', '-e', file, join(folder, name))
      return readFileSync(join(folder, name, 'index.csv'), 'utf8')
        .trim()
        .split(/\r?\n/)
        .slice(1)
    }
    const busy = await withFullQueue(() => readIndex('busy'))
    expect(busy).toEqual([expect.stringContaining('Try again'), expect.stringContaining('Try again')])
    expect((await readIndex('whole')).join()).toMatch(/\.pdf/)
    await it.app.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(
        `update evidence_record set record = '{}'
         where resolution_id = (select resolution_id from bulk_row where bulk_id = $1 and row = 1)`,
        [id],
      )
    })
    const [damaged, fine] = await readIndex('damaged')
    expect([damaged, fine]).toEqual([
      expect.stringContaining('could not be made'),
      expect.stringMatching(/00002-.*\.pdf/),
    ])
  })

  test('come one ZIP file at a time for each account', async () => {
    const id = await finishBulk([publish(it.web, siteOf(ALDER))], account.key)
    authority.mood = 'hangs'
    const both = await Promise.all([1, 2].map(() => fetchDocument(`/v1/bulk/${id}/evidence`, { method: 'POST' })))
    expect(both.map(({ status }) => String(status)).sort()).toEqual(['200', '429'])
    const bodies = await Promise.all(both.map((response) => response.text()))
    expect(bodies.join('')).toContain('rate_limited')
    authority.mood = 'well'
    const again = await fetchDocument(`/v1/bulk/${id}/evidence`, { method: 'POST' })
    expect([again.status, (await again.arrayBuffer()).byteLength > 1_000]).toEqual([200, true])
  })

  test('are for the account alone, and a wrong part is refused', async () => {
    const sent = await it.call('POST', '/v1/bulk', { key: account.key, body: { domains: ['not a domain'] } })
    const other = await it.openAccount()
    const path = `/v1/bulk/${sent.body.id}/evidence`
    expect((await it.call('POST', path, { key: other.key })).status).toBe(404)
    expect((await it.call('POST', `${path}?limit=0`, { key: account.key })).status).toBe(400)
  })
})

test('the customer’s command checks a document with no network, and fails where it was changed', async () => {
  const pdf = await readDocument()
  const keys = save('keys.json', JSON.stringify(await readKeys()))
  const whole = await verifyFile(save('whole.pdf', pdf), '--keys', keys)
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('signed this very document') })
  const changed = Buffer.from(pdf)
  changed[2_000] = (changed[2_000] ?? 0) ^ 1
  const refused = await verifyFile(save('changed.pdf', changed), '--keys', keys)
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('changed after it was signed') })
})

test('a forged file does not choose the keys that it is checked with', async () => {
  const asked: string[] = []
  const forger = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{"keys":[]}')
  })
  await new Promise<void>((resolve) => forger.listen(0, '127.0.0.1', resolve))
  const { port } = forger.address() as AddressInfo
  const { body } = await it.call('GET', `/v1/evidence/${recordId}`, { key: account.key })
  const saveJson = (name: string, content: object) => save(name, JSON.stringify(content))
  const forged = saveJson('forged.json', { ...body, keys_url: `http://127.0.0.1:${port}/keys.json` })
  const refused = await verifyFile(forged)
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('names the keys of another service') })
  expect(refused.stdout).toContain('--keys-url')
  const { intact, steps } = JSON.parse((await verifyFile(forged, '--json')).stdout)
  expect([intact, steps[0]]).toMatchObject([false, { step: 'service', result: 'failed', problem: 'another_service' }])
  expect(asked).toEqual([])
  forger.close()
  const published = await readKeys()
  expect((await verifyFile(forged, '--keys', saveJson('own.json', published))).code).toBe(0)
  const other = saveJson('other.json', { ...published, issuer: 'https://other.example' })
  const found = await verifyFile(forged, '--json', '--keys', other)
  expect([found.code, JSON.parse(found.stdout).steps[0].problem]).toEqual([1, 'another_issuer'])
  expect(await verifyFile(forged, '--keys-url', 'http://keys.example/')).toMatchObject({ code: 1, stdout: '' })
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
