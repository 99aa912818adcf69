/** The accounts of a run, and every answer on the way of opening them. */
import { randomBytes } from 'node:crypto'
import type { Answer, Ask, Call } from './client.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readText } from './expectations.ts'
import { assertMailbox, waitForLink } from './mailbox.ts'
import { NotShown, once } from './shown.ts'

/** What an account calls with. */
export interface Credentials {
  email: string
  password: string
  token: string
  key: string
  testKey: string
}

/** From nothing to signed in, by way of the e-mail's link. */
export interface Registration extends Credentials {
  signup: Answer
  loginUnverified: Answer
  verification: Answer
  verificationAgain: Answer
  login: Answer
}

/** The run's own account, or a ready one as far as it was given. */
export interface ReadyAccount extends Partial<Credentials> {
  isOwn: boolean
  login?: Answer
}

export interface Accounts {
  /** Opened by this run; needs a mailbox. */
  registration: () => Promise<Registration>
  /** A second one, to show that neither sees the other's things. */
  second: () => Promise<Registration>
  /** A third one, whose passwords are changed: a reset ends the keys of an account as young as this. */
  third: () => Promise<Registration>
  ready: () => Promise<ReadyAccount>
  key: () => Promise<string>
  testKey: () => Promise<string>
  session: () => Promise<string>
  login: () => Promise<Answer>
  refusals: Refusals
}

/** What can be refused without changing anything, on whichever account. */
export interface Refusals {
  loginWrong: () => Promise<Answer>
  signupAgain: () => Promise<Answer>
  changeWrong: () => Promise<Answer>
  resetUnknown: () => Promise<Answer>
  verificationUnknown: () => Promise<Answer>
  /** Not refused, as nobody may learn that there is no such account. */
  forgotUnknown: () => Promise<Answer>
}

/** As short as is allowed, so that the least length is shown by every password that is taken. */
export const newPassword = () => `${randomBytes(5).toString('base64url')}9`
const newEmail = () => `contract-${randomBytes(6).toString('hex')}@nameplate.test`

export const LOGIN = '/v1/auth/login'

export function createAccounts(call: Call, deployment: Deployment): Accounts {
  const registration = once(() => register(call, deployment))
  const ready = once(() => readAccount(call, deployment, registration))
  const orNotShown = <Value>(value: Value | undefined, option = ''): Value => {
    if (value !== undefined) return value
    throw new NotShown(`needs an account: --mailbox-url, or --email and --password${option}`)
  }
  const session = async () => orNotShown((await ready()).token)
  return {
    registration,
    second: once(() => register(call, deployment)),
    third: once(() => register(call, deployment)),
    ready,
    key: async () => orNotShown((await ready()).key, ', or --api-key'),
    testKey: async () => orNotShown((await ready()).testKey, ', or --test-api-key'),
    session,
    login: async () => orNotShown((await ready()).login),
    refusals: createRefusals(call, ready, session),
  }
}

function createRefusals(call: Call, ready: () => Promise<ReadyAccount>, session: () => Promise<string>): Refusals {
  const post = (path: string, ask: Ask) => call('POST', `/v1/auth/${path}`, ask)
  const known = async () => {
    const { email, password } = await ready()
    if (email === undefined) throw new NotShown('needs an account: --mailbox-url, or --email and --password')
    return { email, password }
  }
  return {
    loginWrong: once(async () => post('login', { body: { ...(await known()), password: newPassword() } })),
    signupAgain: once(async () => post('signup', { body: await known() })),
    changeWrong: once(async () => {
      const body = { current_password: newPassword(), new_password: newPassword() }
      return post('change-password', { token: await session(), body })
    }),
    resetUnknown: once(() => post('reset-password', { body: { token: 'never-given', new_password: newPassword() } })),
    verificationUnknown: once(() => call('GET', '/v1/auth/verify-email?token=never-given')),
    forgotUnknown: once(() => post('forgot-password', { body: { email: newEmail() } })),
  }
}

async function readAccount(
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

async function register(call: Call, { mailboxUrl }: Deployment): Promise<Registration> {
  assertMailbox(mailboxUrl)
  const credentials = { email: newEmail(), password: newPassword() }
  const signup = expectStatus(await call('POST', '/v1/auth/signup', { body: credentials }), 201)
  const loginUnverified = await call('POST', LOGIN, { body: credentials })
  // The e-mail leads to a page with a button; the endpoint of the contract takes the same token.
  const { search } = await waitForLink(mailboxUrl, { to: credentials.email, path: '/verify-email' })
  const verification = await call('GET', `/v1/auth/verify-email${search}`)
  const verificationAgain = await call('GET', `/v1/auth/verify-email${search}`)
  const login = expectStatus(await call('POST', LOGIN, { body: credentials }), 200)
  const steps = { signup, loginUnverified, verification, verificationAgain, login }
  return { ...credentials, ...readKeys(login), ...steps }
}

function readKeys(login: Answer): Pick<Credentials, 'token' | 'key' | 'testKey'> {
  return { token: readText(login, 'token'), key: readText(login, 'api_key'), testKey: readText(login, 'test_api_key') }
}
