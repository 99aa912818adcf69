/** The tables of fields: each field, in every answer of that shape that the run has seen. */
import type { Answer } from '../client.ts'
import { expectMember, expectStatus, expectThat, readPath } from '../expectations.ts'
import { all, area, ask, DOMAIN_PATHS, finished, from, gives, type Rows, refuses, row, tested } from '../row.ts'
import type { Stage } from '../stage.ts'
import * as is from '../values.ts'
import { ME, PARTNER_PATH } from './sources.ts'

const PENDING: Record<string, Field> = {
  status: ['string, one of pending, processing, failed', is.oneOf('pending', 'processing', 'failed')],
  input_domain: ['string, required', is.text],
  job_id: ['string, required', is.text],
  charged: ['boolean, required', is.boolean],
  charge_reason: ['string', is.optional(is.text)],
  status_url: ['string: path or URL to poll', is.optional(is.text)],
  error_message: ['string or null', is.optional(is.orNull(is.text))],
}

const COMPLETED: Record<string, Field> = {
  status: ['string: always completed', is.equals('completed')],
  input_domain: ['string, required', is.text],
  charged: ['boolean, required', is.boolean],
  charge_reason: ['string, required', is.text],
  result: ['company result, required', is.object],
}

const OUTCOMES = ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed']

const nullable = {
  text: is.orNull(is.text),
  date: is.orNull(is.date),
  days: is.orNull(is.integer),
  flag: is.orNull(is.boolean),
}

const RESULT: Record<string, Field> = {
  match_status: [`string, one of ${OUTCOMES.join(', ')}`, is.oneOf(...OUTCOMES)],
  company_name: ['string or null', nullable.text],
  company_number: ['string or null', nullable.text],
  company_status: ['string or null', nullable.text],
  registered_postcode: ['string or null', nullable.text],
  incorporated_on: ['date or null', nullable.date],
  match_confidence: ['number or null', is.orNull(is.number)],
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
  recent_resignations: ['array of objects, required', is.objects],
  review_candidates: ['array of objects, required', is.objects],
}

export const FIELDS = area('Resources and their fields', {
  'field-domain: Domain input: domain, string, required on every endpoint that takes it': DOMAIN_PATHS.map((path) =>
    refuses(ask(`POST ${path}`, 'testKey', {}), 400, 'invalid_request'),
  ),
  ...table('pending', 'Pending job response', PENDING, listPending),
  ...table('completed', 'Completed response (flat)', COMPLETED, listCompleted),
  ...table('result', 'Company result', RESULT, listCompleted, 'result.'),
  ...all(OUTCOMES.map(showOutcome)),
  'field-destination: Webhook destination: integer id; webhook_url (string, URI); signal_type (string)': [
    gives(from('destinations', 'listed'), 200, {
      'data.0.id': is.integer,
      'data.0.signal_type': is.shown,
      'data.0.webhook_url': is.matching(/^https:\/\//, 'an https address'),
    }),
  ],
  'field-watchlist: Watchlist entry: identified by company_number (string)': [
    gives(from('watching', 'listed'), 200, { 'data.*.company_number': is.each(is.text) }),
  ],
  'field-signal: Signal: has a signal_type (string) and belongs to a company': [
    gives(from('delivery', 'history'), 200, { 'data.0.signal_type, data.0.company_number': is.shown }),
  ],
  'field-account: Account: has a credit balance, a subscription, watchlist usage and API key metadata, plus an email': [
    gives(ME, 200, { 'credits, subscription, watchlist, api_key': is.object, email: is.text }),
  ],
  'field-credentials: Credentials: an account API key is returned at login; a session is a JWT': async ({ as }) => {
    const { token = '' } = await as('token')
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    return `np_live_…, and a JWT signed with ${String(readPath(header, 'alg'))}`
  },
})

async function listPending(stage: Stage): Promise<Answer[]> {
  const queued = [
    tested('/v1/enrich', 'slow.test'),
    tested(PARTNER_PATH, 'slow.test'),
    tested(PARTNER_PATH, 'failed.test'),
  ]
  const answers = await Promise.all(queued.map((source) => source(stage)))
  return answers.map((answer) => expectStatus(answer, 202))
}

/** Returns one of each outcome, one that was queued first, and live ones if there are samples. */
async function listCompleted(stage: Stage): Promise<Answer[]> {
  const domains = ['matched.test', 'needs-review.test', 'no-match.test', 'non-uk.test', 'scrape-failed.test']
  const sources = [...domains.map((domain) => tested(PARTNER_PATH, domain)), finished(PARTNER_PATH)]
  const answers = await Promise.all(sources.map((source) => source(stage)))
  if (stage.deployment.samples) {
    const { matched, needsReview, noMatch } = await stage.steps.live()
    answers.push(matched.finished, needsReview.finished, noMatch.finished)
  }
  return answers.map((answer) => expectStatus(answer, 200))
}

function showOutcome(outcome: string): Rows {
  const id = `match-status-${outcome.replaceAll('_', '-')}`
  return row(id, `Company result: match_status is ${outcome}`, async (stage) => {
    const seen = (await listCompleted(stage)).map(({ body }) => readPath(body, 'result.match_status'))
    expectThat(seen.includes(outcome), `an answer with ${outcome}`, seen)
    return 'its test domain, with the test key'
  })
}

type Field = [words: string, expectation: is.Expectation]

function table(
  id: string,
  title: string,
  fields: Record<string, Field>,
  list: (stage: Stage) => Promise<Answer[]>,
  path = '',
): Rows {
  const showField = ([name, [words, expectation]]: [string, Field]) =>
    row(`${id}-${name.replaceAll('_', '-')}`, `${title}: ${name}, ${words}`, async (stage) => {
      const answers = await list(stage)
      const values = answers.map((answer) => expectMember(answer, `${path}${name}`, expectation))
      const kinds = new Set(values.map((value) => (is.objects.holds(value) ? 'a list' : JSON.stringify(value))))
      return `in ${answers.length} answers: ${[...kinds].join(', ').slice(0, 100)}`
    })
  return all(Object.entries(fields).map(showField))
}
