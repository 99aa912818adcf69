import type { Db } from '../../lib/db/db.ts'

/**
 * Returns those of the companies of which REST has something that we never read, or forgot: a part, or the remarks on the profile.
 * The file of all owners replaces the reading of that part.
 */
export async function listUnread(db: Db, numbers: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    `select company.number from company
     where company.number = any ($1) and (company.remarks is null or exists (
       select from unnest(array['officer', 'charge', 'insolvency', 'filing', 'owner']) as part (kind)
       where not exists (
           select from company_part where company_number = company.number and company_part.kind = part.kind)
         and not (part.kind = 'owner'
           and exists (select from register_snapshot where product = 'pscs' and state = 'finished'))))
     order by company.number`,
    [numbers],
  )
  return rows.map(({ number }) => number)
}
