/** All officers that companies have, where all are known. */
import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { type Officer, parseOfficer } from '../details/part-items.ts'
import { OFF_REGISTER } from '../vocabulary.ts'

export interface CompanyWithOfficers {
  number: string
  name: string
  officers: Officer[]
}

/** More officers than any company but a few partnerships has; of those nothing is said. */
const OFFICERS_MAX = 1_000

/** Returns those of the companies on the live register of which all officers are known, with those in office on a day. */
export async function listWholeBoards(
  db: Db,
  numbers: readonly string[],
  today: string,
): Promise<CompanyWithOfficers[]> {
  const rows = await db.query<{ number: string; name: string; officers: LooseRecord[] | null; count: number }>(
    `select company.number, company.name, board.officers, board.count
     from company cross join lateral (
       select jsonb_agg(each.data) as officers, count(*)::int as count from (
         select jsonb_build_object('name', data -> 'name', 'officer_role', data -> 'officer_role',
           'resigned_on', data -> 'resigned_on',
           'identity_verification_details', data -> 'identity_verification_details') as data
         from company_item
         where company_number = company.number and kind = 'officer'
           and coalesce(data ->> 'resigned_on', '9999-12-31') > $2
         limit ${OFFICERS_MAX + 1}) as each
     ) as board
     where company.number = any ($1) and company.status <> all ($3)
       and exists (select from company_part as part
         where part.company_number = company.number and part.kind = 'officer' and part.total is null)
     order by company.number`,
    [numbers, today, OFF_REGISTER],
  )
  return rows
    .filter(({ count }) => count <= OFFICERS_MAX)
    .map(({ number, name, officers }) => ({ number, name, officers: (officers ?? []).map(parseOfficer) }))
}
