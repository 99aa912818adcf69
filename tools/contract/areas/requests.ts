import type { Ask } from '../client.ts'
import { expectRefusal, expectStatus } from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import type { Stage } from '../stage.ts'

interface Request {
  path: string
  /** As the contract writes it. */
  words: string
  /** Every required member, each with a value that could stand. */
  body: Record<string, string>
  credential?: (stage: Stage) => Promise<Ask>
}

const withTestKey = async ({ accounts }: Stage): Promise<Ask> => ({ key: await accounts.testKey() })
const withSession = async ({ accounts }: Stage): Promise<Ask> => ({ token: await accounts.session() })

const DOMAIN = { words: 'domain (string, required)', body: { domain: 'matched.test' }, credential: withTestKey }
const EMAIL = 'somebody@nameplate.test'

const REQUIRED: readonly Request[] = [
  { path: '/v1/enrich', ...DOMAIN },
  { path: '/v1/resolve/domain', ...DOMAIN },
  { path: '/v1/partner/enrich-company', ...DOMAIN },
  {
    path: '/v1/watchlist',
    words: 'company_number (string, required)',
    body: { company_number: '01234567' },
    credential: withSession,
  },
  {
    path: '/v1/partner/webhooks',
    words: 'webhook_url (string, URI, required), signal_type (string, required)',
    body: { webhook_url: 'https://example.com/', signal_type: 'all' },
    credential: withSession,
  },
  {
    path: '/v1/auth/signup',
    words: 'email (string, email, required), password (string, min length 8, required)',
    body: { email: EMAIL, password: 'long enough' },
  },
  {
    path: '/v1/auth/login',
    words: 'email (required), password (required)',
    body: { email: EMAIL, password: 'long enough' },
  },
  { path: '/v1/auth/forgot-password', words: 'email (required)', body: { email: EMAIL } },
  {
    path: '/v1/auth/reset-password',
    words: 'token (required), new_password (min length 8, required)',
    body: { token: 'never-given', new_password: 'long enough' },
  },
  {
    path: '/v1/auth/change-password',
    words: 'current_password (required), new_password (min length 8, required)',
    body: { current_password: 'the one there is', new_password: 'long enough' },
    credential: withSession,
  },
]

export const REQUESTS: Area = {
  title: 'Requests',
  rows: [
    ...REQUIRED.map(showRequired),
    row(
      'request-verify-email',
      'GET /v1/auth/verify-email query: token (string, required)',
      async ({ call, accounts }) => {
        expectRefusal(await call('GET', '/v1/auth/verify-email'), 400, 'invalid_request')
        expectStatus(await accounts.refusals.verificationUnknown(), 302)
        return 'without it: 400'
      },
    ),
    row('request-webhook-id', 'DELETE /v1/partner/webhooks/{id} path: id (integer)', async (stage) => {
      const answer = await stage.call('DELETE', '/v1/partner/webhooks/one', await withSession(stage))
      expectRefusal(answer, 400, 'invalid_request')
      return 'a word: 400'
    }),
  ],
}

/** Each member is left out, and then is not text. */
function showRequired({ path, words, body, credential }: Request): Row {
  return row(
    `request-${path.replace('/v1/', '').replaceAll('/', '-')}`,
    `POST ${path} body: ${words}`,
    async (stage) => {
      const ask = await (credential?.(stage) ?? {})
      for (const name of Object.keys(body)) {
        const { [name]: _, ...without } = body
        expectRefusal(await stage.call('POST', path, { ...ask, body: without }), 400, 'invalid_request')
        expectRefusal(await stage.call('POST', path, { ...ask, body: { ...body, [name]: 7 } }), 400, 'invalid_request')
      }
      return `without ${Object.keys(body).join(', or without ')}, and with a number there: 400`
    },
  )
}
