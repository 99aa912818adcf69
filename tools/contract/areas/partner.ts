import { equals, expectMember, expectRefusal, expectStatus, oneOf, readText } from '../expectations.ts'
import { type Area, row } from '../row.ts'

const PATH = '/v1/partner/enrich-company'
const ENRICH = `POST ${PATH}`
const JOB = `GET ${PATH}/{job_id}`
const WITH_TEST_KEY = 'with the test key'

export const PARTNER: Area = {
  title: 'Partner flat enrichment',
  rows: [
    row('partner-200', `${ENRICH} → 200 completed response`, async ({ testMode }) => {
      expectMember(expectStatus(await testMode.domain(PATH, 'matched.test'), 200), 'status', equals('completed'))
      return `matched.test ${WITH_TEST_KEY}`
    }),
    row('partner-202', `${ENRICH} → 202 pending job response (fresh resolution queued)`, async ({ testMode }) => {
      const answer = expectStatus(await testMode.domain(PATH, 'slow.test'), 202)
      return `slow.test ${WITH_TEST_KEY}: ${readText(answer, 'job_id')}`
    }),
    row('partner-400', `${ENRICH} → 400 invalid domain`, async ({ testMode, call, accounts }) => {
      expectRefusal(await testMode.domain(PATH, 'localhost'), 400, 'invalid_domain')
      const key = await accounts.key()
      for (const domain of ['localhost', '192.0.2.1', 'co.uk', 'ann@gmail.com']) {
        expectRefusal(await call('POST', PATH, { key, body: { domain } }), 400, 'invalid_domain')
      }
      return 'a name that is not public, an address, a public suffix and a mail service, with the live key'
    }),
    row('partner-401', `${ENRICH} → 401`, async ({ call }) => {
      expectRefusal(await call('POST', PATH, { body: { domain: 'matched.test' } }), 401)
      return 'without a key'
    }),
    row('partner-402', `${ENRICH} → 402 no credits`, async ({ testMode }) => {
      expectRefusal(await testMode.domain(PATH, 'no-credits.test'), 402, 'insufficient_credits')
      return `no-credits.test ${WITH_TEST_KEY}`
    }),
    row('partner-429', `${ENRICH} → 429 rate limited`, async ({ testMode }) => {
      const answer = expectRefusal(await testMode.domain(PATH, 'rate-limited.test'), 429, 'rate_limited')
      return `rate-limited.test ${WITH_TEST_KEY}; Retry-After ${answer.headers.get('retry-after')}`
    }),
    row('partner-job-200-pending', `${JOB} → 200 pending job response`, async ({ call, accounts }) => {
      const key = await accounts.testKey()
      const queued = expectStatus(await call('POST', PATH, { key, body: { domain: 'slow.test' } }), 202)
      const answer = expectStatus(await call('GET', `${PATH}/${readText(queued, 'job_id')}`, { key }), 200)
      expectMember(answer, 'status', oneOf('pending', 'processing'))
      return `slow.test ${WITH_TEST_KEY}, at once`
    }),
    row('partner-job-200-completed', `${JOB} → 200 completed response`, async ({ testMode }) => {
      expectMember(await testMode.finished(PATH), 'status', equals('completed'))
      return `slow.test ${WITH_TEST_KEY}, some seconds later`
    }),
    row('partner-job-401', `${JOB} → 401`, async ({ call }) => {
      expectRefusal(await call('GET', `${PATH}/job_unknown`), 401)
      return 'without a key'
    }),
    row('partner-job-404', `${JOB} → 404 job not found for this account`, async ({ call, accounts }) => {
      expectRefusal(await call('GET', `${PATH}/job_unknown`, { key: await accounts.key() }), 404, 'not_found')
      return 'an id that nobody was given'
    }),
    row(
      'partner-job-owner',
      `${JOB}: jobs are owned by the account that created them`,
      async ({ call, accounts, passwords, testMode }) => {
        const id = readText(expectStatus(await testMode.domain(PATH, 'slow.test'), 202), 'job_id')
        const testKey = readText((await passwords()).loginAfterReset, 'test_api_key')
        expectRefusal(await call('GET', `${PATH}/${id}`, { key: testKey }), 404, 'not_found')
        expectStatus(await call('GET', `${PATH}/${id}`, { key: await accounts.testKey() }), 200)
        return 'another account asks and gets 404; its owner gets 200'
      },
    ),
  ],
}
