import { DomainError } from '../errors.ts'
import { toLondonDate } from '../lib/clock.ts'
import type { Db, Tx } from '../lib/db/db.ts'

/** Sets the limit of a program that acts for an account: so many credits in a London day. */
export async function putSpendingCap(
  tx: Tx,
  cap: { id: string; accountId: string; dailyCredits: number },
): Promise<void> {
  await tx.query(
    `insert into spending_cap (id, account_id, daily_credits) values ($1, $2, $3)
     on conflict (id) do update set daily_credits = excluded.daily_credits`,
    [cap.id, cap.accountId, cap.dailyCredits],
  )
}

interface Spending {
  dailyCredits: number
  /** Spent today, or set aside for work under way. */
  creditsToday: number
}

export async function readSpending(db: Db, { capId, at }: { capId: string; at: Date }): Promise<Spending> {
  const [row] = await db.query<{ daily_credits: number; credits: number | null }>(
    `select daily_credits, spending_day.credits from spending_cap
     left join spending_day on cap_id = id and day = $2 where id = $1`,
    [capId, toLondonDate(at)],
  )
  return { dailyCredits: row?.daily_credits ?? 0, creditsToday: row?.credits ?? 0 }
}

/** Counts one credit against the day's cap, or refuses. */
export async function takeFromCap(tx: Tx, { capId, at }: { capId: string; at: Date }): Promise<void> {
  const taken = await tx.query(
    `insert into spending_day as today (cap_id, day, credits)
     select id, $2, 1 from spending_cap where id = $1 and daily_credits > 0
     on conflict (cap_id, day) do update set credits = today.credits + 1
       where today.credits < (select daily_credits from spending_cap where id = $1)
     returning credits`,
    [capId, toLondonDate(at)],
  )
  if (taken.length > 0) return
  const { dailyCredits } = await readSpending(tx, { capId, at })
  throw new DomainError(
    'connection_cap_reached',
    `This connection may spend ${dailyCredits} ${dailyCredits === 1 ? 'credit' : 'credits'} a day, and today's are used up. The account's owner can raise the cap under "Connected apps" on the site; it resets at midnight London time.`,
  )
}

/** A hold that came to nothing does not count. */
export async function giveBackToCap(tx: Tx, taken: { capId: string; day: string; credits: number }): Promise<void> {
  await tx.query('update spending_day set credits = greatest(0, credits - $3) where cap_id = $1 and day = $2', [
    taken.capId,
    taken.day,
    taken.credits,
  ])
}
