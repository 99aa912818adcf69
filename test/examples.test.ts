/**
 * The examples of the OpenAPI document, recorded from the service: a customer goes through the whole product, and the first
 * request and response of each operation are its example. `UPDATE=1 npx vitest run --project service test/examples.test.ts` writes
 * them to docs/examples.json, and `npm run openapi` from there to the document. Without `UPDATE=1`, another response fails.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SIMULATED_REST_KEY, SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { loadRegister } from '../rig/register-files.ts'
import { Receiver } from '../rig/web/index.ts'
import { grantCredits } from '../src/credits/index.ts'
import { startFollowing } from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { publishAuditJob } from '../src/webhooks/index.ts'
import { connectAgent, registerClient } from './setup/agent-walk.ts'
import { siteWithoutCompany } from './setup/companies.ts'
import {
  type CallOptions,
  DAY_SECONDS,
  HOUR_SECONDS,
  linkIn,
  TestClock,
  useTestService,
  verificationIn,
} from './setup/harness.ts'
import { ExampleRecorder } from './setup/record-examples.ts'

const FILE = join(import.meta.dirname, '../docs/examples.json')
const WORLD = join(import.meta.dirname, '../worlds/demo')
const clock = new TestClock(new Date('2026-11-16T09:30:00Z'))
const house = SimulatedCompaniesHouse.fromWorld(WORLD, {
  clock,
  imageDelayMs: null,
  stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 },
})
const receiver = new Receiver()
const it = useTestService({
  world: WORLD,
  sites: { 'hooks.example.com': { receiver } },
  clock,
  house,
  houseKeys: { restKey: SIMULATED_REST_KEY, streamKeys: [SIMULATED_STREAM_KEY] },
})

const ANN = { email: 'ann@example.com', password: 'correct horse battery' }
const NEW_PASSWORD = 'seven quiet copper kettles'
/** Its number is in the footer of harbourlantern.co.uk. */
const HARBOUR = '08496536'
const THORNBECK = '07796074'
/** Tall Heron is a trading name of it. */
const HERON = '06763551'
/** Behind the other sites that she asks about. */
const OTHERS = [
  '03390976',
  '06028285',
  '10153877',
  '07249028',
  '07249082',
  '09125034',
  '10487680',
  '03348553',
  'SC671517',
]

/** Reads all that the register has on the companies below, so that no response is short of what was still being fetched. */
async function readProfiles() {
  const { key } = await it.openAccount()
  for (const number of [HARBOUR, THORNBECK, HERON, ...OTHERS]) {
    const read = async () => (await it.call('GET', `/v1/companies/${number}`, { key })).body.missing
    await expect.poll(read).toEqual([])
  }
}

