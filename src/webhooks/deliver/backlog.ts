import type { Db } from '../../lib/db/db.ts'

export interface Backlog {
  /** Deliveries that are due, also at destinations that are paused. At most `COUNTED_MAX`. */
  due: number
  /** Deliveries whose next attempt is later. */
  waiting: number
  disabledDestinations: number
}

const COUNTED_MAX = 100_000

export async function readBacklog(db: Db, at: Date): Promise<Backlog> {
  const [row] = await db.query<{ due: number; waiting: number; disabled: number }>(
    `select count(*) filter (where due_at <= $1) as due, count(*) filter (where due_at > $1) as waiting,
       (select count(*) from webhook_destination where status = 'disabled' and deleted_at is null) as disabled
     from (select due_at from webhook_delivery where state = 'pending' limit ${COUNTED_MAX}) as pending`,
    [at],
  )
  return { due: row?.due ?? 0, waiting: row?.waiting ?? 0, disabledDestinations: row?.disabled ?? 0 }
}
