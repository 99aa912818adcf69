/** The tables of fields: each one, in every answer of that shape that the run has seen. */
import type { Answer } from '../client.ts'
import {
  BOOLEAN,
  DATE,
  type Expectation,
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  INTEGER,
  matching,
  NUMBER,
  OBJECT,
  OBJECTS,
  oneOf,
  optional,
  orNull,
  readColumn,
  readMember,
  readText,
  TEXT,
} from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import type { Stage } from '../stage.ts'

const PARTNER = '/v1/partner/enrich-company'

const PENDING: Record<string, [string, Expectation]> = {
  status: ['string, one of pending, processing, failed', oneOf('pending', 'processing', 'failed')],
  input_domain: ['string, required', TEXT],
  job_id: ['string, required', TEXT],
  charged: ['boolean, required', BOOLEAN],
  charge_reason: ['string', optional(TEXT)],
  status_url: ['string: path or URL to poll', optional(TEXT)],
  error_message: ['string or null', optional(orNull(TEXT))],
}

const COMPLETED: Record<string, [string, Expectation]> = {
  status: ['string: always completed', equals('completed')],
  input_domain: ['string, required', TEXT],
  charged: ['boolean, required', BOOLEAN],
  charge_reason: ['string, required', TEXT],
  result: ['company result, required', OBJECT],
}

const OUTCOMES = ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed']

const nullable = { text: orNull(TEXT), date: orNull(DATE), days: orNull(INTEGER), flag: orNull(BOOLEAN) }

const RESULT: Record<string, [string, Expectation]> = {
  match_status: [`string, one of ${OUTCOMES.join(', ')}`, oneOf(...OUTCOMES)],
  company_name: ['string or null', nullable.text],
  company_number: ['string or null', nullable.text],
  company_status: ['string or null', nullable.text],
  registered_postcode: ['string or null', nullable.text],
  incorporated_on: ['date or null', nullable.date],
  match_confidence: ['number or null', orNull(NUMBER)],
  accounts_type: ['string or null', nullable.text],
  accounts_next_due: ['date or null', nullable.date],
  accounts_overdue: ['boolean or null', nullable.flag],
  accounts_days_until_due: ['integer or null', nullable.days],
  confirmation_next_due: ['date or null', nullable.date],
  confirmation_overdue: ['boolean or null', nullable.flag],
  confirmation_days_until_due: ['integer or null', nullable.days],
  has_insolvency_history: ['boolean or null', nullable.flag],
  current_insolvency_status: ['string or null', nullable.text],
  has_active_charges: ['boolean or null', nullable.flag],
  last_charge_date: ['date or null', nullable.date],
  days_since_last_charge: ['integer or null', nullable.days],
  recent_director_resignation: ['boolean or null', nullable.flag],
  last_director_change_date: ['date or null', nullable.date],
  days_since_last_director_change: ['integer or null', nullable.days],
  recent_resignations: ['array of objects, required', OBJECTS],
  review_candidates: ['array of objects, required', OBJECTS],
}

export const FIELDS: Area = {
  title: 'Resources and their fields',
  rows: [
    row('field-domain', 'Domain input: domain, string, required on every endpoint that takes it', async (stage) => {
      const key = await stage.accounts.testKey()
      for (const path of ['/v1/enrich', '/v1/resolve/domain', PARTNER]) {
        expectRefusal(await stage.call('POST', path, { key, body: {} }), 400, 'invalid_request')
      }
      return 'without it all three refuse'
    }),
    ...table('pending', 'Pending job response', PENDING, listPending),
    ...table('completed', 'Completed response (flat)', COMPLETED, listCompleted),
    ...table('result', 'Company result', RESULT, listCompleted, 'result.'),
    ...OUTCOMES.map((outcome) =>
      row(
        `match-status-${outcome.replaceAll('_', '-')}`,
        `Company result: match_status is ${outcome}`,
        async (stage) => {
          const seen = (await listCompleted(stage)).map((answer) => readMember(answer.body, 'result.match_status'))
          expectThat(seen.includes(outcome), `an answer with ${outcome}`, seen)
          return 'its test domain, with the test key'
        },
      ),
    ),
    row(
      'field-destination',
      'Webhook destination: integer id; webhook_url (string, URI); signal_type (string)',
      async (stage) => {
        const { listed } = await stage.destinations()
        expectMember(listed, 'data.0.id', INTEGER)
        expectMember(listed, 'data.0.signal_type', TEXT)
        return String(expectMember(listed, 'data.0.webhook_url', matching(/^https:\/\//, 'an https address')))
      },
    ),
    row('field-watchlist', 'Watchlist entry: identified by company_number (string)', async ({ watching }) => {
      const numbers = readColumn((await watching()).listed, 'data', 'company_number')
      expectThat(
        numbers.every((number) => typeof number === 'string'),
        'a number in each entry',
        numbers,
      )
      return numbers.join(', ')
    }),
    row('field-signal', 'Signal: has a signal_type (string) and belongs to a company', async ({ delivery }) => {
      const { history } = await delivery()
      return `${readText(history, 'data.0.signal_type')} of ${readText(history, 'data.0.company_number')}`
    }),
    row(
      'field-account',
      'Account: has a credit balance, a subscription, watchlist usage and API key metadata, plus an email',
      async (stage) => {
        const me = expectStatus(await stage.call('GET', '/v1/auth/me', { key: await stage.accounts.key() }), 200)
        for (const name of ['credits', 'subscription', 'watchlist', 'api_key']) expectMember(me, name, OBJECT)
        expectMember(me, 'email', TEXT)
        return 'GET /v1/auth/me'
      },
    ),
    row(
      'field-credentials',
      'Credentials: an account API key is returned at login; a session is a JWT',
      async (stage) => {
        const token = await stage.accounts.session()
        const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
        return `np_live_…, and a JWT signed with ${String(readMember(header, 'alg'))}`
      },
    ),
  ],
}

async function listPending({ testMode }: Stage): Promise<Answer[]> {
  const queued = [await testMode.domain('/v1/enrich', 'slow.test'), await testMode.domain(PARTNER, 'slow.test')]
  return [...queued, await testMode.domain(PARTNER, 'failed.test')].map((answer) => expectStatus(answer, 202))
}

/** One of each outcome, one that was queued first, and live ones where there are. */
async function listCompleted({ testMode, deployment, live }: Stage): Promise<Answer[]> {
  const domains = ['matched.test', 'needs-review.test', 'no-match.test', 'non-uk.test', 'scrape-failed.test']
  const answers = await Promise.all(domains.map((domain) => testMode.domain(PARTNER, domain)))
  const { matched, needsReview, noMatch } = deployment.samples ? await live() : {}
  const lives = [matched, needsReview, noMatch].flatMap((resolution) => (resolution ? [resolution.finished] : []))
  return [...answers, await testMode.finished(PARTNER), ...lives].map((answer) => expectStatus(answer, 200))
}

function table(
  id: string,
  title: string,
  fields: Record<string, [string, Expectation]>,
  list: (stage: Stage) => Promise<Answer[]>,
  path = '',
): Row[] {
  return Object.entries(fields).map(([name, [words, expectation]]) =>
    row(`${id}-${name.replaceAll('_', '-')}`, `${title}: ${name}, ${words}`, async (stage) => {
      const answers = await list(stage)
      const values = answers.map((answer) => expectMember(answer, `${path}${name}`, expectation))
      const kinds = new Set(values.map((value) => (OBJECTS.holds(value) ? 'a list' : JSON.stringify(value))))
      return `in ${answers.length} answers: ${[...kinds].join(', ').slice(0, 100)}`
    }),
  )
}
