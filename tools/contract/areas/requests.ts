/** The required members of requests, the errors and the limits. */
import { type Answer } from '../client.ts'
import { expectRefusal, expectThat } from '../expectations.ts'
import { expectCost, type LiveResolutions } from '../resolutions.ts'
import { all, area, ask, from, gives, type Rows, refuses, row, type Source, tested, testedCompany } from '../row.ts'
import { NotShown } from '../shown.ts'
import { type Sender, type Stage } from '../stage.ts'
import * as is from '../values.ts'
import { NO_COMPANY } from '../watching.ts'
import {
  CHANGE_WRONG,
  FOREIGN_JOB,
  LOGIN_WRONG,
  ME,
  PARTNER_PATH,
  RESET_UNKNOWN,
  SIGNUP_AGAIN,
  UNKNOWN_JOB,
  VERIFICATION_UNKNOWN,
} from './sources.ts'
import { history } from './watching.ts'

/** A path, its sender, its members as the contract writes them, and a body with each required member. */
type Required = [path: string, as: Sender | undefined, words: string, body: Record<string, string>]

const DOMAIN = ['testKey', 'domain (string, required)', { domain: 'matched.test' }] as const
const EMAIL = 'unknown@nameplate.test'
const PASSWORD = 'long enough'

const REQUIRED: readonly Required[] = [
  ['/v1/enrich', ...DOMAIN],
  ['/v1/resolve/domain', ...DOMAIN],
  ['/v1/partner/enrich-company', ...DOMAIN],
  ['/v1/watchlist', 'token', 'company_number (string, required)', { company_number: '01234567' }],
  [
    '/v1/partner/webhooks',
    'token',
    'webhook_url (string, URI, required), signal_type (string, required)',
    { webhook_url: 'https://example.com/', signal_type: 'all' },
  ],
  [
    '/v1/auth/signup',
    undefined,
    'email (string, email, required), password (string, min length 8, required)',
    { email: EMAIL, password: PASSWORD },
  ],
  ['/v1/auth/login', undefined, 'email (required), password (required)', { email: EMAIL, password: PASSWORD }],
  ['/v1/auth/forgot-password', undefined, 'email (required)', { email: EMAIL }],
  [
    '/v1/auth/reset-password',
    undefined,
    'token (required), new_password (min length 8, required)',
    { token: 'never-given', new_password: PASSWORD },
  ],
  [
    '/v1/auth/change-password',
    'token',
    'current_password (required), new_password (min length 8, required)',
    { current_password: 'the present one', new_password: PASSWORD },
  ],
]

export const REQUESTS = area('Requests', {
  ...all(REQUIRED.map(showRequired)),
  'request-verify-email: GET /v1/auth/verify-email query: token (string, required)': [
    refuses(ask('GET /v1/auth/verify-email'), 400, 'invalid_request'),
    gives(VERIFICATION_UNKNOWN, 302),
  ],
  'request-webhook-id: DELETE /v1/partner/webhooks/{id} path: id (integer)': [
    refuses(ask('DELETE /v1/partner/webhooks/one', 'token'), 400, 'invalid_request'),
  ],
})

/** Each member is left out, and then is not text. */
function showRequired([path, as, words, body]: Required): Rows {
  const bodies = Object.keys(body).flatMap((name) => {
    const { [name]: _, ...without } = body
    return [without, { ...body, [name]: 7 }]
  })
  return row(`request-${path.replace('/v1/', '').replaceAll('/', '-')}`, `POST ${path} body: ${words}`, [
    ...bodies.map((wrong) => refuses(ask(`POST ${path}`, as, wrong), 400, 'invalid_request')),
    async () => `without ${Object.keys(body).join(', or without ')}, and with a number there: 400`,
  ])
}

const WRONG_TOKEN: Source = ({ call }) => call('GET', '/v1/watchlist', { token: 'a.b.c' })

