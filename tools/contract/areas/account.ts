import {
  ABSENT,
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  INTEGER,
  matching,
  OBJECT,
  readText,
  TEXT,
} from '../expectations.ts'
import { type Area, row } from '../row.ts'

const SIGNUP = 'POST /v1/auth/signup'
const LOGIN = 'POST /v1/auth/login'
const RESET = 'POST /v1/auth/reset-password'
const CHANGE = 'POST /v1/auth/change-password'
const ME = 'GET /v1/auth/me'

const JWT = matching(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a JWT')

export const ACCOUNT: Area = {
  title: 'Account',
  rows: [
    row('signup-201', `${SIGNUP} → 201 verification email sent, no session`, async ({ accounts }) => {
      const { signup, email } = await accounts.registration()
      expectStatus(signup, 201)
      for (const name of ['token', 'api_key']) expectMember(signup, name, ABSENT)
      expectThat(signup.headers.get('set-cookie') === null, 'no cookie', signup.headers.get('set-cookie'))
      return `${email}; its e-mail was read in the mailbox`
    }),
    row('signup-409', `${SIGNUP} → 409 account already exists`, async ({ accounts }) => {
      expectRefusal(await accounts.refusals.signupAgain(), 409, 'account_exists')
      return 'the same address again'
    }),
    row('login-200', `${LOGIN} → 200 JWT session and account API key`, async ({ accounts }) => {
      const login = await accounts.login()
      expectMember(expectStatus(login, 200), 'token', JWT)
      return `${readText(login, 'token_type')}, key ${readText(login, 'api_key').slice(0, 10)}…`
    }),
    row('login-401-credentials', `${LOGIN} → 401 invalid credentials`, async ({ accounts, call }) => {
      const body = { email: 'nobody@nameplate.test', password: 'not the password' }
      const [wrong, nobody] = [await accounts.refusals.loginWrong(), await call('POST', '/v1/auth/login', { body })]
      for (const answer of [wrong, nobody]) expectRefusal(answer, 401, 'invalid_credentials')
      expectThat(readText(wrong, 'detail') === readText(nobody, 'detail'), 'the same words', [wrong.body, nobody.body])
      return 'a wrong password, and an address without an account: the same words'
    }),
    row('login-401-unverified', `${LOGIN} → 401 email not verified`, async ({ accounts }) => {
      expectRefusal((await accounts.registration()).loginUnverified, 401, 'email_not_verified')
      return 'the right password before the link was followed'
    }),
    row(
      'verify-302',
      'GET /v1/auth/verify-email → 302 redirect to sign in with verification result',
      async ({ accounts, deployment }) => {
        const { isOwn } = await accounts.ready()
        const unknown = await accounts.refusals.verificationUnknown()
        const answers = isOwn ? [(await accounts.registration()).verification, unknown] : [unknown]
        const results = answers.map((answer) => {
          const location = new URL(expectStatus(answer, 302).headers.get('location') ?? '')
          expectThat(
            location.origin === deployment.siteUrl.origin,
            `a place on ${deployment.siteUrl.origin}`,
            location.href,
          )
          return `${location.pathname}${location.search}`
        })
        expectThat(new Set(results).size === answers.length, 'a result for each', results)
        return results.join(' and ')
      },
    ),
    row('forgot-200', 'POST /v1/auth/forgot-password → 200 generic response', async ({ accounts }) => {
      return readText(expectStatus(await accounts.refusals.forgotUnknown(), 200), 'message')
    }),
    row('reset-200', `${RESET} → 200 password updated`, async ({ passwords }) => {
      const { reset, loginAfterReset } = await passwords()
      expectStatus(reset, 200)
      expectStatus(loginAfterReset, 200)
      return 'and the new password signs in'
    }),
    row('reset-400', `${RESET} → 400 invalid or expired token`, async ({ accounts, passwords }) => {
      expectRefusal(await accounts.refusals.resetUnknown(), 400, 'invalid_token')
      if (!(await accounts.ready()).isOwn) return 'a token that was never given'
      expectRefusal((await passwords()).resetAgain, 400, 'invalid_token')
      return 'one that was never given, and one that was used; for one to grow too old takes an hour, which npm test has'
    }),
    row('change-200', `${CHANGE} → 200 password updated`, async ({ passwords }) => {
      const { change, sessionAfterChange } = await passwords()
      expectStatus(change, 200)
      expectStatus(sessionAfterChange, 200)
      return 'and the fresh token in the answer works'
    }),
    row('change-401', `${CHANGE} → 401 current password incorrect`, async ({ accounts }) => {
      expectRefusal(await accounts.refusals.changeWrong(), 401, 'invalid_credentials')
      return 'a wrong current password'
    }),
    row(
      'me-200',
      `${ME} → 200 account profile with credit balance, subscription, watchlist usage, API key metadata`,
      async ({ call, accounts }) => {
        const answer = expectStatus(await call('GET', '/v1/auth/me', { key: await accounts.key() }), 200)
        for (const name of ['credits.balance', 'watchlist.used', 'watchlist.limit']) expectMember(answer, name, INTEGER)
        for (const name of ['subscription', 'api_key', 'test_api_key']) expectMember(answer, name, OBJECT)
        expectMember(answer, 'email', TEXT)
        expectMember(answer, 'api_key.prefix', matching(/^np_live_/, 'the beginning of the key'))
        return `plan ${readText(answer, 'subscription.plan')}`
      },
    ),
    row('me-401', `${ME} → 401`, async ({ call }) => {
      expectRefusal(await call('GET', '/v1/auth/me'), 401, 'missing_credentials')
      expectMember(await call('GET', '/v1/auth/me', { key: 'np_live_wrong' }), 'status', equals(401))
      return 'without a credential, and with a wrong one'
    }),
  ],
}
