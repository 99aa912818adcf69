/** Resolution and enrichment, in the full form and in the flat form for partners. */
import { expectAnswer, expectStatus, readText } from '../expectations.ts'
import { assertSamples } from '../resolutions.ts'
import { area, ask, finished, gives, live, refuses, tested, testedCompany } from '../row.ts'
import * as is from '../values.ts'
import { NO_COMPANY } from '../watching.ts'
import { FOREIGN_JOB, OWN_JOB, PARTNER_PATH, UNKNOWN_JOB } from './sources.ts'

const ENRICH = 'POST /v1/enrich'
const STATUS = 'GET /v1/enrich/status/{job_id}'
const DOMAIN = 'POST /v1/resolve/domain'
const COMPANY = 'POST /v1/resolve/company'

export const RESOLUTION = area('Resolution and enrichment', {
  [`enrich-200: ${ENRICH} → 200 cached enrichment payload`]: gives(tested('/v1/enrich', 'matched.test'), 200, {
    status: 'completed',
    'company, explanation': is.object,
    'evidence, signals': is.list,
  }),
  [`enrich-202: ${ENRICH} → 202 job queued`]: gives(tested('/v1/enrich', 'slow.test'), 202, { job_id: is.shown }),
  [`enrich-400: ${ENRICH} → 400 invalid request`]: [{}, { domain: 7 }, { domain: 'not a domain' }, '{'].map((body) =>
    refuses(ask(ENRICH, 'testKey', body), 400),
  ),
  [`enrich-401: ${ENRICH} → 401`]: [
    refuses(ask(ENRICH, undefined, { domain: 'matched.test' }), 401),
    refuses(({ call }) => call('POST', '/v1/enrich', { key: 'np_live_wrong', body: { domain: 'matched.test' } }), 401),
  ],
  [`enrich-402: ${ENRICH} → 402 no credits`]: [
    refuses(tested('/v1/enrich', 'no-credits.test'), 402, 'insufficient_credits'),
  ],
  [`status-200: ${STATUS} → 200 job status`]: [
    async ({ call, as }) => {
      const queued = await call('POST', '/v1/enrich', { ...(await as('testKey')), body: { domain: 'slow.test' } })
      const answer = await call('GET', `/v1/enrich/status/${readText(expectStatus(queued, 202), 'job_id')}`)
      return expectAnswer(answer, 200, { status: is.oneOf('pending', 'processing') })
    },
    gives(finished('/v1/enrich'), 200, { status: is.shown }),
  ],
  [`status-404: ${STATUS} → 404 job not found`]: refuses(UNKNOWN_JOB, 404, 'not_found'),
  [`resolve-domain-200: ${DOMAIN} → 200 resolution payload`]: [
    gives(tested('/v1/resolve/domain', 'matched.test'), 200, { outcome: 'matched', 'company, explanation': is.object }),
  ],
  [`resolve-domain-202: ${DOMAIN} → 202 resolution job queued, with a status_url to poll`]: [
    gives(tested('/v1/resolve/domain', 'slow.test'), 202, { status_url: is.matching(/job_/, 'an address to poll') }),
    gives(finished('/v1/resolve/domain'), 200, { status: 'completed' }),
  ],
  [`resolve-company-200: ${COMPANY} → 200 company profile, current signals and reverse-domain status`]: [
    gives(testedCompany('TS000001'), 200, {
      'company.company_number': 'TS000001',
      signals: is.list,
      'website.status': is.text,
    }),
  ],
  [`resolve-company-number: ${COMPANY}: company_number (string)`]: [
    gives(live('verified', 'known'), 200, ({ deployment }) => ({
      'company.company_number': assertSamples(deployment).websiteCompany,
      'company.company_name': is.shown,
    })),
  ],
  [`resolve-company-name: ${COMPANY}: company_name (string)`]: async (stage) => {
    const known = await live('verified', 'known')(stage)
    const body = { company_name: readText(known, 'company.company_name') }
    const answer = await stage.call('POST', '/v1/resolve/company', { ...(await stage.as('key')), body })
    return expectAnswer(answer, 200, { 'company.company_number': readText(known, 'company.company_number') })
  },
  [`resolve-company-refresh: ${COMPANY}: refresh (boolean; true only to force a fresh reverse-domain search)`]: [
    gives(live('verified', 'queued'), 200, { 'website.status': 'searching' }),
    gives(live('verified', 'known'), 200, { 'website.status': 'verified' }),
  ],
  [`resolve-company-404: ${COMPANY} → 404 company not found`]: [
    refuses(testedCompany(NO_COMPANY), 404, 'company_not_found'),
  ],
})

const FLAT = `POST ${PARTNER_PATH}`
const JOB = `GET ${PARTNER_PATH}/{job_id}`
const NO_JOB = `GET ${PARTNER_PATH}/job_unknown`

/** A name that is not public, an address, a public suffix and a mail service. */
const NO_DOMAINS = ['localhost', '192.0.2.1', 'co.uk', 'ann@gmail.com']

export const PARTNER = area('Partner flat enrichment', {
  [`partner-200: ${FLAT} → 200 completed response`]: [
    gives(tested(PARTNER_PATH, 'matched.test'), 200, { status: 'completed' }),
  ],
  [`partner-202: ${FLAT} → 202 pending job response (fresh resolution queued)`]: [
    gives(tested(PARTNER_PATH, 'slow.test'), 202, { job_id: is.shown }),
  ],
  [`partner-400: ${FLAT} → 400 invalid domain`]: [
    refuses(tested(PARTNER_PATH, 'localhost'), 400, 'invalid_domain'),
    ...NO_DOMAINS.map((domain) => refuses(ask(FLAT, 'key', { domain }), 400, 'invalid_domain')),
  ],
  [`partner-401: ${FLAT} → 401`]: refuses(ask(FLAT, undefined, { domain: 'matched.test' }), 401),
  [`partner-402: ${FLAT} → 402 no credits`]: [
    refuses(tested(PARTNER_PATH, 'no-credits.test'), 402, 'insufficient_credits'),
  ],
  [`partner-429: ${FLAT} → 429 rate limited`]: [
    refuses(tested(PARTNER_PATH, 'rate-limited.test'), 429, 'rate_limited'),
    gives(tested(PARTNER_PATH, 'rate-limited.test'), 429, { '@retry-after': is.shown }),
  ],
  [`partner-job-200-pending: ${JOB} → 200 pending job response`]: async ({ call, as }) => {
    const sender = await as('testKey')
    const queued = expectStatus(await call('POST', PARTNER_PATH, { ...sender, body: { domain: 'slow.test' } }), 202)
    const answer = await call('GET', `${PARTNER_PATH}/${readText(queued, 'job_id')}`, sender)
    return expectAnswer(answer, 200, { status: is.oneOf('pending', 'processing') })
  },
  [`partner-job-200-completed: ${JOB} → 200 completed response`]: [
    gives(finished(PARTNER_PATH), 200, { status: 'completed' }),
  ],
  [`partner-job-401: ${JOB} → 401`]: refuses(ask(NO_JOB), 401),
  [`partner-job-404: ${JOB} → 404 job not found for this account`]: refuses(ask(NO_JOB, 'key'), 404, 'not_found'),
  [`partner-job-owner: ${JOB}: jobs are owned by the account that created them`]: [
    refuses(FOREIGN_JOB, 404, 'not_found'),
    gives(OWN_JOB, 200),
  ],
})
