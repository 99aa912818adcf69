import type { Answer } from '../client.ts'
import {
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  INTEGER,
  readNumber,
  readText,
} from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Stage } from '../stage.ts'

const BURST_MAX = 200
const AT_ONCE = 20

export const LIMITS: Area = {
  title: 'Limits',
  rows: [
    row('limit-password-signup', 'Password minimum length: 8 characters (sign-up)', async ({ call, accounts }) => {
      const body = { email: 'somebody@nameplate.test', password: 'seven77' }
      expectRefusal(await call('POST', '/v1/auth/signup', { body }), 400, 'invalid_request')
      const { password, signup } = await accounts.registration()
      expectStatus(signup, 201)
      return `7 are refused, ${password.length} are taken`
    }),
    row('limit-password-reset', 'Password minimum length: 8 characters (reset)', async ({ passwords }) => {
      const { resetShort, reset } = await passwords()
      expectRefusal(resetShort, 400, 'invalid_request')
      expectStatus(reset, 200)
      return '7 are refused, 8 are taken'
    }),
    row('limit-password-change', 'Password minimum length: 8 characters (change)', async ({ passwords }) => {
      const { changeShort, change } = await passwords()
      expectRefusal(changeShort, 400, 'invalid_request')
      expectStatus(change, 200)
      return '7 are refused, 8 are taken'
    }),
    row('limit-feed-page', 'Signals feed: page default 1', async ({ call, accounts }) => {
      expectMember(
        expectStatus(await call('GET', '/v1/signals', { token: await accounts.session() }), 200),
        'page',
        equals(1),
      )
      return 'asked without it'
    }),
    row('limit-feed-limit', 'Signals feed: limit default 20', async ({ call, accounts }) => {
      expectMember(
        expectStatus(await call('GET', '/v1/signals', { token: await accounts.session() }), 200),
        'limit',
        equals(20),
      )
      return 'asked without it'
    }),
    row('limit-history-limit', 'Company signals: limit default 20', async ({ call, accounts, companies }) => {
      const path = `/v1/companies/${(await companies())[0]}/signals`
      expectMember(expectStatus(await call('GET', path, { token: await accounts.session() }), 200), 'limit', equals(20))
      return 'asked without it'
    }),
    row(
      'limit-watchlist',
      'Watchlist size is capped per account; exceeding it yields 402',
      async ({ call, accounts, overfull }) => {
        const me = await call('GET', '/v1/auth/me', { key: await accounts.key() })
        const { answer, how } = await overfull()
        expectRefusal(answer, 402, 'plan_limit_reached')
        return `${String(expectMember(me, 'watchlist.limit', INTEGER))} here; ${how}`
      },
    ),
    charge('matched', 'Resolution cost: 1 resolution for matched', true),
    charge('verified', 'Resolution cost: 1 resolution for verified', true),
    charge('needsReview', 'Resolution cost: none for needs_review; reported in charged and charge_reason', false),
    charge('noMatch', 'Resolution cost: none for no_match; reported in charged and charge_reason', false),
    // Last, as it uses up what the account may ask for.
    row('limit-partner', 'Partner enrichment is rate limited (429)', showRateLimit),
  ],
}

function charge(outcome: keyof Awaited<ReturnType<Stage['live']>>, words: string, isCharged: boolean): Row {
  return row(`limit-cost-${outcome.toLowerCase()}`, words, async ({ live }) => {
    const { finished, spentCredits } = (await live())[outcome]
    expectMember(finished, 'charged', equals(isCharged))
    expectThat(spentCredits === Number(isCharged), `${Number(isCharged)} credits`, spentCredits)
    return `live: charged ${isCharged}, ${readText(finished, 'charge_reason')}`
  })
}

/** Asks for an unknown job, which costs nothing, until the account's burst is used up. */
async function showRateLimit({ call, accounts }: Stage): Promise<string> {
  const key = await accounts.key()
  const ask = () => call('GET', '/v1/partner/enrich-company/job_unknown', { key, takesLimit: true })
  const policy = (await ask()).headers.get('ratelimit-policy') ?? ''
  const burst = Number(/q=(\d+)/.exec(policy)?.[1])
  if (burst > BURST_MAX) throw new NotShown(`would have to send ${burst} requests at once: ${policy}`)
  const refused = await findRefused(ask)
  expectRefusal(refused, 429, 'rate_limited')
  expectThat(
    readNumber(refused, 'status') === 429 && Number(refused.headers.get('retry-after')) > 0,
    'Retry-After',
    null,
  )
  return `${policy}: ${readText(refused, 'detail')}`
}

async function findRefused(ask: () => Promise<Answer>): Promise<Answer> {
  let last = await ask()
  for (let sent = 0; sent < 2 * BURST_MAX && last.status !== 429; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask))
    last = answers.find(({ status }) => status === 429) ?? last
  }
  return last
}
