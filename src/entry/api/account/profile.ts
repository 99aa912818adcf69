import { z } from 'zod'
import { type Account, describeApiKeys, findAccount, listApiKeys, PLAN_NAMES, PLANS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { countWatched } from '../../../signals/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'

const KeyDescription = z
  .object({ prefix: z.string(), last4: z.string(), created_at: Time, last_used_at: Time.nullable() })
  .meta({ id: 'ApiKeyDescription', description: 'What may be shown of a key.' })

const LivingKey = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    prefix: z.string(),
    last4: z.string(),
    created_at: Time,
    last_used_at: Time.nullable(),
    ends_at: Time.nullable().describe('When a key that was replaced stops working; null for the current one.'),
  })
  .meta({ id: 'LivingApiKey', description: 'A key that works, and what may be shown of it.' })

export const AccountProfile = z
  .object({
    account_id: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    created_at: Time,
    credits: z.object({
      balance: z.int().describe('Granted and not spent.'),
      held: z.int().describe('Reserved for running work.'),
      available: z.int().describe('What new work may use: balance less held.'),
    }),
    subscription: z.object({
      plan: z.enum(PLAN_NAMES),
      status: z.literal('active'),
      renews_on: CalendarDate.nullable(),
      monthly_credits: z.int(),
    }),
    watchlist: z.object({ used: z.int(), limit: z.int() }),
    api_key: KeyDescription,
    test_api_key: KeyDescription,
    api_keys: z.array(LivingKey).describe('Every key that works: live before test, the current one first.'),
  })
  .meta({ id: 'Account' })

export function profileRoutes(app: App, server: Server): void {
  server.get('/v1/auth/me', ME, async (request) => {
    const caller = callerOf(request)
    const account = await findAccount(app.db, caller.accountId)
    if (!account) throw new Error(`caller ${caller.accountId} has no account`)
    return presentProfile(app, account)
  })
}

const ME = describeRoute({
  operationId: 'getAccount',
  stable: true,
  summary: 'The account behind the credential',
  tag: 'Account',
  accepts: ['session', 'key'],
  answers: {
    200: { description: 'Balance, plan, watchlist usage and what may be shown of the keys.', schema: AccountProfile },
  },
})

export async function presentProfile(app: App, account: Account): Promise<z.input<typeof AccountProfile>> {
  const [credits, keys, living, used] = await Promise.all([
    getBalance(app.db, account.id),
    describeApiKeys(app.db, account.id),
    listApiKeys(app.db, { accountId: account.id, at: app.clock.now() }),
    countWatched(app.db, { accountId: account.id, mode: 'live' }),
  ])
  const plan = PLANS[account.plan]
  return {
    account_id: account.id,
    email: account.email,
    email_verified: account.verifiedAt !== null,
    created_at: presentTime(account.createdAt),
    credits,
    subscription: {
      plan: account.plan,
      status: 'active',
      renews_on: account.planRenewsOn,
      monthly_credits: plan.monthlyCredits,
    },
    watchlist: { used, limit: plan.watchlistMax },
    api_key: presentMembers(keys.live),
    test_api_key: presentMembers(keys.test),
    api_keys: living.map(presentMembers),
  }
}
