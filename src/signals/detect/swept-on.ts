import type { Db } from '../../lib/db/db.ts'

/** Returns the first day whose due dates a sweep has not checked yet; null before its first run. */
export async function findSweptOn(db: Db, name: string): Promise<string | null> {
  const [row] = await db.query<{ swept_on: string }>(`select swept_on from signal_sweep where name = $1`, [name])
  return row?.swept_on ?? null
}
