import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { defineJob } from '../jobs/jobs.ts'
import type { Db } from './db.ts'

/** Weeks or months for which partitions are made before they begin. */
const AHEAD = 6
const LOCK_NOT_AVAILABLE = '55P03'
const TRIES_MAX = 10
const PAUSE_MS = 1_000

/**
 * Makes the partitions of this period and the next ones, and lets event numbers begin in the range of this week. Safe to run
 * twice. Returns how many it made.
 */
export async function makePartitions(db: Db, at: Date): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [row] = await db.query<{ made: number }>('select make_partitions($1, $2) as made', [at, AHEAD])
      return row?.made ?? 0
    } catch (error) {
      // It waits only briefly for its locks, because others wait behind it.
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Runs every day, although once a month is enough: rows that find no partition go to a common one and are moved later. */
export const makePartitionsJob = defineJob({
  name: 'database.make_partitions',
  retriesMax: 3,
  timeoutSeconds: 300,
  schedule: '7 3 * * *',
  async run({ db, clock }: { db: Db; clock: Clock }) {
    await makePartitions(db, clock.now())
  },
})