test('the examples of the OpenAPI document are what the service answers', async () => {
  const recorder = new ExampleRecorder(it)
  const { call } = recorder
  await loadRegister(it.app, it.config.register.bulkUrl.href)
  await readProfiles()
  const follower = startFollowing(it.app, { onApplied: async () => void (await recordQueuedChanges(it.app)) })

  // Ann signs up, follows the link in the e-mail, and signs in.
  await call('POST', '/v1/auth/signup', { body: ANN })
  await call('POST', '/v1/auth/resend-verification', { body: { email: ANN.email } })
  await call('GET', verificationIn(it.mailbox, ANN.email))
  const { body: login } = await call('POST', '/v1/auth/login', { body: ANN })
  const [token, key, testKey]: [string, string, string] = [login.token, login.api_key, login.test_api_key]
  const byKey = { key }
  const bySession = { token }
  await call('GET', '/v1/auth/me', byKey)
  await call('POST', '/v1/auth/api-key/show', {
    ...bySession,
    body: { mode: 'live', current_password: ANN.password },
  })
  await call('GET', '/v1/account/settings', byKey)
  await call('PATCH', '/v1/account/settings', { ...byKey, body: { second_reader: true } })
  await call('GET', '/v1/account/notifications', byKey)
  await call('PATCH', '/v1/account/notifications', { ...byKey, body: { daily_digest: true } })

  // She has her systems told what happens.
  const webhook = (
    await call('POST', '/v1/partner/webhooks', {
      ...byKey,
      body: { webhook_url: 'https://hooks.example.com/nameplate', signal_type: 'all' },
    })
  ).body.id
  await call('POST', `/v1/partner/webhooks/${webhook}/test`, byKey)
  const ofAnswers = { webhook_url: 'https://hooks.example.com/answers', signal_type: 'resolution_completed' }
  await call('POST', '/v1/partner/webhooks', { ...byKey, body: ofAnswers })
  await call('GET', '/v1/partner/webhooks', byKey)

  // Who is behind a web site?
  const harbour = { ...byKey, body: { domain: 'harbourlantern.co.uk' } }
  const job = (await call('POST', '/v1/resolve/domain', harbour)).body.job_id
  await call('GET', `/v1/enrich/status/${job}`, byKey)
  const resolution = (await call('POST', '/v1/resolve/domain', harbour)).body.resolution_id
  const heron = { ...byKey, body: { domain: 'tallheron.co.uk' } }
  for (const _asked of ['pending', 'completed']) await call('POST', '/v1/enrich', heron)
  const thornbeck = { ...byKey, body: { domain: 'thornbeckbakehouse.co.uk' } }
  const partnerJob = (await call('POST', '/v1/partner/enrich-company', thornbeck)).body.job_id
  await call('GET', `/v1/partner/enrich-company/${partnerJob}`, byKey)
  await call('POST', '/v1/partner/enrich-company', thornbeck)
  await call('POST', '/v1/resolve/company', { ...byKey, body: { company_number: HARBOUR } })

  await call('GET', '/v1/account/ledger?limit=3', byKey)

  // The proof, filed and shared.
  await call('GET', `/v1/resolutions/${resolution}/evidence`, byKey)
  await call('GET', `/v1/resolutions/${resolution}/archive`, byKey)
  const record = (await call('POST', `/v1/resolutions/${resolution}/evidence/record`, byKey)).body.id
  await call('POST', `/v1/resolutions/${resolution}/evidence/record`, byKey)
  await call('GET', `/v1/evidence/${record}`, byKey)
  await call('GET', '/v1/evidence/keys')
  const share = await call('POST', `/v1/resolutions/${resolution}/share-links`, { ...byKey, body: { days: 14 } })
  await call('GET', `/v1/resolutions/${resolution}/share-links`, byKey)
  await call('DELETE', `/v1/share-links/${share.body.id}`, byKey)

  // The history: a site that has changed since.
  it.web.setSite('tallheron.co.uk', siteWithoutCompany())
  clock.advance(HOUR_SECONDS)
  await call('POST', '/v1/resolve/domain', { ...byKey, body: { domain: 'tallheron.co.uk', max_age_days: 0 } })
  const [later] = (await call('GET', '/v1/resolutions?domain=tallheron', byKey)).body.data
  await call('GET', `/v1/resolutions/${resolution}`, byKey)
  await call('GET', `/v1/resolutions/${later.resolution_id}/changes`, byKey)

  // The register.
  await call('GET', '/v1/companies/search?name=harbour+lantern&limit=2', byKey)
  const profile = (await call('GET', `/v1/companies/${HARBOUR}`, byKey)).body
  await call('GET', `/v1/companies/${HERON}/group`, byKey)
  await call('GET', `/v1/companies/${HARBOUR}/filings?category=officers`, byKey)
  const [filing] = profile.filings
  await call('GET', `/v1/companies/${HARBOUR}/filings/${filing.transaction_id}/document`, byKey)
  const [, director] = profile.officers
  await call('GET', `/v1/officers/${director.officer_id}`, byKey)
  house.changes.disqualify({
    forename: 'Rachel',
    other_forenames: 'Katarzyna',
    surname: 'LLEWELLYN',
    date_of_birth: '1988-07-02',
    orders: [{ disqualified_from: '2012-04-02', disqualified_until: '2017-04-01' }],
  })
  await call('GET', `/v1/officers/${director.officer_id}/disqualifications`, byKey)

  // The watchlist, and a list of it.
  const watched = { ...byKey, body: { company_number: HARBOUR } }
  await call('POST', '/v1/watchlist', watched)
  await call('POST', '/v1/watchlist', watched)
  await call('POST', '/v1/watchlist/bulk', { ...byKey, body: { company_numbers: [HARBOUR, THORNBECK, '99999999'] } })
  await call('PUT', '/v1/watchlist', { ...byKey, body: { company_numbers: [HARBOUR, HERON] } })
  const list = (await call('POST', '/v1/watchlists', { ...byKey, body: { name: 'Suppliers' } })).body.id
  await call('PATCH', `/v1/watchlists/${list}`, { ...byKey, body: { digest: 'weekly', instant_email: 'warning' } })
  const listed = { ...byKey, body: { company_number: HARBOUR, note: 'Coffee for the office.', tags: ['renewal'] } }
  await call('POST', `/v1/watchlists/${list}/companies`, listed)
  await call('POST', `/v1/watchlists/${list}/companies`, listed)
  await call('PATCH', `/v1/watchlists/${list}/companies/${HARBOUR}`, {
    ...byKey,
    body: { note: 'Coffee for both offices.' },
  })
  await call('POST', `/v1/watchlists/${list}/import`, { ...byKey, body: { company_numbers: [THORNBECK] } })
  await call('POST', `/v1/watchlists/${list}/calendar`, byKey)
  await call('GET', `/v1/watchlists/${list}/calendar`, byKey)
  await call('DELETE', `/v1/watchlists/${list}/calendar`, byKey)

  // A director leaves, and the register's stream says so.
  const streams = async () => (await it.call('GET', '/v1/status')).body.register.streams as Array<{ followed: boolean }>
  await expect.poll(async () => (await streams()).every(({ followed }) => followed)).toBe(true)
  const [leaver] = house.findCompany(HARBOUR)?.officers ?? []
  house.changes.resignOfficer(HARBOUR, leaver?.links.self.split('/').at(-1) ?? '')
  await expect.poll(async () => (await it.call('GET', '/v1/signals/unread', byKey)).body.unread).toBe(1)
  await it.settle()
  await call('GET', '/v1/signals?severity=notice', byKey)
  await call('GET', '/v1/signals/export', byKey)
  await call('GET', '/v1/signals/unread', byKey)
  const signals = (await call('GET', `/v1/companies/${HARBOUR}/signals`, byKey)).body.data
  await call('POST', '/v1/signals/read', { ...byKey, body: { ids: [signals[0].id] } })
  await call('GET', '/v1/watchlist', byKey)
  await call('GET', '/v1/watchlists', byKey)
  await call('GET', `/v1/watchlists/${list}/companies`, byKey)
  await call('GET', `/v1/watchlists/${list}/export`, byKey)

  // What a person decides.
  for (const domain of ['sunrise-cleaning.co.uk', 'ropewalkpress.co.uk', 'aldermoor.co.uk']) {
    await call('POST', '/v1/resolve/domain', { ...byKey, body: { domain } })
  }
  const [review] = (await call('GET', '/v1/reviews?status=open&q=aldermoor', byKey)).body.data
  await call('GET', `/v1/reviews/${review.id}`, byKey)
  await call('GET', `/v1/reviews/${review.id}/similar`, byKey)
  const decision = { action: 'accept', company_number: '06028285', reviewer: 'Ann Example', reason: 'They told us.' }
  await call('POST', `/v1/reviews/${review.id}/decision`, { ...byKey, body: decision })
  await call('DELETE', `/v1/reviews/${review.id}/decision`, byKey)
  await call('POST', '/v1/reviews/decisions', {
    ...byKey,
    body: { items: [{ id: review.id, action: 'reject' }], reviewer: 'Ann Example', reason: 'A shared site.' },
  })
  await call('POST', '/v1/reviews/decisions/withdraw', { ...byKey, body: { ids: [review.id] } })

  // Many domains at once: as a list, and as a file.
  const leads = {
    name: 'Leads of November',
    domains: ['harbourlantern.co.uk', 'meadowgatecare.co.uk', 'aldermoor.co.uk', 'meadowgatecare.co.uk', 'next week'],
  }
  const bulk = (await call('POST', '/v1/bulk', { ...byKey, body: leads })).body.id
  await call('POST', '/v1/bulk?preflight=true', { ...byKey, body: leads })
  await call('GET', `/v1/bulk/${bulk}`, byKey)
  await call('GET', `/v1/bulk/${bulk}/rows?state=matched,needs_review`, byKey)
  await call('GET', `/v1/bulk/${bulk}/rows/3`, byKey)
  await call('GET', `/v1/bulk/${bulk}/results?format=csv`, byKey)
  await call('POST', `/v1/bulk/${bulk}/decisions`, {
    ...byKey,
    body: {
      rows: [{ row: 3, action: 'accept', company_number: '10153877' }],
      reason: 'The builder signs the invoices.',
    },
  })
  await call('POST', `/v1/bulk/${bulk}/evidence`, byKey)
  const file = await call('POST', '/v1/bulk/files?name=leads.csv', {
    ...byKey,
    rawBody: 'Customer,Web,Town\nVoltaneer,voltaneer.com,Leeds\nBetty,bettysborderterriers.co.uk,Hexham\n',
    headers: { 'content-type': 'text/csv' },
  })
  await call('GET', `/v1/bulk/files/${file.body.id}?header_rows=1`, byKey)
  await call('POST', '/v1/bulk', { ...byKey, body: { file_id: file.body.id, columns: { domain: 2 } } })
  const poor = await it.openAccount({ credits: 1 })
  const tooMany = { domains: ['lodestoneprecision.co.uk', 'voltaneer.com', 'glenwhin.scot'] }
  const paused = (await call('POST', '/v1/bulk', { key: poor.key, body: tooMany })).body.id
  await it.app.db.transaction((tx) =>
    grantCredits(tx, {
      accountId: poor.id,
      amountCredits: 1,
      reason: 'operator',
      reference: 'top-up',
      at: clock.now(),
    }),
  )
  await call('POST', `/v1/bulk/${paused}/resume`, { key: poor.key })
  await call('POST', `/v1/bulk/${paused}/cancel`, { key: poor.key })
  await call('GET', '/v1/bulk?limit=2', byKey)

  // An answer turns out to be wrong, and its credit comes back.
  await call('POST', `/v1/resolutions/${resolution}/dispute`, {
    ...byKey,
    body: { reason: 'The shop was sold in October.', reviewer: 'Ann Example' },
  })

  // A developer tries events out with the test key.
  const byTestKey = { key: testKey }
  await call('POST', '/v1/watchlist', { ...byTestKey, body: { company_number: 'TS000001' } })
  const listener = (await call('POST', '/v1/webhook-listeners', { ...byTestKey, body: { signal_type: 'all' } })).body.id
  await call('POST', '/v1/test/signals', {
    ...byTestKey,
    body: { signal_type: 'status_changed', company_number: 'TS000001' },
  })
  await call('POST', `/v1/webhook-listeners/${listener}/events`, {
    ...byTestKey,
    body: { received: [], wait_seconds: 20 },
  })
  await call('DELETE', `/v1/webhook-listeners/${listener}`, byTestKey)

  // An assistant connects, and asks for itself.
  const person = { ...ANN, token, key, testKey, id: login.account.account_id }
  const clientId = await registerClient(it, { client_name: 'Ledger Assistant' })
  await connectAgent(it, person, { clientId })
  const connection = (await call('GET', '/v1/connections', bySession)).body.data[0].id
  await call('PATCH', `/v1/connections/${connection}`, { ...bySession, body: { daily_credit_cap: 20 } })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } }
  const accept = 'application/json, text/event-stream'
  await call('POST', '/mcp', { ...byKey, body: message, headers: { accept } })
  await call('POST', '/mcp', { body: message, headers: { accept } })
  await call('DELETE', `/v1/connections/${connection}`, bySession)

  // What came to the receiver, and what to do when it was away.
  await call('GET', `/v1/partner/webhooks/${webhook}/deliveries`, byKey)
  await call('POST', `/v1/partner/webhooks/${webhook}/replay`, { ...byKey, body: { only: 'failed' } })
  await call('POST', `/v1/partner/webhooks/${webhook}/rotate-secret`, byKey)
  await call('POST', `/v1/partner/webhooks/${webhook}/enable`, byKey)
  const ofLog = { webhook_url: 'https://hooks.example.com/audit', signal_type: 'audit_entry' }
  await call('POST', '/v1/partner/webhooks', { ...byKey, body: ofLog })
  await it.runJob(publishAuditJob)
  await it.settle()
  for (const name of ['signal', 'resolution_completed', 'audit_entry', 'test']) {
    const sent = receiver.received.find(({ body }) => JSON.parse(body).type === name)
    if (!sent) throw new Error(`no webhook of type ${name} arrived`)
    recorder.recordWebhook(name, sent)
  }
  await call('DELETE', `/v1/partner/webhooks/${webhook}`, byKey)

  // The account: views, money, and the log of everything above.
  const view = { name: 'Names without numbers', path: '/review', query: 'doubt=named' }
  const viewId = (await call('POST', '/v1/account/views', { ...bySession, body: view })).body.id
  await call('GET', '/v1/account/views', bySession)
  await call('DELETE', `/v1/account/views/${viewId}`, bySession)
  await call('GET', '/v1/account/ledger/export', byKey)
  await call('GET', '/v1/account/usage', byKey)
  await call('GET', '/v1/account/audit?limit=3', bySession)
  await call('GET', '/v1/account/audit/export', bySession)
  await call('GET', '/healthz')
  await call('GET', '/readyz')
  await call('GET', '/v1/status')

  // What goes wrong.
  const ask = (body: object, options: CallOptions = byKey) => call('POST', '/v1/resolve/domain', { ...options, body })
  await ask({ domain: 7, max_age_days: -1 })
  await ask({ domain: 'ann@gmail.com' })
  await ask({ domain: 'meltiq.io' }, {})
  await ask({ domain: 'meltiq.io' }, { key: 'np_live_wrong' })
  await ask({ domain: 'meltiq.io' }, { key: poor.key })
  await ask({ domain: 'meltiq.io', note: 'x'.repeat(70_000) })
  await ask({ domain: 'meltiq.io' }, { ...byKey, headers: { 'content-type': 'text/plain' } })
  for (const domain of ['meltiq.io', 'lindenwerk.de']) await ask({ domain }, { ...byKey, idempotencyKey: 'lead-1204' })
  await call('POST', '/v1/resolve/company', { ...byKey, body: { company_name: 'Aldermoor' } })
  await call('GET', '/v1/resolutions/res_of_nobody', byKey)
  await call('DELETE', '/v1/auth/me', byKey)
  await call('POST', '/v1/partner/webhooks', { ...byKey, body: ofLog })
  for (let count = 0; count < 5; count += 1) await it.call('POST', '/v1/webhook-listeners', { ...byKey, body: {} })
  await call('POST', '/v1/webhook-listeners', { ...byKey, body: {} })
  await call('PUT', '/v1/watchlist', { ...byKey, body: { company_numbers: house.companyNumbers() } })
  await call('POST', '/v1/auth/signup', { body: ANN })
  await call('POST', '/v1/auth/signup', { body: { email: 'bob@example.com', password: 'password1234' } })
  await call('POST', '/v1/auth/signup', { body: { ...ANN, email: 'bob@example.com' } })
  await call('POST', '/v1/auth/login', { body: { ...ANN, email: 'bob@example.com' } })
  await call('POST', '/v1/auth/reset-password', { body: { token: 'used before', new_password: NEW_PASSWORD } })
  for (let status = 200; status !== 429; ) {
    const asked = { body: { email: 'bob@example.com' }, ip: '203.0.113.8' }
    status = (await call('POST', '/v1/auth/resend-verification', asked)).status
  }

  // She tidies up, and changes what protects the account.
  await call('DELETE', `/v1/watchlists/${list}/companies/${HARBOUR}`, byKey)
  await call('DELETE', `/v1/watchlists/${list}`, byKey)
  await call('DELETE', `/v1/watchlist/${HARBOUR}`, byKey)
  const rotated = { mode: 'live', overlap_hours: 24, current_password: ANN.password }
  await call('POST', '/v1/auth/api-key/rotate', { ...bySession, body: rotated })
  const { api_keys: keys } = (await it.call('GET', '/v1/auth/me', bySession)).body
  await call('DELETE', `/v1/auth/api-keys/${keys[0].id}`, bySession)
  const changed = { current_password: ANN.password, new_password: NEW_PASSWORD }
  await call('POST', '/v1/auth/change-password', { ...bySession, body: changed })
  // In the first day of an account a new password ends its API keys too.
  clock.advance(DAY_SECONDS)
  await call('POST', '/v1/auth/forgot-password', { body: { email: ANN.email } })
  const reset = linkIn(it.mailbox, ANN.email).searchParams.get('token')
  const resetBody = { token: reset, new_password: ANN.password, revoke_api_keys: false }
  await call('POST', '/v1/auth/reset-password', { body: resetBody })

  await follower.close()
  await it.expectBalanced()
  expect(recorder.listMissing()).toEqual([])
  const recorded = recorder.toText()
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, recorded)
  expect(JSON.parse(recorded)).toEqual(JSON.parse(readFileSync(FILE, 'utf8')))
})
