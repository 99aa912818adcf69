/** A filed document, fetched from the register when a customer asks for it: what is sent, and what is never sent. */
import { text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { SIMULATED_REST_KEY, SimulatedCompaniesHouse, STORAGE_HOST } from '../rig/companies-house/index.ts'
import { openDocument } from '../src/register/index.ts'
import { readDetailsFor } from '../src/resolution/index.ts'
import { ACORN } from './setup/acorn.ts'
import { createPlainCall, prepare, startTestService, useTestService } from './setup/harness.ts'

const PRIVATE_HOST = 'inside.filed-documents.co.uk'
const FOREIGN_HOST = 'elsewhere.co.uk'
const house = SimulatedCompaniesHouse.fromCompanies([ACORN], { imageDelayMs: null })
const it = useTestService({
  house,
  sites: {
    [PRIVATE_HOST]: { addresses: ['10.0.0.7'] },
    [FOREIGN_HOST]: { pages: { '/': '%PDF-1.4 not of the register' }, headers: { 'content-type': 'application/pdf' } },
  },
})
const reader = prepare(() => it.openAccount())
const filings = prepare(async () => {
  const { body } = await it.call('GET', `/v1/companies/${ACORN.number}`, { key: reader.key })
  return body.filings as Array<{ transaction_id: string; type: string; date: string; document_url: string }>
})
beforeEach(() => {
  house.faults.clear()
  house.documents.leadsTo = null
  // What an earlier test spent of the budget, or a refusal that pauses it, leaves the window.
  it.clock.advance(400)
})

const pathOf = (id = filings[0]?.transaction_id ?? '', number = ACORN.number) =>
  `/v1/companies/${number}/filings/${id}/document`
const read = (path = pathOf(), key = reader.key) => it.call('GET', path, { key })
const publicUrl = () => filings[0]?.document_url ?? 'none'

test('the document comes as a PDF with a name, and no cache and no script has a part in it', async () => {
  const [filing] = filings
  const { status, headers, text: body } = await read()
  expect(status).toBe(200)
  expect(body).toMatch(/^%PDF-1\.4[^]*%%EOF\n$/)
  expect(body).toContain(`${ACORN.number} ${filing?.type} ${filing?.date}`)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(body.length),
    'content-disposition': `attachment; filename="${ACORN.number}-${filing?.type}-${filing?.date}.pdf"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
  const session = await it.call('GET', pathOf(), { token: reader.token })
  expect(session.text).toBe(body)
})

test('the register’s key never reaches the storage, and the storage’s address never reaches the log', async () => {
  house.documents.storageHeaders.length = 0
  await read()
  const [sent] = house.documents.storageHeaders
  expect(house.documents.storageHeaders).toHaveLength(1)
  expect(Object.keys(sent ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  expect(JSON.stringify(sent)).not.toContain(Buffer.from(`${SIMULATED_REST_KEY}:`).toString('base64'))
  expect(it.logText()).not.toContain('X-Amz')
})

test('a storage that asks for credentials gets none', async () => {
  house.documents.storageHeaders.length = 0
  house.documents.leadsTo = `https://user:secret@${STORAGE_HOST}/docs/x/application-pdf?`
  expect((await read()).status).toBe(503)
  house.documents.leadsTo = `https://${STORAGE_HOST}/docs/x/application-pdf?api_key=wanted`
  expect((await read()).status).toBe(503)
  expect(house.documents.storageHeaders.filter((headers) => headers.authorization)).toEqual([])
})

test.each([
  ['a private address', `https://${PRIVATE_HOST}/`],
  ['a literal address inside our network', 'https://127.0.0.1/'],
  ['the addresses of clouds', 'http://169.254.169.254/latest/meta-data'],
  ['another host than the storage', `https://${FOREIGN_HOST}/`],
  ['a host whose name only ends like the storage', `https://not${STORAGE_HOST}/`],
  ['a connection in clear', `http://${STORAGE_HOST}/docs/x/application-pdf?`],
  ['another port', `https://${STORAGE_HOST}:8443/docs/x/application-pdf?`],
  ['a file', 'file:///etc/passwd'],
])('%s that the register leads to is not called', async (_, address) => {
  house.documents.leadsTo = address
  const before = it.web.stats.requests
  const { status, body } = await read()
  expect(status).toBe(503)
  expect(body.detail).toContain(publicUrl())
  expect(it.web.stats.requests).toBe(before)
})

test('a filing that is not there, or whose document is not published, is not found', async () => {
  const unknown = await read(pathOf('MzQwNTE2Nzg5MGFkaXF6a2N4'))
  expect(unknown.status).toBe(404)
  expect(unknown.body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('no such filing') })
  expect((await read(pathOf(undefined, '09999999'))).status).toBe(404)
  expect((await read(pathOf(undefined, 'not a number'))).status).toBe(400)
  house.faults.document.set({ answer404: { next: 1 } })
  const late = await read()
  expect(late.status).toBe(404)
  expect(late.body.detail).toContain('has not published this document yet: recent filings take up to 5 days')
  await it.app.db.query(
    `update company_item set data = data #- '{links,document_metadata}' where kind = 'filing' and item_id = $1`,
    [filings[1]?.transaction_id],
  )
  expect((await read(pathOf(filings[1]?.transaction_id))).body.detail).toContain('up to 5 days')
})

