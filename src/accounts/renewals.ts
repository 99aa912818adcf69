import type { App } from '../app.ts'
import { grantCredits } from '../credits/index.ts'
import { addMonthsToDate, toLondonDate } from '../lib/clock.ts'
import type { Tx } from '../lib/db/db.ts'
import { PLANS, type PlanName } from './plans.ts'

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
