/** Promises where the contract is silent: an integrator's program relies on them. */
import { randomUUID } from 'node:crypto'
import { expectAnswer, expectJson, expectStatus, type Members, readNumber, readText } from '../expectations.ts'
import { pollJob } from '../resolutions.ts'
import { area, ask, DOMAIN_PATHS, finished, gives, refuses, tested } from '../row.ts'
import type { Stage } from '../stage.ts'
import * as is from '../values.ts'
import { findReceiver } from '../webhooks.ts'

const ASKING = [...DOMAIN_PATHS, '/v1/resolve/company']

/** The contract requires this of every completed job. */
const FLAT: Members = {
  'charge_reason, result.match_status': is.text,
  'result.recent_resignations, result.review_candidates': is.list,
}

const slow = async ({ as }: Stage, headers: Record<string, string>, domain = 'slow.test') => {
  return { ...(await as('testKey')), body: { domain }, headers }
}

export const SETTLED = area('Settled where the contract is silent', {
  'settled-credentials-first: Credentials come before input: 401 before 400': [
    ...[...ASKING, '/v1/watchlist', '/v1/partner/webhooks', '/v1/auth/change-password'].map((path) =>
      refuses(ask(`POST ${path}`, undefined, '{"broken":'), 401),
    ),
    ...['/v1/signals?page=zero', '/v1/companies/search?page=zero', '/v1/auth/me'].map((path) =>
      refuses(ask(`GET ${path}`), 401),
    ),
    refuses(ask('DELETE /v1/partner/webhooks/not-an-id'), 401),
  ],
  'settled-company-job: A company job has the job shape': async ({ call, as }) => {
    const body = { company_number: 'TS000004' }
    const asked = expectStatus(await call('POST', '/v1/resolve/company', { ...(await as('testKey')), body }), 200)
    return expectAnswer(await pollJob(call, readText(asked, 'website.status_url')), 200, {
      status: 'completed',
      input_domain: null,
      'company_number, result.company.company_number': 'TS000004',
      'result.website.status': 'verified',
      ...FLAT,
    })
  },
  'settled-resolution-job: A job leads to the same body as its 200 (resolve)': [
    gives(finished('/v1/resolve/domain'), 200, {
      'outcome, result.outcome': 'matched',
      'resolution_id, result.resolution_id': is.text,
      'company, explanation, result.company, result.explanation': is.object,
      'evidence, candidates, actions, result.evidence, result.candidates, result.actions': is.list,
      ...FLAT,
    }),
  ],
  'settled-enrichment-job: A job leads to the same body as its 200 (enrich)': [
    gives(finished('/v1/enrich'), 200, { 'company, explanation': is.object, 'evidence, signals': is.list, ...FLAT }),
  ],
  // A wait of 60 s is shortened.
  'settled-wait: Prefer: wait answers 200 when the job ends in time': async (stage) => {
    const answer = await stage.call('POST', '/v1/resolve/domain', await slow(stage, { prefer: 'wait=60' }))
    return expectAnswer(answer, 200, { '@preference-applied': 'wait=55' })
  },
  'settled-replay: A repeat under its key gives the answer once the job is done': async (stage) => {
    const request = await slow(stage, { 'idempotency-key': randomUUID() })
    const queued = expectStatus(await stage.call('POST', '/v1/enrich', request), 202)
    await pollJob(stage.call, readText(queued, 'status_url'))
    return expectAnswer(await stage.call('POST', '/v1/enrich', request), 200, { status: 'completed' })
  },
  'settled-session: Key and session are accepted alike': ASKING.flatMap((path) => {
    const wrong = { domain: 'not a domain', company_number: 'not a number' }
    const stranger = ask(`POST ${path}`, undefined, wrong)
    return [
      refuses(ask(`POST ${path}`, 'token', wrong), 400),
      refuses(stranger, 401),
      gives(stranger, 401, { '@www-authenticate': 'Bearer realm="nameplate"' }),
    ]
  }),
  'settled-public-job: The public job address shows nothing that was typed in secret': async (stage) => {
    const request = await slow(stage, {}, 'slow.test?token=secret#secret')
    const asked = expectStatus(await stage.call('POST', '/v1/enrich', request), 202)
    const shown = await stage.call('GET', readText(asked, 'status_url'))
    return expectAnswer(shown, 200, { 'input_domain, domain': 'slow.test' })
  },
  'settled-mcp-json: /mcp answers JSON wherever JSON is accepted': async ({ call, as }) => {
    const sender = await as('testKey')
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    for (const accept of ['application/json', '*/*', 'application/json, text/event-stream']) {
      const headers = { accept, 'mcp-protocol-version': '2025-11-25' }
      expectJson(expectStatus(await call('POST', '/mcp', { ...sender, body, headers }), 200))
    }
    return 'accepting JSON, anything, and JSON or a stream'
  },
  'settled-secret-once: A signing secret is shown once': async ({ call, as, deployment }) => {
    const sender = await as('token')
    const body = { webhook_url: `${await findReceiver(deployment)}?once`, signal_type: 'charge_satisfied' }
    const request = { ...sender, body, headers: { 'idempotency-key': randomUUID() } }
    const first = expectStatus(await call('POST', '/v1/partner/webhooks', request), 201)
    const again = await call('POST', '/v1/partner/webhooks', request)
    await call('DELETE', `/v1/partner/webhooks/${readNumber(first, 'id')}`, sender)
    expectAnswer(first, 201, { secret: is.text })
    return `registered twice under one Idempotency-Key; ${expectAnswer(again, 201, { secret: null })}`
  },
  'settled-402-credits: 402 says how many credits are left': DOMAIN_PATHS.flatMap((path) => [
    refuses(tested(path, 'no-credits.test'), 402),
    gives(tested(path, 'no-credits.test'), 402, { '@credits-remaining': is.matching(/^\d+$/, 'a number') }),
  ]),
  'settled-platform: The bare domain of a marketplace is a domain': [
    gives(ask('POST /v1/bulk?preflight=true', 'key', { domains: ['ebay.co.uk', 'ebay.co.uk/usr/acme'] }), 200, {
      invalid: 1,
    }),
  ],
})
