import type { Db } from '../../lib/db/db.ts'

/** Returns the number of employees in the newest accounts of each company that states one. */
export async function listEmployees(db: Db, numbers: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ number: string; employees: number }>(
    `select distinct on (company_number) company_number as number, employees from company_figures
     where company_number = any ($1) and employees is not null order by company_number, period_end desc`,
    [numbers],
  )
  return new Map(rows.map(({ number, employees }) => [number, employees]))
}
