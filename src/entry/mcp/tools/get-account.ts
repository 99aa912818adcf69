import { z } from 'zod'
import { findAccount, PLAN_NAMES, PLANS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { getBalance, readSpending } from '../../../credits/index.ts'
import { countWatched } from '../../../signals/index.ts'
import type { Agent } from '../authenticate.ts'
import { defineTool, READS } from '../tool.ts'

const Connection = z.object({
  client_name: z.string().describe('What the connected program calls itself.'),
  daily_credit_cap: z.int().describe('What it may spend in a day, London time.'),
  credits_left_today: z.int(),
})

export const getAccount = defineTool({
  name: 'get_account',
  title: 'How many credits are left?',
  description:
    'How many credits are left on this account? Shows the balance and what is available, the plan and its renewal date, ' +
    'how many watchlist places are used, and the daily spending cap of this connection with what remains of it today. ' +
    'Use it before large batches, for questions about budget, billing, quota or subscription, and after a refusal for lack ' +
    'of credits. Free.',
  input: z.strictObject({}),
  output: z.object({
    account_id: z.string(),
    mode: z.enum(['live', 'test']).describe('`test`: nothing is spent, and only test domains and companies answer.'),
    credits: z.object({
      balance: z.int(),
      held: z.int().describe('Reserved for running work.'),
      available: z.int().describe('Available for new questions.'),
    }),
    plan: z.enum(PLAN_NAMES),
    monthly_credits: z.int(),
    renews_on: z.string().nullable(),
    watchlist: z.object({ used: z.int(), limit: z.int() }),
    connection: Connection.nullable().describe('Null when an API key is used: keys have no cap.'),
  }),
  hints: READS,
  answer: async (app, _input, { agent }) => {
    const account = await findAccount(app.db, agent.accountId)
    if (!account) throw new Error(`caller ${agent.accountId} has no account`)
    const [credits, used, connection] = await Promise.all([
      getBalance(app.db, agent.accountId),
      countWatched(app.db, agent),
      describeConnection(app, agent),
    ])
    const { monthlyCredits, watchlistMax } = PLANS[account.plan]
    const structured = {
      account_id: account.id,
      mode: agent.mode,
      credits,
      plan: account.plan,
      monthly_credits: monthlyCredits,
      renews_on: account.planRenewsOn,
      watchlist: { used, limit: watchlistMax },
      connection,
    }
    const lines = [
      `Credits available: ${credits.available} (and ${credits.held} reserved for running work).`,
      `Plan: ${account.plan}, with ${monthlyCredits} credits a month. Watchlist places used: ${used} of ${watchlistMax}.`,
      connection
        ? `Daily cap of this connection: ${connection.daily_credit_cap} credits. Left today: ${connection.credits_left_today}.`
        : null,
      agent.mode === 'test' ? 'This is a test key: nothing is spent.' : null,
    ]
    return { structured, text: lines.filter(Boolean).join('\n') }
  },
})

async function describeConnection(app: App, { connection }: Agent): Promise<z.input<typeof Connection> | null> {
  if (!connection) return null
  const spending = await readSpending(app.db, { capId: connection.id, at: app.clock.now() })
  return {
    client_name: connection.clientName,
    daily_credit_cap: spending.dailyCredits,
    credits_left_today: Math.max(0, spending.dailyCredits - spending.creditsToday),
  }
}
