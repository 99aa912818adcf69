import type { App } from '../app.ts'
import { grantCredits } from '../credits/index.ts'
import { addMonthsToDate, toLondonDate } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'

/** The credits and limits of each plan. */
export const PLANS = {
  free: {
    monthlyCredits: 0,
    watchlistMax: 25,
    bulkRowsMax: 10_000,
    limits: toLimits({ api: 20, partner: 10, mcp: 20 }),
  },
  starter: {
    monthlyCredits: 500,
    watchlistMax: 500,
    bulkRowsMax: 10_000,
    limits: toLimits({ api: 20, partner: 10, mcp: 20 }),
  },
  growth: {
    monthlyCredits: 5_000,
    watchlistMax: 5_000,
    bulkRowsMax: 100_000,
    limits: toLimits({ api: 40, partner: 25, mcp: 40 }),
  },
  scale: {
    monthlyCredits: 50_000,
    watchlistMax: 50_000,
    bulkRowsMax: 100_000,
    limits: toLimits({ api: 100, partner: 100, mcp: 100 }),
  },
} as const

/** Returns the rate limits for so many requests a second each, with bursts of six seconds. */
function toLimits({ api, partner, mcp }: Record<LimitClass, number>) {
  const toLimit = (perSecond: number) => ({ perSecond, burst: perSecond * 6 })
  return { api: toLimit(api), partner: toLimit(partner), mcp: toLimit(mcp) }
}

/** Which of a plan's rate limits an endpoint falls under. */
export type LimitClass = 'api' | 'partner' | 'mcp'

export type PlanName = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]]

/** Credits given once, when the e-mail address is verified. */
export const WELCOME_CREDITS = 25

const RENEWALS_MAX = 10_000

/** Renews every plan that is due, one transaction each. Answers how many. */
export async function renewPlans(app: App): Promise<number> {
  const today = toLondonDate(app.clock.now())
  let renewed = 0
  while (renewed < RENEWALS_MAX && (await app.db.transaction((tx) => renewNextPlan(app, tx, today)))) renewed += 1
  return renewed
}

async function renewNextPlan(app: App, tx: Tx, today: string): Promise<boolean> {
  const [due] = await tx.query<{ id: string; plan: PlanName; plan_renews_on: string }>(
    `select id, plan, plan_renews_on from account where plan_renews_on <= $1 and disabled_at is null
     order by plan_renews_on limit 1 for update skip locked`,
    [today],
  )
  if (!due) return false
  await startPlanMonth(tx, { accountId: due.id, plan: due.plan, startsOn: due.plan_renews_on, at: app.clock.now() })
  return true
}

/** Gives the month's credits and sets the next renewal. The month's start is the reference, so it is given once. */
export async function startPlanMonth(
  tx: Tx,
  month: { accountId: string; plan: PlanName; startsOn: string; at: Date },
): Promise<void> {
  const { accountId, plan, startsOn, at } = month
  const { monthlyCredits } = PLANS[plan]
  const renewsOn = monthlyCredits > 0 ? addMonthsToDate(startsOn, 1) : null
  await tx.query('update account set plan_renews_on = $2 where id = $1', [accountId, renewsOn])
  if (monthlyCredits === 0) return
  const reference = `plan:${plan}:${startsOn}`
  await grantCredits(tx, { accountId, amountCredits: monthlyCredits, reason: 'plan', reference, at })
}
