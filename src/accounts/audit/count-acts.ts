import type { Db } from '../../lib/db/db.ts'
import type { Act } from './acts.ts'

/** Returns how many entries of an act each account has, for the next accounts after an id that have any. */
export async function countActs(
  db: Db,
  { action, afterId, limit }: { action: Act; afterId: string; limit: number },
): Promise<Array<{ accountId: string; count: number }>> {
  return db.query(
    `select account_id as "accountId", count(*)::integer as count from audit_event
     where action = $1 and account_id > $2 group by account_id order by account_id limit $3`,
    [action, afterId, limit],
  )
}
