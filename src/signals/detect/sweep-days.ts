import type { App } from '../../app.ts'
import { addDaysToDate, toLondonDate } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { findSweptOn } from './swept-on.ts'

const DAYS_MAX = 400

/** When a sweep runs. */
export interface SweepTime {
  at: Date
  /** In London. */
  today: string
}

/** Both ends included. */
export interface QuietDays {
  from: string
  until: string
  /** The first due date that is looked at again after the quiet days. */
  dueSince: string
}

export function isQuietDay({ from, until }: Pick<QuietDays, 'from' | 'until'>, today: string): boolean {
  return today >= from && today <= until
}

/**
 * Calls `raiseDay` for every due date that has passed, which is no event at the register: once for every London day, also
 * for days without a sweep. Returns the number of signals it raised. The first sweep ever of a name only records its day,
 * because what was overdue before is no news. On a quiet day nothing is raised, and the first day after does all days since
 * `dueSince`, also those swept before: someone may have become late since, with a due date that was past already.
 *
 * Safe to run again, concurrently and after a kill if the due date is part of the signals' keys: a day that was cut off is
 * done again and finds its own signals there.
 */
export async function sweepDays(
  app: App,
  name: string,
  raiseDay: (dueOn: string, time: SweepTime) => Promise<number>,
  quiet: QuietDays | null = null,
): Promise<number> {
  const at = app.clock.now()
  const today = toLondonDate(at)
  if (quiet !== null && isQuietDay(quiet, today)) {
    await goBack(app.db, name, quiet.dueSince)
    return 0
  }
  let day = await startFrom(app.db, name, today)
  let raised = 0
  for (let days = 0; day < today && days < DAYS_MAX; days += 1) {
    raised += await raiseDay(day, { at, today })
    await app.db.query(`update signal_sweep set swept_on = greatest(swept_on, $2) where name = $1`, [
      name,
      addDaysToDate(day, 1),
    ])
    app.log.info({ event: 'signals.day_swept', sweep: name, due_on: day, raised })
    day = addDaysToDate(day, 1)
  }
  return raised
}

/** Returns the first day whose due dates were not checked yet: `first` for the first sweep. */
async function startFrom(db: Db, name: string, first: string): Promise<string> {
  await db.query(`insert into signal_sweep (name, swept_on) values ($1, $2) on conflict (name) do nothing`, [
    name,
    first,
  ])
  return (await findSweptOn(db, name)) ?? first
}

async function goBack(db: Db, name: string, day: string): Promise<void> {
  await db.query(
    `insert into signal_sweep (name, swept_on) values ($1, $2)
     on conflict (name) do update set swept_on = excluded.swept_on where signal_sweep.swept_on > excluded.swept_on`,
    [name, day],
  )
}
