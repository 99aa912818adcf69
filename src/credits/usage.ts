import { toLondonDate } from '../lib/clock.ts'
import type { Db, Tx } from '../lib/db/db.ts'

export interface UsageDay {
  date: string
  outcome: string
  answers: number
  credits: number
}

/** Counts one answer on the London day it was given, in the transaction that settles it. */
export async function countAnswer(
  tx: Tx,
  answer: { accountId: string; outcome: string; credits: number; at: Date },
): Promise<void> {
  await tx.query(
    `insert into usage_day as day (account_id, day, outcome, answers, credits) values ($1, $2, $3, 1, $4)
     on conflict (account_id, day, outcome)
     do update set answers = day.answers + 1, credits = day.credits + excluded.credits`,
    [answer.accountId, toLondonDate(answer.at), answer.outcome, answer.credits],
  )
}

/** Credits spent on answers since then, whatever came back. */
export async function countSpent(db: Db, { accountId, since }: { accountId: string; since: Date }): Promise<number> {
  const [row] = await db.query<{ credits: number | null }>(
    `select sum(credits)::float8 as credits from usage_day where account_id = $1 and day >= $2 and credits > 0`,
    [accountId, toLondonDate(since)],
  )
  return row?.credits ?? 0
}

/** Both dates included, oldest day first. */
export async function listUsage(db: Db, range: { accountId: string; from: string; to: string }): Promise<UsageDay[]> {
  return db.query<UsageDay>(
    `select day as date, outcome, answers, credits from usage_day
     where account_id = $1 and day between $2 and $3
     order by day, outcome`,
    [range.accountId, range.from, range.to],
  )
}