export const ERRORS = area('Errors', {
  ...refusal(400, 'invalid request (/v1/enrich)', ask('POST /v1/enrich', 'testKey', {})),
  ...refusal(400, 'invalid domain (partner enrichment)', tested(PARTNER_PATH, 'localhost')),
  ...refusal(400, 'invalid or expired token (reset-password)', RESET_UNKNOWN),
  ...refusal(401, 'missing credentials', ask('GET /v1/watchlist')),
  ...refusal(401, 'invalid credentials', WRONG_TOKEN),
  ...refusal(401, 'login with wrong credentials', LOGIN_WRONG),
  ...refusal(401, 'login with unverified email', from('registration', 'loginUnverified')),
  ...refusal(401, 'wrong current password on change-password', CHANGE_WRONG),
  ...refusal(402, 'no credits (enrichment)', tested('/v1/enrich', 'no-credits.test')),
  ...refusal(402, 'no credits (partner enrichment)', tested(PARTNER_PATH, 'no-credits.test')),
  ...refusal(402, 'watchlist limit reached (POST /v1/watchlist)', from('overfull', 'answer')),
  ...refusal(404, 'job not found (status)', UNKNOWN_JOB),
  ...refusal(404, 'partner job not owned by the caller’s account', FOREIGN_JOB),
  ...refusal(404, 'company not found (resolve company)', testedCompany(NO_COMPANY)),
  ...refusal(404, 'company not found (watch)', ask('POST /v1/watchlist', 'testKey', { company_number: NO_COMPANY })),
  ...refusal(404, 'company not found (company signals)', ask(`GET /v1/companies/${NO_COMPANY}/signals`, 'key')),
  ...refusal(409, 'sign-up for an account that already exists', SIGNUP_AGAIN),
  ...refusal(429, 'rate limited (partner enrichment)', tested(PARTNER_PATH, 'rate-limited.test')),
  'error-503-health-probe-degraded: 503 health probe degraded': [
    gives(from('degradation', 'after'), 503, { status: 'degraded' }),
  ],
})

/** The status, and a body that explains it. */
function refusal(status: number, condition: string, source: Source): Rows {
  const words = condition.toLowerCase().replaceAll(/\(|\)|’/g, '')
  return row(
    `error-${status}-${words.replaceAll(/[^a-z0-9]+/g, '-')}`,
    `${status} ${condition}`,
    refuses(source, status),
  )
}

const BURST_MAX = 200
const AT_ONCE = 20

const SHORT = { email: 'unknown@nameplate.test', password: 'seven77' }

export const LIMITS = area('Limits', {
  // Passwords of a run have 8 characters.
  'limit-password-signup: Password minimum length: 8 characters (sign-up)': [
    refuses(ask('POST /v1/auth/signup', undefined, SHORT), 400, 'invalid_request'),
    gives(from('registration', 'signup'), 201),
  ],
  'limit-password-reset: Password minimum length: 8 characters (reset)': [
    refuses(from('passwords', 'resetShort'), 400, 'invalid_request'),
    gives(from('passwords', 'reset'), 200),
  ],
  'limit-password-change: Password minimum length: 8 characters (change)': [
    refuses(from('passwords', 'changeShort'), 400, 'invalid_request'),
    gives(from('passwords', 'change'), 200),
  ],
  'limit-feed-page: Signals feed: page default 1': gives(ask('GET /v1/signals', 'token'), 200, { page: 1 }),
  'limit-feed-limit: Signals feed: limit default 20': gives(ask('GET /v1/signals', 'token'), 200, { limit: 20 }),
  'limit-history-limit: Company signals: limit default 20': gives(history(), 200, { limit: 20 }),
  'limit-watchlist: Watchlist size is capped per account; exceeding it yields 402': [
    refuses(from('overfull', 'answer'), 402, 'plan_limit_reached'),
    gives(ME, 200, { 'watchlist.limit': is.integer }),
    async ({ steps }) => (await steps.overfull()).how,
  ],
  ...charge('matched', 'Resolution cost: 1 resolution for matched', 1),
  ...charge('verified', 'Resolution cost: 1 resolution for verified', 1),
  ...charge('needsReview', 'Resolution cost: none for needs_review; reported in charged and charge_reason', 0),
  ...charge('noMatch', 'Resolution cost: none for no_match; reported in charged and charge_reason', 0),
  // Last, as it uses up what the account may ask for.
  'limit-partner: Partner enrichment is rate limited (429)': showRateLimit,
})

function charge(outcome: keyof LiveResolutions, words: string, credits: 0 | 1): Rows {
  const id = `limit-cost-${outcome.toLowerCase()}`
  return row(id, words, async ({ steps }) => expectCost((await steps.live())[outcome], credits))
}

/** Asks for an unknown job, which costs nothing, until the account's burst is used up. */
async function showRateLimit({ call, as }: Stage): Promise<string> {
  const sender = await as('key')
  const ask = () => call('GET', '/v1/partner/enrich-company/job_unknown', { ...sender, takesLimit: true })
  const policy = (await ask()).headers.get('ratelimit-policy') ?? ''
  const burst = Number(/q=(\d+)/.exec(policy)?.[1])
  if (burst > BURST_MAX) throw new NotShown(`would have to send ${burst} requests at once: ${policy}`)
  const refused = await findRefused(ask)
  const detail = expectRefusal(refused, 429, 'rate_limited')
  expectThat(Number(refused.headers.get('retry-after')) > 0, 'Retry-After', null)
  return `${policy}: ${detail}`
}

async function findRefused(ask: () => Promise<Answer>): Promise<Answer> {
  let last = await ask()
  for (let sent = 0; sent < 2 * BURST_MAX && last.status !== 429; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask))
    last = answers.find(({ status }) => status === 429) ?? last
  }
  return last
}
