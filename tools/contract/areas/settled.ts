/** What the contract leaves open and the service settles: promises that an integrator's program stands on. */
import { randomUUID } from 'node:crypto'
import type { Answer, Ask } from '../client.ts'
import {
  equals,
  expectJson,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  LIST,
  OBJECT,
  readNumber,
  readText,
  TEXT,
} from '../expectations.ts'
import { readReceived } from '../outside-world.ts'
import { type Area, row } from '../row.ts'
import { pollJob } from '../test-mode.ts'

const DOMAIN_PATHS = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company'] as const
const ASKING = [...DOMAIN_PATHS, '/v1/resolve/company']

export const SETTLED: Area = {
  title: 'Settled where the contract is silent',
  rows: [
    row('settled-credentials-first', 'Credentials come before input: 401 before 400', async ({ call }) => {
      const bodies = [...ASKING, '/v1/watchlist', '/v1/partner/webhooks', '/v1/auth/change-password']
      for (const path of bodies) expectRefusal(await call('POST', path, { rawBody: '{"broken":' }), 401)
      for (const path of ['/v1/signals?page=zero', '/v1/companies/search?page=zero', '/v1/auth/me']) {
        expectRefusal(await call('GET', path), 401)
      }
      expectRefusal(await call('DELETE', '/v1/partner/webhooks/not-an-id'), 401)
      return `${bodies.length} POSTs with half a body, 3 GETs and a DELETE without a credential`
    }),
    row('settled-company-job', 'A company job has the job shape', async ({ call, accounts }) => {
      const ask = { key: await accounts.testKey(), body: { company_number: 'TS000004' } }
      const asked = expectStatus(await call('POST', '/v1/resolve/company', ask), 200)
      const ended = await pollJob(call, readText(asked, 'website.status_url'))
      expectMember(ended, 'status', equals('completed'))
      expectMember(ended, 'input_domain', equals(null))
      expectMember(ended, 'company_number', equals('TS000004'))
      expectFlat(ended)
      expectMember(ended, 'result.company.company_number', equals('TS000004'))
      expectMember(ended, 'result.website.status', equals('verified'))
      return 'TS000004 with the test key'
    }),
    row('settled-resolution-job', 'A job leads to the same body as its 200 (resolve)', async ({ testMode }) => {
      const ended = await testMode.finished('/v1/resolve/domain')
      expectFlat(ended)
      for (const at of ['', 'result.']) {
        expectMember(ended, `${at}outcome`, equals('matched'))
        expectMember(ended, `${at}resolution_id`, TEXT)
        for (const name of ['company', 'explanation']) expectMember(ended, `${at}${name}`, OBJECT)
        for (const name of ['evidence', 'candidates', 'actions']) expectMember(ended, `${at}${name}`, LIST)
      }
      return 'slow.test with the test key, polled to its end'
    }),
    row('settled-enrichment-job', 'A job leads to the same body as its 200 (enrich)', async ({ testMode }) => {
      const ended = await testMode.finished('/v1/enrich')
      expectFlat(ended)
      for (const name of ['company', 'explanation']) expectMember(ended, name, OBJECT)
      for (const name of ['evidence', 'signals']) expectMember(ended, name, LIST)
      return 'slow.test with the test key, polled to its end'
    }),
    row('settled-wait', 'Prefer: wait answers 200 when the job ends in time', async ({ call, accounts }) => {
      const ask = { key: await accounts.testKey(), body: { domain: 'slow.test' }, headers: { prefer: 'wait=60' } }
      const answer = expectStatus(await call('POST', '/v1/resolve/domain', ask), 200)
      expectHeader(answer, 'preference-applied', 'wait=55')
      return 'slow.test in one request; a wait of 60 is shortened to 55'
    }),
    row(
      'settled-replay',
      'A repeat under its key gives the answer once the job is done',
      async ({ call, accounts }) => {
        const headers = { 'idempotency-key': randomUUID() }
        const ask = { key: await accounts.testKey(), body: { domain: 'slow.test' }, headers }
        const queued = expectStatus(await call('POST', '/v1/enrich', ask), 202)
        await pollJob(call, readText(queued, 'status_url'))
        const again = expectStatus(await call('POST', '/v1/enrich', ask), 200)
        expectMember(again, 'status', equals('completed'))
        return '202, then 200 under the same Idempotency-Key'
      },
    ),
    row('settled-session', 'Key and session are accepted alike', async ({ call, accounts }) => {
      for (const path of ASKING) {
        const wrong: Ask = { body: { domain: 'not a domain', company_number: 'not a number' } }
        expectRefusal(await call('POST', path, { ...wrong, token: await accounts.session() }), 400)
        const refused = expectRefusal(await call('POST', path, wrong), 401)
        expectHeader(refused, 'www-authenticate', 'Bearer realm="nameplate"')
      }
      return `${ASKING.length} endpoints; their 401 names what they take`
    }),
    row(
      'settled-public-job',
      'The public job address shows nothing that was typed in secret',
      async ({ call, accounts }) => {
        const key = await accounts.testKey()
        const asked = await call('POST', '/v1/enrich', { key, body: { domain: 'slow.test?token=secret#secret' } })
        const shown = await call('GET', readText(expectStatus(asked, 202), 'status_url'))
        expectMember(shown, 'input_domain', equals('slow.test'))
        expectMember(shown, 'domain', equals('slow.test'))
        return 'slow.test with a query and a fragment'
      },
    ),
    row('settled-mcp-json', '/mcp answers JSON wherever JSON is accepted', async ({ call, accounts }) => {
      const key = await accounts.testKey()
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      for (const accept of ['application/json', '*/*', 'application/json, text/event-stream']) {
        const headers = { accept, 'mcp-protocol-version': '2025-11-25' }
        expectJson(expectStatus(await call('POST', '/mcp', { key, body, headers }), 200))
      }
      return 'accepting JSON, anything, and JSON or a stream'
    }),
    row('settled-secret-once', 'A signing secret is shown once', async ({ call, accounts, deployment }) => {
      const { outsideUrl, webhookUrl } = deployment
      const address = outsideUrl ? (await readReceived(outsideUrl)).receiver_url : webhookUrl
      const token = await accounts.session()
      const body = { webhook_url: `${address}?once`, signal_type: 'charge_satisfied' }
      const ask = { token, body, headers: { 'idempotency-key': randomUUID() } }
      const first = expectStatus(await call('POST', '/v1/partner/webhooks', ask), 201)
      const again = await call('POST', '/v1/partner/webhooks', ask)
      await call('DELETE', `/v1/partner/webhooks/${readNumber(first, 'id')}`, { token })
      expectMember(first, 'secret', TEXT)
      expectMember(expectStatus(again, 201), 'secret', equals(null))
      return 'registered twice under one Idempotency-Key'
    }),
    row('settled-402-credits', '402 says how many credits are left', async ({ testMode }) => {
      for (const path of DOMAIN_PATHS) {
        const refused = expectRefusal(await testMode.domain(path, 'no-credits.test'), 402)
        const left = refused.headers.get('credits-remaining')
        expectThat(left !== null && /^\d+$/.test(left), 'Credits-Remaining on a 402', left)
      }
      return 'no-credits.test with the test key'
    }),
    row('settled-platform', 'The bare domain of a marketplace is a domain', async ({ call, accounts }) => {
      const preflight = { key: await accounts.key(), body: { domains: ['ebay.co.uk', 'ebay.co.uk/usr/acme'] } }
      const answer = expectStatus(await call('POST', '/v1/bulk?preflight=true', preflight), 200)
      expectMember(answer, 'invalid', equals(1))
      return 'of ebay.co.uk and a page below it one is refused, asked by a preflight'
    }),
  ],
}

/** What the contract requires of every completed job. */
function expectFlat(answer: Answer): void {
  for (const name of ['charge_reason', 'result.match_status']) expectMember(answer, name, TEXT)
  for (const name of ['result.recent_resignations', 'result.review_candidates']) expectMember(answer, name, LIST)
}

function expectHeader(answer: Answer, name: string, wanted: string): void {
  const value = answer.headers.get(name)
  expectThat(value === wanted, `${name}: ${wanted} from ${answer.asked}`, value)
}
