/** The accounts of a run: how they are opened, and two changes of a password with a session from before each. */
import { randomBytes } from 'node:crypto'
import type { Answer, Call } from './client.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readText } from './expectations.ts'
import { NotShown } from './shown.ts'
import { waitForLink } from './surroundings.ts'

/** With what an account calls. */
export interface Credentials {
  email: string
  password: string
  token: string
  key: string
  testKey: string
}

/** The run's own account, or a ready one as far as it was given. */
export interface ReadyAccount extends Partial<Credentials> {
  isOwn: boolean
  login?: Answer
}

export type Registration = Awaited<ReturnType<typeof register>>
/** As short as is allowed, so that every password that is accepted shows the least length. */
const newPassword = () => `${randomBytes(5).toString('base64url')}9`
export const newEmail = () => `contract-${randomBytes(6).toString('hex')}@nameplate.test`

const LOGIN = '/v1/auth/login'
const SHORT = 'seven77'

/** Opens an account, from nothing to signed in, by way of the e-mail's link. */
export async function register(call: Call, { mailboxUrl }: Deployment) {
  if (!mailboxUrl) throw new NotShown('needs to read the e-mails that are sent: --mailbox-url')
  const body = { email: newEmail(), password: newPassword() }
  const signup = expectStatus(await call('POST', '/v1/auth/signup', { body }), 201)
  const loginUnverified = await call('POST', LOGIN, { body })
  // The e-mail leads to a page with a button; the endpoint of the contract takes the same token.
  const { search } = await waitForLink(mailboxUrl, { to: body.email, path: '/verify-email' })
  const verification = await call('GET', `/v1/auth/verify-email${search}`)
  const verificationAgain = await call('GET', `/v1/auth/verify-email${search}`)
  const login = expectStatus(await call('POST', LOGIN, { body }), 200)
  return { ...body, ...readKeys(login), signup, loginUnverified, verification, verificationAgain, login }
}

export async function readAccount(
  call: Call,
  { mailboxUrl, login: given, apiKey, testApiKey }: Deployment,
  registration: () => Promise<Registration>,
): Promise<ReadyAccount> {
  if (mailboxUrl && !given) return { ...(await registration()), isOwn: true }
  if (given) {
    const login = expectStatus(await call('POST', LOGIN, { body: given }), 200)
    return { ...given, ...readKeys(login), login, isOwn: false }
  }
  return { ...(apiKey ? { key: apiKey } : {}), ...(testApiKey ? { testKey: testApiKey } : {}), isOwn: false }
}

function readKeys(login: Answer): Pick<Credentials, 'token' | 'key' | 'testKey'> {
  return { token: readText(login, 'token'), key: readText(login, 'api_key'), testKey: readText(login, 'test_api_key') }
}

/** By a link, then by the account's owner. */
export async function changePasswords(call: Call, account: Registration, mailboxUrl: URL | null) {
  const password = newPassword()
  const reset = await resetPassword(call, account, { mailboxUrl, password })
  return { ...reset, ...(await changePassword(call, readText(reset.loginAfterReset, 'token'), password)) }
}

async function resetPassword(
  call: Call,
  { email, token: session }: Registration,
  { mailboxUrl, password }: { mailboxUrl: URL | null; password: string },
) {
  const forgot = expectStatus(await call('POST', '/v1/auth/forgot-password', { body: { email } }), 200)
  const token = (await waitForLink(mailboxUrl, { to: email, path: '/reset-password' })).searchParams.get('token')
  const reset = (newPassword: string) =>
    call('POST', '/v1/auth/reset-password', { body: { token, new_password: newPassword } })
  return {
    forgot,
    resetShort: await reset(SHORT),
    reset: expectStatus(await reset(password), 200),
    resetAgain: await reset(password),
    sessionBeforeReset: await call('GET', '/v1/auth/me', { token: session }),
    loginAfterReset: expectStatus(await call('POST', LOGIN, { body: { email, password } }), 200),
  }
}

async function changePassword(call: Call, session: string, current: string) {
  const send = (newPassword: string) => {
    const body = { current_password: current, new_password: newPassword }
    return call('POST', '/v1/auth/change-password', { token: session, body })
  }
  const changeShort = await send(SHORT)
  const change = expectStatus(await send(newPassword()), 200)
  const token = readText(change, 'token')
  return {
    changeShort,
    change,
    sessionBeforeChange: await call('GET', '/v1/auth/me', { token: session }),
    sessionAfterChange: await call('GET', '/v1/auth/me', { token }),
    /** The session after all of it. */
    token,
  }
}
