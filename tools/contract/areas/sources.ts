/** Requests whose answers rows of several areas check. */
import { newEmail } from '../accounts.ts'
import { initialize } from '../agent.ts'
import { expectStatus, readText } from '../expectations.ts'
import { ask, type Source } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Sender, Stage } from '../stage.ts'

export const PARTNER_PATH = '/v1/partner/enrich-company'
export const OPENAPI = ask('GET /openapi.json')
export const HEALTH = ask('GET /healthz')
export const ME = ask('GET /v1/auth/me', 'key')
export const UNKNOWN_JOB = ask('GET /v1/enrich/status/job_unknown')

const WRONG_PASSWORD = 'not the password'

const known = async ({ account }: Stage) => {
  const { email, password } = await account()
  if (email === undefined) throw new NotShown('needs an account: --mailbox-url, or --email and --password')
  return { email, password }
}

/** Refusals that change nothing, whatever the account. */
export const LOGIN_WRONG: Source = async (stage) =>
  stage.ask({ to: 'POST /v1/auth/login', body: { ...(await known(stage)), password: WRONG_PASSWORD } })
export const SIGNUP_AGAIN: Source = async (stage) => stage.ask({ to: 'POST /v1/auth/signup', body: await known(stage) })
export const CHANGE_WRONG = ask('POST /v1/auth/change-password', 'token', {
  current_password: WRONG_PASSWORD,
  new_password: 'another password',
})
export const RESET_UNKNOWN = ask('POST /v1/auth/reset-password', undefined, {
  token: 'never-given',
  new_password: 'another password',
})
export const VERIFICATION_UNKNOWN = ask('GET /v1/auth/verify-email?token=never-given')

/** Not refused, so that no caller learns which accounts exist. */
export const FORGOT_UNKNOWN = ask('POST /v1/auth/forgot-password', undefined, { email: newEmail() })

/** The first message to the agent endpoint. */
export const initialized =
  (sender?: Sender): Source =>
  async ({ call, as }) =>
    initialize(call, sender ? await as(sender) : {})

const jobPath = async ({ ask }: Stage): Promise<string> => {
  const queued = await ask({ to: `POST ${PARTNER_PATH}`, as: 'testKey', body: { domain: 'slow.test' } })
  return `${PARTNER_PATH}/${readText(expectStatus(queued, 202), 'job_id')}`
}

/** The same job, asked for by the account that created it and by another one. */
export const OWN_JOB: Source = async (stage) => stage.call('GET', await jobPath(stage), await stage.as('testKey'))
export const FOREIGN_JOB: Source = async (stage) => {
  const key = readText((await stage.steps.passwords()).loginAfterReset, 'test_api_key')
  return stage.call('GET', await jobPath(stage), { key })
}