test('the test companies have no documents', async () => {
  expect((await read(pathOf('x', 'TS000001'), reader.testKey)).body.code).toBe('not_found')
  expect((await read(pathOf(), reader.testKey)).body.code).toBe('company_not_found')
})

test('after a refusal no process asks the document host before the register’s time, and REST goes on', async () => {
  house.faults.document.set({ answer429: { next: 1 } })
  const refused = await read()
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({ code: 'unavailable', retryable: true })
  expect(refused.body.detail).toContain(publicUrl())
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  const asked = house.stats.document.total
  expect((await read()).status).toBe(503)
  expect(house.stats.document.total).toBe(asked)
  const [paused] = await it.app.db.query<{ rest: boolean; documents: boolean }>(
    `select rest.paused_until > $1 as rest, documents.paused_until > $1 as documents
     from register_rest_budget as rest, register_document_budget as documents`,
    [it.clock.now()],
  )
  expect(paused).toEqual({ rest: false, documents: true })
})

test('one account cannot use up the documents of all', async () => {
  const greedy = await it.openAccount()
  // Others and this account have taken half the window; its own share is gone.
  await it.app.db.query('update register_document_budget set slot = $1, granted[65] = 300', [
    Math.floor(it.clock.now().getTime() / 5_000),
  ])
  await it.app.db.query(
    `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')
     on conflict (key) do update set tokens = 0, taken = 0, updated_at = excluded.updated_at`,
    [`register-documents:${greedy.id}`],
  )
  expect((await read(pathOf(), greedy.key)).status).toBe(503)
  expect((await read()).status).toBe(200)
})

test.each(['answer500', 'answer503', 'noLocation', 'storageHtml', 'storageFalsePdf'] as const)(
  'trouble outside (%s) is said in plain words, with the way to the document',
  async (fault) => {
    house.faults.document.set({ [fault]: { next: 9 } })
    const { status, body, headers } = await read()
    expect(status).toBe(503)
    expect(body.detail).toMatch(/^The register does not send this document at this moment\./)
    expect(body.detail).toContain(publicUrl())
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  },
)

test.each(['storageEndless', 'storageBreaks'] as const)(
  'a document that has no end or only a beginning (%s) is never passed on as a whole one',
  async (fault) => {
    house.faults.document.set({ [fault]: { next: 1 } })
    await expect(read()).rejects.toThrow()
    expect((await read()).status).toBe(200)
  },
)

