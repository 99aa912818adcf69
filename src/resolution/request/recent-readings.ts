import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { JOB_DAYS_KEPT } from './job-store.ts'

const HOUR_SECONDS = 3_600
const COUNTED_MAX = 1_000

/** Counts the sites that customers asked for in the last hour, and those of them that could not be read. */
export async function countRecentReadings(db: Db, at: Date): Promise<{ sites: number; unread: number }> {
  const since = addSeconds(at, -HOUR_SECONDS)
  return onlyRow(
    await db.query<{ sites: number; unread: number }>(
      `select count(*)::int as sites, (count(*) filter (where charge_reason = 'scrape_failed_free'))::int as unread
       from (
         select charge_reason from resolution_job
         where expires_at > $1 and finished_at > $2 and kind = 'domain' order by expires_at desc limit $3
       ) recent`,
      [addSeconds(since, JOB_DAYS_KEPT * 86_400), since, COUNTED_MAX],
    ),
  )
}
