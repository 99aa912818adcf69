/** Two changes of a password, by a link and by its owner, with a session from before each. */
import { LOGIN, newPassword, type Registration } from './accounts.ts'
import type { Answer, Call } from './client.ts'
import { expectStatus, readText } from './expectations.ts'
import { waitForLink } from './mailbox.ts'

interface Reset {
  forgot: Answer
  resetShort: Answer
  reset: Answer
  resetAgain: Answer
  sessionBeforeReset: Answer
  loginAfterReset: Answer
}

interface Change {
  changeShort: Answer
  change: Answer
  sessionBeforeChange: Answer
  sessionAfterChange: Answer
  /** The session after all of it. */
  token: string
}

export type PasswordChanges = Reset & Change

const SHORT = 'seven77'

export async function changePasswords(
  call: Call,
  account: Registration,
  mailboxUrl: URL | null,
): Promise<PasswordChanges> {
  const password = newPassword()
  const reset = await resetPassword(call, account, { mailboxUrl, password })
  return { ...reset, ...(await changePassword(call, readText(reset.loginAfterReset, 'token'), password)) }
}

async function resetPassword(
  call: Call,
  { email, token: session }: Registration,
  { mailboxUrl, password }: { mailboxUrl: URL | null; password: string },
): Promise<Reset> {
  const forgot = expectStatus(await call('POST', '/v1/auth/forgot-password', { body: { email } }), 200)
  const token = (await waitForLink(mailboxUrl, { to: email, path: '/reset-password' })).searchParams.get('token')
  const reset = (body: object) =>
    call('POST', '/v1/auth/reset-password', { body: { token, new_password: password, ...body } })
  return {
    forgot,
    resetShort: await reset({ new_password: SHORT }),
    reset: expectStatus(await reset({}), 200),
    resetAgain: await reset({}),
    sessionBeforeReset: await call('GET', '/v1/auth/me', { token: session }),
    loginAfterReset: expectStatus(await call('POST', LOGIN, { body: { email, password } }), 200),
  }
}

async function changePassword(call: Call, session: string, current: string): Promise<Change> {
  const change = (body: object) =>
    call('POST', '/v1/auth/change-password', {
      token: session,
      body: { current_password: current, new_password: newPassword(), ...body },
    })
  const changeShort = await change({ new_password: SHORT })
  const changed = expectStatus(await change({}), 200)
  const token = readText(changed, 'token')
  return {
    changeShort,
    change: changed,
    sessionBeforeChange: await call('GET', '/v1/auth/me', { token: session }),
    sessionAfterChange: await call('GET', '/v1/auth/me', { token }),
    token,
  }
}
