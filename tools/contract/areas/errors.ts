import type { Answer } from '../client.ts'
import { equals, expectMember, expectRefusal, expectStatus, readText } from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import type { Stage } from '../stage.ts'
import { NO_COMPANY } from '../watching.ts'

const PARTNER = '/v1/partner/enrich-company'

export const ERRORS: Area = {
  title: 'Errors',
  rows: [
    refusal(400, 'invalid request (/v1/enrich)', async ({ call, accounts }) =>
      call('POST', '/v1/enrich', { key: await accounts.testKey(), body: {} }),
    ),
    refusal(400, 'invalid domain (partner enrichment)', ({ testMode }) => testMode.domain(PARTNER, 'localhost')),
    refusal(400, 'invalid or expired token (reset-password)', ({ accounts }) => accounts.refusals.resetUnknown()),
    refusal(401, 'missing credentials', ({ call }) => call('GET', '/v1/watchlist')),
    refusal(401, 'invalid credentials', ({ call }) => call('GET', '/v1/watchlist', { token: 'a.b.c' })),
    refusal(401, 'login with wrong credentials', ({ accounts }) => accounts.refusals.loginWrong()),
    refusal(
      401,
      'login with unverified email',
      async ({ accounts }) => (await accounts.registration()).loginUnverified,
    ),
    refusal(401, 'wrong current password on change-password', ({ accounts }) => accounts.refusals.changeWrong()),
    refusal(402, 'no credits (enrichment)', ({ testMode }) => testMode.domain('/v1/enrich', 'no-credits.test')),
    refusal(402, 'no credits (partner enrichment)', ({ testMode }) => testMode.domain(PARTNER, 'no-credits.test')),
    refusal(402, 'watchlist limit reached (POST /v1/watchlist)', async ({ overfull }) => (await overfull()).answer),
    refusal(404, 'job not found (status)', ({ call }) => call('GET', '/v1/enrich/status/job_unknown')),
    refusal(404, 'partner job not owned by the caller’s account', async ({ call, passwords, testMode }) => {
      const { body } = await testMode.domain(PARTNER, 'slow.test')
      const testKey = readText((await passwords()).loginAfterReset, 'test_api_key')
      return call('GET', `${PARTNER}/${(body as { job_id: string }).job_id}`, { key: testKey })
    }),
    refusal(404, 'company not found (resolve company)', ({ testMode }) => testMode.company(NO_COMPANY)),
    refusal(404, 'company not found (watch)', async ({ call, accounts }) =>
      call('POST', '/v1/watchlist', { key: await accounts.testKey(), body: { company_number: NO_COMPANY } }),
    ),
    refusal(404, 'company not found (company signals)', async ({ call, accounts }) =>
      call('GET', `/v1/companies/${NO_COMPANY}/signals`, { key: await accounts.key() }),
    ),
    refusal(409, 'sign-up for an account that already exists', ({ accounts }) => accounts.refusals.signupAgain()),
    refusal(429, 'rate limited (partner enrichment)', ({ testMode }) => testMode.domain(PARTNER, 'rate-limited.test')),
    row('error-503-health-probe-degraded', '503 health probe degraded', async ({ degradation }) => {
      expectMember(expectStatus((await degradation()).after, 503), 'status', equals('degraded'))
      return 'a second process whose database was taken away'
    }),
  ],
}

/** The status, and a body that explains it. */
function refusal(status: number, condition: string, bringAbout: (stage: Stage) => Promise<Answer>): Row {
  const id = `error-${status}-${condition
    .toLowerCase()
    .replaceAll(/\(|\)|’/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')}`
  return row(id, `${status} ${condition}`, async (stage) => {
    const answer = expectRefusal(await bringAbout(stage), status)
    return `${answer.asked}: ${(answer.body as { code: string }).code}`
  })
}
