import {
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  readColumn,
  readMember,
  readText,
  TEXT,
} from '../expectations.ts'
import { assertSamples } from '../live-resolutions.ts'
import { type Area, row } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Stage } from '../stage.ts'
import { pollJob } from '../test-mode.ts'

const PARTNER = '/v1/partner/enrich-company'
const ASKED_AT_ONCE = 12
const ROUNDS_MAX = 3

export const STATES: Area = {
  title: 'States and transitions',
  rows: [
    row('job-pending', 'Job status pending: non-terminal, returned in pending job response', showPending),
    row(
      'job-processing',
      'Job status processing: non-terminal, returned in pending job response',
      async ({ testMode }) => {
        const queued = expectStatus(await testMode.domain(PARTNER, 'slow.test'), 202)
        expectMember(queued, 'status', equals('processing'))
        expectMember(await testMode.finished(PARTNER), 'status', equals('completed'))
        return 'slow.test with the test key; it went on to completed'
      },
    ),
    row(
      'job-failed',
      'Job status failed: returned in pending job response, with optional error_message',
      async (stage) => {
        const queued = expectStatus(await stage.testMode.domain(PARTNER, 'failed.test'), 202)
        const ended = await pollJob(stage.call, readText(queued, 'status_url'), { key: await stage.accounts.testKey() })
        expectMember(ended, 'status', equals('failed'))
        expectMember(ended, 'charged', equals(false))
        return `failed.test with the test key: ${String(expectMember(ended, 'error_message', TEXT))}`
      },
    ),
    row(
      'job-completed',
      'Job status completed: returned in completed response, carries result',
      async ({ testMode }) => {
        const ended = await testMode.finished(PARTNER)
        expectMember(ended, 'status', equals('completed'))
        return `slow.test with the test key: ${readText(ended, 'result.match_status')}`
      },
    ),
    row(
      'account-none-signup',
      '(none) → POST signup, email not already registered → unverified; verification email sent; no session is created',
      async ({ accounts }) => {
        const { signup, loginUnverified } = await accounts.registration()
        expectStatus(signup, 201)
        expectThat(readMember(signup.body, 'token') === undefined, 'no session', signup.body)
        expectRefusal(loginUnverified, 401, 'email_not_verified')
        return 'the e-mail came; the account is there, and unverified'
      },
    ),
    row(
      'account-unverified-verify',
      'unverified → GET verify-email, token valid and unused → verified; token consumed (single use); 302 to sign in',
      async ({ accounts }) => {
        const { verification, verificationAgain, login } = await accounts.registration()
        const [first, second] = [verification, verificationAgain].map((answer) => {
          const location = new URL(expectStatus(answer, 302).headers.get('location') ?? '')
          return location.searchParams.get('verification')
        })
        expectThat(first === 'verified' && second !== 'verified', 'verified, and something else the second time', [
          first,
          second,
        ])
        expectMember(login, 'account.email_verified', equals(true))
        return `${first}; the same link again: ${second}`
      },
    ),
    row('account-unverified-login', 'unverified → POST login, any → unverified; 401', async ({ accounts }) => {
      expectRefusal((await accounts.registration()).loginUnverified, 401, 'email_not_verified')
      return 'with the right password'
    }),
    row(
      'account-verified-login',
      'verified → POST login, correct credentials → verified; JWT session and account API key returned',
      async ({ accounts, call }) => {
        const { login } = await accounts.registration()
        const [token, key] = [readText(expectStatus(login, 200), 'token'), readText(login, 'api_key')]
        expectStatus(await call('GET', '/v1/auth/me', { token }), 200)
        expectStatus(await call('GET', '/v1/auth/me', { key }), 200)
        return 'both work'
      },
    ),
    row(
      'reset-generic',
      'any account → POST forgot-password, any email → generic 200; never reveals whether the account exists',
      async ({ passwords, accounts }) => {
        const [known, unknown] = [(await passwords()).forgot, await accounts.refusals.forgotUnknown()]
        for (const answer of [known, unknown]) expectStatus(answer, 200)
        expectThat(known.text === unknown.text, 'the same words for both', [known.body, unknown.body])
        return 'an address with an account and one without: the same answer'
      },
    ),
    row(
      'reset-consumed',
      'reset token issued → POST reset-password, token valid, unused, unexpired → password updated, token consumed, older sessions invalidated',
      async ({ passwords }) => {
        const { reset, resetAgain, loginAfterReset, sessionBeforeReset } = await passwords()
        expectStatus(reset, 200)
        expectRefusal(resetAgain, 400, 'invalid_token')
        expectStatus(loginAfterReset, 200)
        expectRefusal(sessionBeforeReset, 401, 'invalid_credentials')
        return 'the new password signs in, the link is spent, the session from before has ended'
      },
    ),
    row(
      'watch-new',
      'not watched → POST watchlist, company exists and limit not reached → watched (201)',
      async ({ watching }) => {
        const { watched, listed, number } = await watching()
        expectStatus(watched, 201)
        expectThat(readColumn(listed, 'data', 'company_number').includes(number), `${number} on the list`, listed.body)
        return number
      },
    ),
    row(
      'watch-again',
      'watched → POST watchlist, same company again → watched (200, already watched)',
      async ({ watching }) => {
        const { watchedAgain, listed, number } = await watching()
        expectStatus(watchedAgain, 200)
        const entries = readColumn(listed, 'data', 'company_number').filter((each) => each === number)
        expectThat(entries.length === 1, 'one entry', entries)
        return `${number} stays on the list once`
      },
    ),
    row('watch-end', 'watched → DELETE watchlist/{company_number} → not watched (200)', async ({ watching }) => {
      const { unwatched, listedAfter, unwatchedAgain, number } = await watching()
      expectStatus(unwatched, 200)
      expectThat(!readColumn(listedAfter, 'data', 'company_number').includes(number), `no ${number}`, listedAfter.body)
      expectStatus(unwatchedAgain, 200)
      return `${number} is off the list; to unwatch it again changes nothing`
    }),
  ],
}

/**
 * Work that nobody has begun yet. More is asked for at once than is worked on at once, so that some of it waits; where
 * workers are many, it may take more than one round.
 */
async function showPending({ call, accounts, deployment, live }: Stage): Promise<string> {
  assertSamples(deployment)
  await live()
  const key = await accounts.key()
  const run = Date.now().toString(36)
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const domains = Array.from({ length: ASKED_AT_ONCE }, (_, index) => `contract-${run}-${round}-${index}.co.uk`)
    const answers = await Promise.all(domains.map((domain) => call('POST', '/v1/enrich', { key, body: { domain } })))
    const pending = answers.find((answer) => readMember(expectStatus(answer, 202).body, 'status') === 'pending')
    const ended = await Promise.all(answers.map((answer) => pollJob(call, readText(answer, 'status_url'), { key })))
    for (const answer of ended) expectMember(answer, 'status', equals('completed'))
    if (pending) return 'live, domains that nobody has: pending, then completed'
  }
  throw new NotShown('needs work that waits, and every job was begun before it could be asked about')
}
