import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { OFF_REGISTER } from '../vocabulary.ts'
import { type Officer, parseOfficer } from './part-items.ts'

/** A company on the live register of which an officer had to verify their identity by a day, and did not. */
export interface CompanyWithLateOfficers {
  number: string
  name: string
  /** All that are known to be in office, late or not. */
  officers: Array<Officer & { id: string }>
  /** False where we hold only some of the company's officers: then nothing can be said of all. */
  isWhole: boolean
}

/** A day of due dates, a batch of companies after a number. */
export interface DuePage {
  dueOn: string
  /** Officers who left by this day are left out. */
  today: string
  after: string
  limit: number
}

// The expressions and conditions of the index `company_item_identity_due`: it serves no others.
const DUE_ON = `(data -> 'identity_verification_details' ->> 'appointment_verification_statement_due_on')`
const IS_OPEN = `coalesce(data -> 'identity_verification_details' ->> 'appointment_verification_start_on', '') = ''`

interface Row extends Omit<CompanyWithLateOfficers, 'officers'> {
  officers: Array<{ id: string; data: LooseRecord }> | null
}

/** Returns a batch of these companies, by their numbers. */
export async function listLateOfficers(db: Db, page: DuePage): Promise<CompanyWithLateOfficers[]> {
  const rows = await db.query<Row>(
    `select company.number, company.name,
       exists (
         select from company_part as part
         where part.company_number = due.company_number and part.kind = 'officer' and part.total is null
       ) as "isWhole",
       (select jsonb_agg(jsonb_build_object('id', officer.item_id, 'data', jsonb_build_object(
            'name', officer.data -> 'name', 'officer_role', officer.data -> 'officer_role',
            'resigned_on', officer.data -> 'resigned_on',
            'identity_verification_details', officer.data -> 'identity_verification_details'))
          order by officer.item_id)
        from company_item as officer
        where officer.company_number = due.company_number and officer.kind = 'officer'
          and coalesce(officer.data ->> 'resigned_on', '9999-12-31') > $2) as officers
     from (
       select distinct item.company_number
       from company_item as item join company on company.number = item.company_number
       where item.kind = 'officer' and ${DUE_ON} = $1 and ${IS_OPEN}
         and item.company_number > $3 and company.status <> all ($5)
       order by item.company_number limit $4
     ) as due join company on company.number = due.company_number
     order by company.number`,
    [page.dueOn, page.today, page.after, page.limit, OFF_REGISTER],
  )
  return rows.map(({ officers, ...company }) => ({
    ...company,
    officers: (officers ?? []).map(({ id, data }) => ({ ...parseOfficer(data), id })),
  }))
}

/** Returns the open days by which officers of these companies must verify their identity: each company and day once. */
export async function listVerificationDues(
  db: Db,
  numbers: readonly string[],
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<Array<{ companyNumber: string; dueOn: string }>> {
  return db.query(
    `select distinct company_number as "companyNumber", ${DUE_ON} as "dueOn" from company_item
     where company_number = any ($1) and kind = 'officer' and ${DUE_ON} between $2 and $3 and ${IS_OPEN}
       and coalesce(data ->> 'resigned_on', '') = ''
     order by 2, 1 limit $4`,
    [numbers, from, to, limit],
  )
}
