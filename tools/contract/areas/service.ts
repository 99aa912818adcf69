import {
  equals,
  expectJson,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  FILLED,
  readColumn,
  readMember,
  readText,
} from '../expectations.ts'
import type { LiveResolution } from '../live-resolutions.ts'
import { type Area, type Row, row } from '../row.ts'
import type { Stage } from '../stage.ts'
import type { DomainPath } from '../test-mode.ts'

const DOMAIN_PATHS: readonly DomainPath[] = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company']

export const SERVICE: Area = {
  title: 'What the service does',
  rows: [
    row('service-domain', 'Resolves a web domain to a UK registered company, with evidence', async ({ testMode }) => {
      const answer = expectStatus(await testMode.domain('/v1/resolve/domain', 'matched.test'), 200)
      const number = readText(answer, 'company.company_number')
      expectMember(answer, 'evidence', FILLED)
      return `matched.test is ${number}: “${readText(answer, 'evidence.0.quote')}”`
    }),
    row('service-company', 'Resolves a company number to its verified website, with evidence', async ({ testMode }) => {
      const answer = expectStatus(await testMode.company('TS000001'), 200)
      expectMember(answer, 'website.status', equals('verified'))
      expectMember(answer, 'website.evidence', FILLED)
      return `TS000001 has ${readText(answer, 'website.domain')}`
    }),
    row(
      'service-signals',
      'Exposes registry signals (changes to a company’s register record)',
      async ({ delivery }) => {
        const { history } = await delivery()
        return readText(history, 'data.0.summary')
      },
    ),
    row(
      'service-watchlist',
      'Changes to watched companies produce signals, readable by feed or pushed to registered webhook destinations',
      async ({ delivery }) => {
        const { feed, payload } = await delivery()
        const id = readMember(payload, 'data.id')
        expectThat(readColumn(feed, 'data', 'id').includes(id), `${String(id)} in the feed too`, feed.body)
        return `${String(id)} came both ways`
      },
    ),
    row('service-base', 'Base address: {base_url}', async ({ openApi, deployment }) => {
      const server = new URL(readText(await openApi(), 'servers.0.url'))
      expectThat(server.origin === deployment.baseUrl.origin, deployment.baseUrl.origin, server.origin)
      return `its own description names ${server.origin}`
    }),
    row(
      'service-site',
      'A second host, {site_url}, serves the sign-in redirect',
      async ({ visit, accounts, deployment }) => {
        const { headers } = await accounts.refusals.verificationUnknown()
        const target = new URL(headers.get('location') ?? '')
        expectThat(target.origin === deployment.siteUrl.origin, deployment.siteUrl.origin, target.origin)
        const page = expectStatus(await visit('GET', target.pathname + target.search), 200)
        expectThat((page.headers.get('content-type') ?? '').startsWith('text/html'), 'a page', page.text)
        return `verify-email leads to ${target.origin}${target.pathname}, and there is a page`
      },
    ),
    row(
      'service-site-oauth',
      'A second host, {site_url}, serves the OAuth 2.0 endpoints',
      async ({ connection, deployment }) => {
        const { server } = await connection()
        expectMember(server, 'issuer', equals(deployment.siteUrl.origin))
        return `${readText(server, 'authorization_endpoint')} and ${readText(server, 'token_endpoint')}`
      },
    ),
    row('service-json', 'All request and response bodies are JSON except the verification redirect', showJson),
    cost('matched', 'matched: One company confidently connected: 1 resolution (credit)', { spends: 1 }),
    cost('needsReview', 'needs_review: Possible companies that need human review: free', { spends: 0 }),
    cost('noMatch', 'no_match: No reliable company connection found: free', { spends: 0 }),
    cost('verified', 'verified: A company was connected to its website: 1 resolution (credit)', { spends: 1 }),
    row(
      'service-402',
      'Calls that spend credits fail with 402 when the balance is insufficient',
      async ({ testMode }) => {
        for (const path of DOMAIN_PATHS) {
          expectRefusal(await testMode.domain(path, 'no-credits.test'), 402, 'insufficient_credits')
        }
        // The profile is free; what would cost is not begun.
        const company = expectStatus(await testMode.company('TS000006'), 200)
        expectMember(company, 'website.status', equals('not_searched'))
        return 'no-credits.test with the test key; TS000006 has its profile and no search'
      },
    ),
    row('service-known', 'Known results return immediately (200)', async ({ live }) => {
      for (const { known } of Object.values(await live())) expectStatus(known, 200)
      return 'four live questions asked again'
    }),
    row('service-new', 'New work is queued and returns 202 with a way to poll', async ({ live }) => {
      const { matched, needsReview, noMatch } = await live()
      for (const { queued, finished } of [matched, needsReview, noMatch]) {
        expectStatus(queued, 202)
        expectMember(finished, 'status', equals('completed'))
      }
      return 'three live domains, polled at status_url until they were completed'
    }),
  ],
}

async function showJson({ testMode, openApi, accounts, call }: Stage): Promise<string> {
  const answers = [
    await openApi(),
    ...(await Promise.all(
      ['matched.test', 'slow.test', 'no-credits.test', 'rate-limited.test', '-'].map((domain) =>
        testMode.domain('/v1/enrich', domain),
      ),
    )),
    await accounts.refusals.forgotUnknown(),
    await call('GET', '/v1/auth/me'),
    await call('GET', '/v1/enrich/status/job_unknown'),
    await call('GET', '/healthz'),
  ]
  const statuses = new Set(answers.map((answer) => expectJson(answer).status))
  const refused = await call('POST', '/v1/enrich', {
    key: await accounts.testKey(),
    rawBody: 'domain=a.co.uk',
    headers: { 'content-type': 'text/plain' },
  })
  expectRefusal(refused, 415)
  return `answers of ${[...statuses].toSorted((one, other) => one - other).join(', ')}; a body of another type is refused`
}

/** The account's own figures before and after, and what the answer says of itself. */
function cost(outcome: keyof Awaited<ReturnType<Stage['live']>>, words: string, { spends }: { spends: 0 | 1 }): Row {
  return row(
    `cost-${outcome.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    words,
    async ({ live }) => {
      const { finished, spentCredits, known } = (await live())[outcome]
      expectOutcome(finished, outcome)
      expectMember(finished, 'charged', equals(spends === 1))
      expectThat(spentCredits === spends, `${spends} credits spent`, spentCredits)
      const again = outcome === 'verified' ? 'website.charged' : 'charged'
      expectMember(known, again, equals(false))
      return `live, ${readText(finished, 'charge_reason')}: the balance went down by ${spentCredits}; asked again, by none`
    },
  )
}

const WORDS = { matched: 'matched', needsReview: 'needs_review', noMatch: 'no_match', verified: 'verified' }

function expectOutcome(finished: LiveResolution['finished'], outcome: keyof typeof WORDS): void {
  const member = outcome === 'verified' ? 'website.status' : 'result.match_status'
  expectMember(finished, member, equals(WORDS[outcome]))
}
