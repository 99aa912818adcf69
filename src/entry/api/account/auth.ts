import { z } from 'zod'
import {
  changePassword,
  logIn,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  signUp,
  verifyEmail,
} from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { callerOf, limitedOrigin, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { MaybeText, presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { AccountProfile, presentProfile } from './profile.ts'

const EMAIL_LENGTH_MAX = 254
const TOKEN_LENGTH_MAX = 200

const Email = z.email().max(EMAIL_LENGTH_MAX)
const NewPassword = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX)
const GivenPassword = z.string().min(1).max(PASSWORD_LENGTH_MAX)
const Token = z.string().min(1).max(TOKEN_LENGTH_MAX)

const Message = z.object({ message: z.string() }).meta({ id: 'Message' })

const LoginAnswer = z
  .object({
    token: z.string().describe('The session: send it as Authorization: Bearer.'),
    token_type: z.literal('Bearer'),
    expires_at: Time,
    api_key: MaybeText.describe('The account’s live API key; null when it can no longer be shown.'),
    test_api_key: MaybeText.describe('Spends nothing and touches no web site; null when it can no longer be shown.'),
    notice: z.string().optional().describe('Says what to do when a key cannot be shown.'),
    account: AccountProfile,
  })
  .meta({ id: 'Login' })

const ResetAnswer = z
  .object({ message: z.string(), api_keys_revoked: z.boolean().describe('True where every API key has ended.') })
  .meta({ id: 'PasswordReset' })

const FreshSession = z
  .object({ message: z.string(), token: z.string(), token_type: z.literal('Bearer'), expires_at: Time })
  .meta({ id: 'FreshSession' })

const KEY_NOT_SHOWN =
  'An API key of this account can no longer be shown. Programs that have it can go on using it; to see a key again, rotate it with POST /v1/auth/api-key/rotate.'

export function authRoutes(app: App, server: Server): void {
  server.post('/v1/auth/signup', SIGNUP, async (request, reply) => {
    await signUp(app, { ...request.body, origin: limitedOrigin(request, reply) })
    return reply.code(201).send({ message: 'A verification e-mail is on its way. Follow its link, then log in.' })
  })

  server.post('/v1/auth/login', LOGIN, async (request, reply) => {
    const { session, apiKeys, account } = await logIn(app, { ...request.body, origin: limitedOrigin(request, reply) })
    request.accountId = account.id
    return {
      token: session.token,
      token_type: 'Bearer' as const,
      expires_at: presentTime(session.expiresAt),
      api_key: apiKeys.live,
      test_api_key: apiKeys.test,
      ...(apiKeys.live === null || apiKeys.test === null ? { notice: KEY_NOT_SHOWN } : {}),
      account: await presentProfile(app, account),
    }
  })

  // Without HEAD, which must change nothing: this verifies.
  server.get('/v1/auth/verify-email', { ...VERIFY_EMAIL, exposeHeadRoute: false }, async (request, reply) => {
    const result = await verifyEmail(app, { token: request.query.token, origin: limitedOrigin(request, reply) })
    const signIn = new URL('/sign-in', app.config.siteUrl)
    signIn.searchParams.set('verification', result)
    return reply.redirect(signIn.href, 302)
  })

  server.post('/v1/auth/resend-verification', RESEND_VERIFICATION, async (request, reply) => {
    await requestVerification(app, { email: request.body.email, origin: limitedOrigin(request, reply) })
    const message = 'If there is an account for this address that is not verified, a new link is on its way.'
    return reply.code(202).send({ message })
  })

  server.post('/v1/auth/forgot-password', FORGOT_PASSWORD, async (request, reply) => {
    await requestPasswordReset(app, { email: request.body.email, origin: limitedOrigin(request, reply) })
    return { message: 'If there is an account for this address, an e-mail with a link is on its way.' }
  })

  server.post('/v1/auth/reset-password', RESET_PASSWORD, async (request, reply) => {
    const { token, new_password: newPassword, revoke_api_keys: revokeApiKeys } = request.body
    const origin = limitedOrigin(request, reply)
    const { keysEnded } = await resetPassword(app, { token, newPassword, revokeApiKeys, origin })
    const keys = keysEnded ? ' Every API key has ended too; login gives you new ones.' : ''
    const message = `The password is changed and every older session has ended. Log in with the new one.${keys}`
    return { message, api_keys_revoked: keysEnded }
  })

  server.post('/v1/auth/change-password', CHANGE_PASSWORD, async (request) => {
    const { accountId } = callerOf(request)
    const { current_password: currentPassword, new_password: newPassword } = request.body
    const session = await changePassword(app, { accountId, currentPassword, newPassword, origin: originOf(request) })
    return {
      message: 'The password is changed. Every other session has ended; use this token from now on.',
      token: session.token,
      token_type: 'Bearer' as const,
      expires_at: presentTime(session.expiresAt),
    }
  })
}

const describe = describeRoutes({ tag: 'Account' })

const SIGNUP = describe({
  operationId: 'signUp',
  stable: true,
  summary: 'Open an account',
  description:
    'Sends a verification e-mail and starts no session. If an unverified account signs up again, it gets 409 and a new link; then only the newest password and the newest link work. We delete an account that is not verified within a day.',
  body: z.object({ email: Email, password: NewPassword }),
  answers: { 201: { description: 'The verification e-mail is on its way.', schema: Message } },
  errors: ['account_exists', 'password_too_common', 'rate_limited', 'busy'],
})

const LOGIN = describe({
  operationId: 'logIn',
  stable: true,
  summary: 'Start a session',
  description:
    'Returns a session token and the account’s API keys. An unknown address and a wrong password look alike.',
  body: z.object({ email: z.string().min(1).max(EMAIL_LENGTH_MAX), password: GivenPassword }),
  answers: { 200: { description: 'The session and the API keys.', schema: LoginAnswer } },
  errors: ['invalid_credentials', 'email_not_verified', 'account_disabled', 'rate_limited', 'busy'],
})

const VERIFY_EMAIL = describe({
  operationId: 'verifyEmail',
  stable: true,
  summary: 'Verify an e-mail address',
  description:
    'Takes the token of the verification e-mail. The link in the e-mail leads to a page with a button that does the same. Redirects to sign-in with `verification=verified`, `invalid`, `expired` or `already_verified`.',
  querystring: z.object({ token: Token }),
  answers: { 302: { description: 'To the sign-in page, with the result.', schema: z.null() } },
  errors: ['rate_limited'],
})

const RESEND_VERIFICATION = describe({
  operationId: 'resendVerification',
  summary: 'Ask for another verification e-mail',
  description: 'The response never shows whether an account waits for one.',
  body: z.object({ email: Email }),
  answers: { 202: { description: 'The same response for every address.', schema: Message } },
  errors: ['rate_limited'],
})

const FORGOT_PASSWORD = describe({
  operationId: 'forgotPassword',
  stable: true,
  summary: 'Ask for a password reset link',
  description: 'The response never shows whether there is an account.',
  body: z.object({ email: Email }),
  answers: { 200: { description: 'The same response for every address.', schema: Message } },
  errors: ['rate_limited'],
})

const RESET_PASSWORD = describe({
  operationId: 'resetPassword',
  stable: true,
  summary: 'Set a new password with a reset link',
  description:
    'The link works once, for an hour. This ends every older session and verifies the e-mail address. It ends the API keys with `revoke_api_keys`, and always if the account is younger than a day.',
  body: z.object({
    token: Token,
    new_password: NewPassword,
    revoke_api_keys: z.boolean().default(false).describe('Ends every API key as well; login then gives new ones.'),
  }),
  answers: { 200: { description: 'The password is changed.', schema: ResetAnswer } },
  errors: ['invalid_token', 'password_too_common', 'rate_limited', 'busy'],
})

const CHANGE_PASSWORD = describe({
  operationId: 'changePassword',
  stable: true,
  summary: 'Change the password',
  description: 'Ends every other session and returns a fresh token, so that the caller stays signed in.',
  accepts: ['session'],
  body: z.object({ current_password: GivenPassword, new_password: NewPassword }),
  answers: { 200: { description: 'The password is changed.', schema: FreshSession } },
  errors: ['password_too_common', 'busy'],
})
