import {
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  LIST,
  OBJECT,
  oneOf,
  readMember,
  readText,
  TEXT,
} from '../expectations.ts'
import { assertSamples } from '../live-resolutions.ts'
import { type Area, row } from '../row.ts'
import { NO_COMPANY } from '../watching.ts'

const ENRICH = 'POST /v1/enrich'
const STATUS = 'GET /v1/enrich/status/{job_id}'
const DOMAIN = 'POST /v1/resolve/domain'
const COMPANY = 'POST /v1/resolve/company'
const WITH_TEST_KEY = 'with the test key'

export const RESOLUTION: Area = {
  title: 'Resolution and enrichment',
  rows: [
    row('enrich-200', `${ENRICH} → 200 cached enrichment payload`, async ({ testMode }) => {
      const answer = expectStatus(await testMode.domain('/v1/enrich', 'matched.test'), 200)
      expectMember(answer, 'status', equals('completed'))
      for (const [name, kind] of [
        ['company', OBJECT],
        ['evidence', LIST],
        ['explanation', OBJECT],
        ['signals', LIST],
      ] as const) {
        expectMember(answer, name, kind)
      }
      return `matched.test ${WITH_TEST_KEY}`
    }),
    row('enrich-202', `${ENRICH} → 202 job queued`, async ({ testMode }) => {
      const answer = expectStatus(await testMode.domain('/v1/enrich', 'slow.test'), 202)
      return `slow.test ${WITH_TEST_KEY}: ${readText(answer, 'job_id')}`
    }),
    row('enrich-400', `${ENRICH} → 400 invalid request`, async ({ call, accounts }) => {
      const key = await accounts.testKey()
      const bodies = [{ body: {} }, { body: { domain: 7 } }, { body: { domain: 'not a domain' } }, { rawBody: '{' }]
      for (const wrong of bodies) expectRefusal(await call('POST', '/v1/enrich', { key, ...wrong }), 400)
      return 'no domain, a number, words that are no domain, half a body'
    }),
    row('enrich-401', `${ENRICH} → 401`, async ({ call }) => {
      expectRefusal(await call('POST', '/v1/enrich', { body: { domain: 'matched.test' } }), 401)
      expectRefusal(await call('POST', '/v1/enrich', { key: 'np_live_wrong', body: { domain: 'matched.test' } }), 401)
      return 'without a key, and with a wrong one'
    }),
    row('enrich-402', `${ENRICH} → 402 no credits`, async ({ testMode }) => {
      expectRefusal(await testMode.domain('/v1/enrich', 'no-credits.test'), 402, 'insufficient_credits')
      return `no-credits.test ${WITH_TEST_KEY}`
    }),
    row('status-200', `${STATUS} → 200 job status`, async ({ call, accounts, testMode }) => {
      const ask = { key: await accounts.testKey(), body: { domain: 'slow.test' } }
      const queued = expectStatus(await call('POST', '/v1/enrich', ask), 202)
      const answer = expectStatus(await call('GET', `/v1/enrich/status/${readText(queued, 'job_id')}`), 200)
      const status = expectMember(answer, 'status', oneOf('pending', 'processing'))
      const ended = await testMode.finished('/v1/enrich')
      return `without a credential: ${String(status)}, in the end ${readText(ended, 'status')}`
    }),
    row('status-404', `${STATUS} → 404 job not found`, async ({ call }) => {
      expectRefusal(await call('GET', '/v1/enrich/status/job_unknown'), 404, 'not_found')
      return 'an id that nobody was given'
    }),
    row('resolve-domain-200', `${DOMAIN} → 200 resolution payload`, async ({ testMode }) => {
      const answer = expectStatus(await testMode.domain('/v1/resolve/domain', 'matched.test'), 200)
      expectMember(answer, 'outcome', equals('matched'))
      for (const name of ['company', 'explanation']) expectMember(answer, name, OBJECT)
      return `matched.test ${WITH_TEST_KEY}`
    }),
    row(
      'resolve-domain-202',
      `${DOMAIN} → 202 resolution job queued, with a status_url to poll`,
      async ({ testMode }) => {
        const queued = expectStatus(await testMode.domain('/v1/resolve/domain', 'slow.test'), 202)
        const ended = await testMode.finished('/v1/resolve/domain')
        expectMember(ended, 'status', equals('completed'))
        return `slow.test ${WITH_TEST_KEY}: ${readText(queued, 'status_url').replace(/job_.*/, 'job_…')} was polled to its end`
      },
    ),
    row(
      'resolve-company-200',
      `${COMPANY} → 200 company profile, current signals and reverse-domain status`,
      async ({ testMode }) => {
        const answer = expectStatus(await testMode.company('TS000001'), 200)
        expectMember(answer, 'company.company_number', equals('TS000001'))
        expectMember(answer, 'signals', LIST)
        expectMember(answer, 'website.status', TEXT)
        return `TS000001 ${WITH_TEST_KEY}`
      },
    ),
    row('resolve-company-number', `${COMPANY}: company_number (string)`, async ({ live, deployment }) => {
      const { known } = (await live()).verified
      expectMember(known, 'company.company_number', equals(assertSamples(deployment).websiteCompany))
      return `live: ${readText(known, 'company.company_name')}`
    }),
    row('resolve-company-name', `${COMPANY}: company_name (string)`, async ({ call, accounts, live }) => {
      const { known } = (await live()).verified
      const body = { company_name: readText(known, 'company.company_name') }
      const answer = expectStatus(await call('POST', '/v1/resolve/company', { key: await accounts.key(), body }), 200)
      expectMember(answer, 'company.company_number', equals(readMember(known.body, 'company.company_number')))
      return `live: ${body.company_name} is ${readText(answer, 'company.company_number')}`
    }),
    row(
      'resolve-company-refresh',
      `${COMPANY}: refresh (boolean; true only to force a fresh reverse-domain search)`,
      async ({ live }) => {
        const { queued, known } = (await live()).verified
        expectMember(queued, 'website.status', equals('searching'))
        expectMember(known, 'website.status', equals('verified'))
        return 'live: with refresh it searches, without it the known site comes at once'
      },
    ),
    row('resolve-company-404', `${COMPANY} → 404 company not found`, async ({ testMode }) => {
      expectRefusal(await testMode.company(NO_COMPANY), 404, 'company_not_found')
      return `${NO_COMPANY} ${WITH_TEST_KEY}`
    }),
  ],
}
