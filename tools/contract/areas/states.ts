import { expectMember, expectStatus, readPath, readText } from '../expectations.ts'
import { assertSamples, pollJob } from '../resolutions.ts'
import { area, finished, from, gives, refuses, tested } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Stage } from '../stage.ts'
import * as is from '../values.ts'
import { FORGOT_UNKNOWN, PARTNER_PATH } from './sources.ts'
import { isListed, isNotListed } from './watching.ts'

const ASKED_AT_ONCE = 12
const ROUNDS_MAX = 3

export const VERIFIED = is.matching(/[?&]verification=verified(?:&|$)/, 'an address that says verified')

export const STATES = area('States and transitions', {
  'job-pending: Job status pending: non-terminal, returned in pending job response': showPending,
  'job-processing: Job status processing: non-terminal, returned in pending job response': [
    gives(tested(PARTNER_PATH, 'slow.test'), 202, { status: 'processing' }),
    gives(finished(PARTNER_PATH), 200, { status: 'completed' }),
  ],
  'job-failed: Job status failed: returned in pending job response, with optional error_message': [
    gives(tested(PARTNER_PATH, 'failed.test'), 202),
    gives(finished(PARTNER_PATH, 'failed.test'), 200, { status: 'failed', charged: false, error_message: is.shown }),
  ],
  'job-completed: Job status completed: returned in completed response, carries result': [
    gives(finished(PARTNER_PATH), 200, { status: 'completed', 'result.match_status': is.shown }),
  ],
  'account-none-signup: (none) → POST signup, email not already registered → unverified; verification email sent; no session is created':
    [
      gives(from('registration', 'signup'), 201, { token: is.absent }),
      refuses(from('registration', 'loginUnverified'), 401, 'email_not_verified'),
    ],
  'account-unverified-verify: unverified → GET verify-email, token valid and unused → verified; token consumed (single use); 302 to sign in':
    [
      gives(from('registration', 'verification'), 302, { '@location': VERIFIED }),
      gives(from('registration', 'verificationAgain'), 302, { '@location': is.not(VERIFIED) }),
      gives(from('registration', 'login'), 200, { 'account.email_verified': true }),
    ],
  'account-unverified-login: unverified → POST login, any → unverified; 401': [
    refuses(from('registration', 'loginUnverified'), 401, 'email_not_verified'),
  ],
  'account-verified-login: verified → POST login, correct credentials → verified; JWT session and account API key returned':
    async ({ steps, call }) => {
      const { token, key } = await steps.registration()
      for (const credential of [{ token }, { key }]) expectStatus(await call('GET', '/v1/auth/me', credential), 200)
      return 'both work'
    },
  'reset-generic: any account → POST forgot-password, any email → generic 200; never reveals whether the account exists':
    [
      gives(from('passwords', 'forgot'), 200, async (stage) => {
        // The whole text is the same for an address without an account.
        const unknown = expectStatus(await FORGOT_UNKNOWN(stage), 200)
        return { $text: unknown.text }
      }),
    ],
  'reset-consumed: reset token issued → POST reset-password, token valid, unused, unexpired → password updated, token consumed, older sessions invalidated':
    [
      gives(from('passwords', 'reset'), 200),
      refuses(from('passwords', 'resetAgain'), 400, 'invalid_token'),
      gives(from('passwords', 'loginAfterReset'), 200),
      refuses(from('passwords', 'sessionBeforeReset'), 401, 'invalid_credentials'),
    ],
  'watch-new: not watched → POST watchlist, company exists and limit not reached → watched (201)': [
    gives(from('watching', 'watched'), 201),
    gives(from('watching', 'listed'), 200, isListed),
  ],
  'watch-again: watched → POST watchlist, same company again → watched (200, already watched)': [
    gives(from('watching', 'watchedAgain'), 200),
    gives(from('watching', 'listed'), 200, isListed),
  ],
  'watch-end: watched → DELETE watchlist/{company_number} → not watched (200)': [
    gives(from('watching', 'unwatched'), 200),
    gives(from('watching', 'listedAfter'), 200, isNotListed),
    gives(from('watching', 'unwatchedAgain'), 200),
  ],
})

/**
 * Work that no worker has begun. More is asked for at once than workers do at once, so that some of it waits; if there are many
 * workers, it may take more than one round.
 */
async function showPending({ call, as, deployment, steps }: Stage): Promise<string> {
  assertSamples(deployment)
  await steps.live()
  const sender = await as('key')
  const run = Date.now().toString(36)
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const domains = Array.from({ length: ASKED_AT_ONCE }, (_, index) => `contract-${run}-${round}-${index}.co.uk`)
    const answers = await Promise.all(
      domains.map((domain) => call('POST', '/v1/enrich', { ...sender, body: { domain } })),
    )
    const pending = answers.find((answer) => readPath(expectStatus(answer, 202).body, 'status') === 'pending')
    const ended = await Promise.all(answers.map((answer) => pollJob(call, readText(answer, 'status_url'), sender)))
    for (const answer of ended) expectMember(answer, 'status', 'completed')
    if (pending) return 'live, domains that do not exist: pending, then completed'
  }
  throw new NotShown('needs work that waits, and every job was begun before it could be asked about')
}
