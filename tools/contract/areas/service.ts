/** The service as a whole: what it does, its probes and its versions. */
import { callAgent } from '../agent.ts'
import {
  expectAnswer,
  expectJson,
  expectMember,
  expectRefusal,
  expectThat,
  readList,
  readPath,
  readText,
} from '../expectations.ts'
import { expectCost } from '../resolutions.ts'
import { area, ask, DOMAIN_PATHS, from, gives, live, type Rows, refuses, row, tested, testedCompany } from '../row.ts'
import { type Stage } from '../stage.ts'
import * as is from '../values.ts'
import { FORGOT_UNKNOWN, HEALTH, initialized, OPENAPI, UNKNOWN_JOB, VERIFICATION_UNKNOWN } from './sources.ts'

const OUTCOMES = {
  matched: ['cost-matched', 'result.match_status', 'matched'],
  needsReview: ['cost-needs-review', 'result.match_status', 'needs_review'],
  noMatch: ['cost-no-match', 'result.match_status', 'no_match'],
  verified: ['cost-verified', 'website.status', 'verified'],
} as const

export const SERVICE = area('What the service does', {
  'service-domain: Resolves a web domain to a UK registered company, with evidence': [
    gives(tested('/v1/resolve/domain', 'matched.test'), 200, {
      'company.company_number, evidence.0.quote': is.shown,
      evidence: is.filled,
    }),
  ],
  'service-company: Resolves a company number to its verified website, with evidence': [
    gives(testedCompany('TS000001'), 200, {
      'website.status': 'verified',
      'website.domain': is.shown,
      'website.evidence': is.filled,
    }),
  ],
  'service-signals: Exposes registry signals (changes to a company’s register record)': [
    gives(from('delivery', 'history'), 200, { 'data.0.summary': is.shown }),
  ],
  'service-watchlist: Changes to watched companies produce signals, readable by feed or pushed to registered webhook destinations':
    gives(from('delivery', 'feed'), 200, async ({ steps }) => {
      return { 'data.*.id': is.including(readPath((await steps.delivery()).payload, 'data.id')) }
    }),
  'service-base: Base address: {base_url}': [
    gives(OPENAPI, 200, ({ deployment }) => ({ 'servers.0.url': is.inOrigin(deployment.baseUrl) })),
  ],
  'service-site: A second host, {site_url}, serves the sign-in redirect': async (stage) => {
    const answer = await VERIFICATION_UNKNOWN(stage)
    const target = new URL(String(expectMember(answer, '@location', is.inOrigin(stage.deployment.siteUrl))))
    const page = await stage.visit('GET', target.pathname + target.search)
    expectMember(page, '@content-type', is.matching(/^text\/html/, 'a page'))
    expectThat(page.status === 200, 'a page', page.status)
    return `verify-email leads to ${target.origin}${target.pathname}, and there is a page`
  },
  'service-site-oauth: A second host, {site_url}, serves the OAuth 2.0 endpoints': [
    gives(from('connection', 'server'), 200, ({ deployment }) => ({
      issuer: deployment.siteUrl.origin,
      'authorization_endpoint, token_endpoint': is.shown,
    })),
  ],
  'service-json: All request and response bodies are JSON except the verification redirect': showJson,
  ...cost('matched', 'matched: One company confidently connected: 1 resolution (credit)', 1),
  ...cost('needsReview', 'needs_review: Possible companies that need human review: free', 0),
  ...cost('noMatch', 'no_match: No reliable company connection found: free', 0),
  ...cost('verified', 'verified: A company was connected to its website: 1 resolution (credit)', 1),
  'service-402: Calls that spend credits fail with 402 when the balance is insufficient': [
    ...DOMAIN_PATHS.map((path) => refuses(tested(path, 'no-credits.test'), 402, 'insufficient_credits')),
    // The profile is free; the search would cost a credit and does not begin.
    gives(testedCompany('TS000006'), 200, { 'website.status': 'not_searched' }),
  ],
  'service-known: Known results return immediately (200)': (
    ['matched', 'needsReview', 'noMatch', 'verified'] as const
  ).map((outcome) => gives(live(outcome, 'known'), 200)),
  'service-new: New work is queued and returns 202 with a way to poll': (
    ['matched', 'needsReview', 'noMatch'] as const
  ).flatMap((outcome) => [
    gives(live(outcome, 'queued'), 202),
    gives(live(outcome, 'finished'), 200, { status: 'completed' }),
  ]),
})