const openWithin = async (limits: { beginMs: number; totalMs: number }) => {
  const requester = { accountId: reader.id, mode: 'live' } as const
  const details = await readDetailsFor(it.app, requester, ACORN.number, 1_000)
  const filing = details.filings.items?.find(({ transaction_id: id }) => id === filings[0]?.transaction_id)
  const wanted = { companyNumber: ACORN.number, filing, accountId: reader.id }
  return openDocument(it.app, wanted, { bytesMax: 1_000_000, ...limits })
}

test('a storage that says nothing is given up, and one that stops in the middle ends the document', async () => {
  house.faults.document.set({ storageSilent: { next: 1 } })
  expect(await openWithin({ beginMs: 50, totalMs: 60_000 })).toMatchObject({ kind: 'elsewhere', why: 'unavailable' })
  // A request that is given up early may never have reached the storage.
  house.faults.clear()
  house.faults.document.set({ storageStalls: { next: 1 } })
  const begun = await openWithin({ beginMs: 30_000, totalMs: 6_000 })
  if (begun.kind !== 'opened') throw new Error('it has begun')
  await expect(text(begun.body)).rejects.toThrow('timeout')
})

test('a caller who hangs up ends the connection to the storage too', async () => {
  house.faults.document.set({ storageStalls: { next: 1 } })
  const hangUp = new AbortController()
  const asked = it.call('GET', pathOf(), { key: reader.key, signal: hangUp.signal })
  await expect.poll(() => it.web.stats.underWayAt(STORAGE_HOST)).toBe(1)
  hangUp.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => it.web.stats.underWayAt(STORAGE_HOST)).toBe(0)
})

test('nothing of a document is stored', async () => {
  expect((await read()).text).toContain('endstream')
  const tables = await it.app.db.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const found = await it.app.db.query(`select from ${name} as stored where stored::text like '%endstream%' limit 1`)
    expect(found, name).toEqual([])
  }
})

test('a person who is signed in opens it from the console; others sign in first', async () => {
  const path = `/filings/${ACORN.number}/${filings[0]?.transaction_id}`
  const browser = { accept: 'text/html,application/xhtml+xml' }
  const led = await it.call('GET', pathOf(), { headers: browser })
  expect([led.status, led.headers.get('location')]).toEqual([302, new URL(path, it.config.siteUrl).href])
  const stranger = await it.visit('GET', path, { headers: browser })
  expect([stranger.status, stranger.headers.get('location')]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(path)}`,
  ])
  const headers = { ...browser, cookie: `session=${reader.token}` }
  const shown = await it.visit('GET', path, { headers })
  expect(shown.status).toBe(200)
  expect(shown.text).toMatch(/^%PDF-/)
  expect(shown.headers.get('content-disposition')).toMatch(/^inline; filename="01234567-/)
  const unknown = await it.visit('GET', `/filings/${ACORN.number}/x`, { headers })
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('no such filing')])
  expect((await it.visit('GET', '/filings/nonsense/x', { headers })).status).toBe(404)
  house.faults.document.set({ answer503: { next: 9 } })
  const busy = await it.visit('GET', path, { headers })
  expect([busy.status, busy.headers.get('location')]).toEqual([302, publicUrl()])
})

test('without a key of the register the message names the public address, and the console leads there', async () => {
  await using own = await startTestService({ house: SimulatedCompaniesHouse.fromCompanies([ACORN]) })
  const account = await own.openAccount()
  const call = createPlainCall(own.config.baseUrl)
  const profile = await call('GET', `/v1/companies/${ACORN.number}`, { key: account.key })
  const [filing] = profile.body.filings
  own.config.register.restKey = null
  const { status, body, headers } = await call('GET', pathOf(filing.transaction_id), { key: account.key })
  expect([status, headers.get('retry-after')]).toEqual([503, '3600'])
  expect(body.detail).toBe(
    `This service has no access to the register’s documents. Open it on the register’s own site: ${filing.document_url}`,
  )
  const cookie = `session=${account.token}`
  const led = await own.visit('GET', `/filings/${ACORN.number}/${filing.transaction_id}`, { headers: { cookie } })
  expect([led.status, led.headers.get('location')]).toEqual([302, filing.document_url])
})
