import { z } from 'zod'
import { type Account, describeApiKeys, findAccount, listApiKeys, PLAN_NAMES, PLANS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { getBalance } from '../../../credits/index.ts'
import { countWatched, readNotifications, setNotifications } from '../../../signals/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

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

const Choice = z.object({
  daily_digest: z.boolean().describe('One e-mail each morning after 7:00 in London, on days with new signals.'),
})

const Notifications = Choice.extend({ email: z.string().describe('Where it goes: the address of the account.') }).meta({
  id: 'Notifications',
})

export function notificationsRoutes(app: App, server: Server): void {
  server.get('/v1/account/notifications', SHOW, async (request) => {
    const { accountId } = callerOf(request)
    return presentNotifications(app, accountId)
  })

  server.patch('/v1/account/notifications', CHANGE, async (request) => {
    const { accountId, mode } = callerOf(request)
    // There is no digest of test signals, and to seem to obey would hide that the real one stays as it is.
    if (mode === 'test') throw invalidRequest([{ field: 'X-API-Key', message: 'must be the live key, or a session' }])
    await setNotifications(app.db, { accountId, dailyDigest: request.body.daily_digest, at: app.clock.now() })
    return presentNotifications(app, accountId)
  })
}

async function presentNotifications(app: App, accountId: string): Promise<z.input<typeof Notifications>> {
  const [account, { dailyDigest }] = await Promise.all([
    findAccount(app.db, accountId),
    readNotifications(app.db, accountId),
  ])
  if (!account) throw new Error(`caller ${accountId} has no account`)
  return { daily_digest: dailyDigest, email: account.email }
}

const describe = describeRoutes({ tag: 'Account', accepts: ['session', 'key'] })

const ME = describe({
  operationId: 'getAccount',
  summary: 'The account behind the credential',
  answers: {
    200: { description: 'Balance, plan, watchlist usage and what may be shown of the keys.', schema: AccountProfile },
  },
})

const SHOW = describe({
  operationId: 'getNotifications',
  summary: 'The e-mail notifications of the account',
  answers: { 200: { description: 'Whether the daily digest is on, and where it goes.', schema: Notifications } },
})

const CHANGE = describe({
  operationId: 'changeNotifications',
  summary: 'Turn the daily digest on or off',
  description:
    'The digest lists the signals of the companies you watch, from the moment you turn it on. Every e-mail has a link that turns it off. A test key can read this setting but not change it.',
  body: Choice,
  answers: { 200: { description: 'The setting as it is now.', schema: Notifications } },
})