async function showJson(stage: Stage): Promise<string> {
  const domains = ['matched.test', 'slow.test', 'no-credits.test', 'rate-limited.test', '-']
  const shared = [OPENAPI, FORGOT_UNKNOWN, UNKNOWN_JOB, HEALTH, ...domains.map((each) => tested('/v1/enrich', each))]
  const answers = await Promise.all(shared.map((source) => source(stage)))
  answers.push(await stage.call('GET', '/v1/auth/me'))
  const statuses = new Set(answers.map((answer) => expectJson(answer).status))
  const text = { body: 'domain=a.co.uk', headers: { 'content-type': 'text/plain' } }
  expectRefusal(await stage.call('POST', '/v1/enrich', { ...(await stage.as('testKey')), ...text }), 415)
  return `answers of ${[...statuses].toSorted((one, other) => one - other).join(', ')}; a body of another type is refused`
}

function cost(outcome: keyof typeof OUTCOMES, words: string, credits: 0 | 1): Rows {
  const [id, member, value] = OUTCOMES[outcome]
  return row(id, words, async ({ steps }) => {
    const resolution = (await steps.live())[outcome]
    expectMember(resolution.finished, member, value)
    expectMember(resolution.known, outcome === 'verified' ? 'website.charged' : 'charged', false)
    return `${expectCost(resolution, credits)}; asked again, by none (${readText(resolution.finished, member)})`
  })
}

export const OPERATIONS_AGENTS = area('Operations and agents', {
  'healthz-200: GET /healthz → 200 healthy': gives(HEALTH, 200, { status: 'healthy', version: is.shown }),
  'healthz-503: GET /healthz → 503 degraded (the probe includes database reachability)': [
    gives(from('degradation', 'before'), 200, { 'checks.database': 'ok' }),
    gives(from('degradation', 'after'), 503, { status: 'degraded', 'checks.database': 'failed' }),
  ],
  'mcp-200-key: POST /mcp (K), JSON-RPC → 200 JSON-RPC response': [
    gives(initialized('testKey'), 200, { jsonrpc: '2.0', 'result.serverInfo.name': is.shown }),
    async ({ call, as }) => {
      const tools = await callAgent(call, await as('testKey'), 'tools/list')
      expectAnswer(tools, 200, { 'result.tools': is.filled })
      return `tools: ${readList(tools, 'result.tools.*.name').join(', ')}`
    },
  ],
  'mcp-200-oauth: POST /mcp (OAuth bearer with scope service:mcp), JSON-RPC → 200 JSON-RPC response': [
    gives(from('connection', 'account'), 200, { jsonrpc: '2.0', 'result.isError': is.not(is.equals(true)) }),
  ],
})

/** Probes, and MCP, whose protocol has versions of its own. */
const UNVERSIONED = /^\/(healthz|readyz|mcp)$/

export const VERSIONING = area('Versioning', {
  'version-prefix: Business endpoints carry the major version in the path prefix /v1': [
    async (stage) => {
      const paths = Object.keys(expectMember(await OPENAPI(stage), 'paths', is.object) as object)
      const others = paths.filter((path) => !path.startsWith('/v1/') && !UNVERSIONED.test(path))
      expectThat(others.length === 0, 'every path under /v1', others)
      return `${paths.filter((path) => path.startsWith('/v1/')).length} paths`
    },
    ...['/auth/me', '/watchlist', '/companies/search'].map((path) => refuses(ask(`GET ${path}`), 404)),
  ],
  'version-healthz: The health probe is unversioned (/healthz)': [
    gives(HEALTH, 200),
    refuses(ask('GET /v1/healthz'), 404),
  ],
  'version-mcp: The agent endpoint is unversioned (/mcp)': [
    gives(ask('POST /mcp', undefined, {}), 401),
    refuses(ask('POST /v1/mcp', undefined, {}), 404),
  ],
  'version-interface: The description of the interface is at version 1.0.0': [
    gives(OPENAPI, 200, { 'info.version': '1.0.0', openapi: is.shown }),
  ],
})
