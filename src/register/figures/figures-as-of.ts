import type { Db } from '../../lib/db/db.ts'

/** The newest day of the accounts files that were read, as text; null where none was. */
export const FIGURES_AS_OF = `(select max(as_of) from register_snapshot where product = 'figures' and state = 'finished')::text`

export async function findFiguresAsOf(db: Db): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(`select ${FIGURES_AS_OF} as day`)
  return row?.day ?? null
}
