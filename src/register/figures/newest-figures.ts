import type { Db } from '../../lib/db/db.ts'

/** The figures of the newest period that has any, by which searches filter; null where its accounts do not state one. */
export interface NewestFigures {
  employees: number | null
  netAssets: number | null
}

/** Returns the figures of the companies that have any, by number. */
export async function listNewestFigures(db: Db, numbers: readonly string[]): Promise<Map<string, NewestFigures>> {
  if (numbers.length === 0) return new Map()
  const rows = await db.query<NewestFigures & { number: string }>(
    `select distinct on (company_number) company_number as number, employees, net_assets as "netAssets" from company_figures
     where company_number = any ($1) order by company_number, period_end desc`,
    [numbers],
  )
  return new Map(rows.map(({ number, employees, netAssets }) => [number, { employees, netAssets }]))
}
