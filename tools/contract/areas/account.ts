import { expectAnswer, expectMember, expectRefusal, readText } from '../expectations.ts'
import { area, ask, from, gives, refuses } from '../row.ts'
import { NotShown } from '../shown.ts'
import * as is from '../values.ts'
import {
  CHANGE_WRONG,
  FORGOT_UNKNOWN,
  LOGIN_WRONG,
  ME as PROFILE,
  RESET_UNKNOWN,
  SIGNUP_AGAIN,
  VERIFICATION_UNKNOWN,
} from './sources.ts'
import { VERIFIED } from './states.ts'

const SIGNUP = 'POST /v1/auth/signup'
const LOGIN = 'POST /v1/auth/login'
const RESET = 'POST /v1/auth/reset-password'
const CHANGE = 'POST /v1/auth/change-password'
const ME = 'GET /v1/auth/me'

const JWT = is.matching(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a JWT')
const STRANGER = { email: 'nobody@nameplate.test', password: 'not the password' }

export const ACCOUNT = area('Account', {
  [`signup-201: ${SIGNUP} → 201 verification email sent, no session`]: [
    gives(from('registration', 'signup'), 201, { 'token, api_key': is.absent, '@set-cookie': null }),
    async ({ steps }) => `the mailbox has the e-mail to ${(await steps.registration()).email}`,
  ],
  [`signup-409: ${SIGNUP} → 409 account already exists`]: refuses(SIGNUP_AGAIN, 409, 'account_exists'),
  [`login-200: ${LOGIN} → 200 JWT session and account API key`]: async ({ account }) => {
    const { login } = await account()
    if (!login) throw new NotShown('needs an account: --mailbox-url, or --email and --password')
    return `${expectAnswer(login, 200, { token: JWT, token_type: is.shown })}, key ${readText(login, 'api_key').slice(0, 10)}…`
  },
  [`login-401-credentials: ${LOGIN} → 401 invalid credentials`]: async (stage) => {
    const [wrong, stranger] = [await LOGIN_WRONG(stage), await ask(LOGIN, undefined, STRANGER)(stage)]
    for (const answer of [wrong, stranger]) expectRefusal(answer, 401, 'invalid_credentials')
    expectMember(stranger, 'detail', readText(wrong, 'detail'))
    return 'a wrong password, and an address without an account: the same words'
  },
  [`login-401-unverified: ${LOGIN} → 401 email not verified`]: [
    refuses(from('registration', 'loginUnverified'), 401, 'email_not_verified'),
  ],
  'verify-302: GET /v1/auth/verify-email → 302 redirect to sign in with verification result': [
    gives(VERIFICATION_UNKNOWN, 302, ({ deployment }) => ({ '@location': is.inOrigin(deployment.siteUrl) })),
    async (stage) => {
      expectMember(await VERIFICATION_UNKNOWN(stage), '@location', is.not(VERIFIED))
      if (!(await stage.account()).isOwn) return 'a link that was never sent'
      const { verification } = await stage.steps.registration()
      expectMember(verification, '@location', VERIFIED)
      return expectAnswer(verification, 302, { '@location': is.inOrigin(stage.deployment.siteUrl) })
    },
  ],
  'forgot-200: POST /v1/auth/forgot-password → 200 generic response': [
    gives(FORGOT_UNKNOWN, 200, { message: is.shown }),
  ],
  [`reset-200: ${RESET} → 200 password updated`]: [
    gives(from('passwords', 'reset'), 200),
    gives(from('passwords', 'loginAfterReset'), 200),
  ],
  [`reset-400: ${RESET} → 400 invalid or expired token`]: [
    refuses(RESET_UNKNOWN, 400, 'invalid_token'),
    async ({ account, steps }) => {
      if (!(await account()).isOwn) return 'a token that was never given'
      expectRefusal((await steps.passwords()).resetAgain, 400, 'invalid_token')
      return 'one that was never given, and one that was used; one expires after an hour, which npm test shows'
    },
  ],
  [`change-200: ${CHANGE} → 200 password updated`]: [
    gives(from('passwords', 'change'), 200),
    gives(from('passwords', 'sessionAfterChange'), 200),
  ],
  [`change-401: ${CHANGE} → 401 current password incorrect`]: [refuses(CHANGE_WRONG, 401, 'invalid_credentials')],
  [`me-200: ${ME} → 200 account profile with credit balance, subscription, watchlist usage, API key metadata`]: [
    gives(PROFILE, 200, {
      'credits.balance, watchlist.used, watchlist.limit': is.integer,
      'subscription, api_key, test_api_key': is.object,
      email: is.text,
      'subscription.plan': is.shown,
      'api_key.prefix': is.matching(/^np_live_/, 'the beginning of the key'),
    }),
  ],
  [`me-401: ${ME} → 401`]: [
    refuses(ask(ME), 401, 'missing_credentials'),
    refuses(({ call }) => call('GET', '/v1/auth/me', { key: 'np_live_wrong' }), 401),
  ],
})
