import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { JOB_DAYS_KEPT } from './job-store.ts'

const HOUR_SECONDS = 3_600
const COUNTED_MAX = 1_000
/** Reading a site takes at most 20 seconds. */
const OVERDUE_SECONDS = 300

/** How the reading of sites goes, for the public. */
export interface RecentReadings {
  /** Sites that customers asked for in the last hour. */
  sites: number
  /** Sites of those that could not be read, or whose work failed. */
  unread: number
  /** Sites that customers have waited for too long. */
  overdue: number
}

export async function countRecentReadings(db: Db, at: Date): Promise<RecentReadings> {
  const since = addSeconds(at, -HOUR_SECONDS)
  return onlyRow(
    await db.query<RecentReadings>(
      `select count(*)::int as sites,
         (count(*) filter (where charge_reason in ('scrape_failed_free', 'failed_free')))::int as unread,
         (select count(*) from resolution_work where not is_background and queued_at < $4)::int as overdue
       from (
         select charge_reason from resolution_job
         where expires_at > $1 and finished_at > $2 and kind = 'domain' order by expires_at desc limit $3
       ) recent`,
      [addSeconds(since, JOB_DAYS_KEPT * 86_400), since, COUNTED_MAX, addSeconds(at, -OVERDUE_SECONDS)],
    ),
  )
}
