import { addDaysToDate } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'

/** The newest day of the accounts files that were read, as text; null where none was. */
export const FIGURES_AS_OF = `(select max(as_of) from register_snapshot where product = 'figures' and state = 'finished')::text`

export async function findFiguresAsOf(db: Db): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(`select ${FIGURES_AS_OF} as day`)
  return row?.day ?? null
}

/** Returns those of the last days until one, oldest first, whose daily file was not read to its end. */
export async function listUnreadDays(db: Db, { until, days }: { until: string; days: number }): Promise<string[]> {
  const wanted = Array.from({ length: days }, (_, index) => addDaysToDate(until, index + 1 - days))
  const rows = await db.query<{ day: string }>(
    `select as_of::text as day from register_snapshot where product = 'figures' and state = 'finished' and as_of >= $1`,
    [wanted[0]],
  )
  const read = new Set(rows.map(({ day }) => day))
  return wanted.filter((day) => !read.has(day))
}
