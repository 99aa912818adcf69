import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { type IdentityDays, parseIdentity } from '../details/identity.ts'
import type { DuePage } from '../details/identity-due.ts'
import { OFF_REGISTER } from '../vocabulary.ts'

/** A company on the live register with people in control who had to verify their identity by a day, and did not. */
export interface CompanyWithLateOwners {
  number: string
  name: string
  owners: Array<{
    id: string
    /** Null for a protected person. */
    name: string | null
    isCeased: boolean
    identity: IdentityDays | null
  }>
}

interface Row extends Omit<CompanyWithLateOwners, 'owners'> {
  owners: Array<{ id: string; name: string | null; identity: LooseRecord }>
}

/** Returns a batch of these companies, by their numbers. The conditions are those of the index `psc_identity_due`. */
export async function listLateOwners(db: Db, page: DuePage): Promise<CompanyWithLateOwners[]> {
  const rows = await db.query<Row>(
    `select company.number, company.name,
       jsonb_agg(jsonb_build_object('id', psc.psc_id, 'name', psc.name, 'identity', psc.identity) order by psc.psc_id) as owners
     from psc join company on company.number = psc.company_number
     where (psc.identity ->> 'appointment_verification_statement_due_on') = $1 and psc.company_number > $2
       and not psc.is_ceased and (psc.identity ->> 'appointment_verification_start_on') is null
       and company.status <> all ($4)
     group by company.number, company.name
     order by company.number limit $3`,
    [page.dueOn, page.after, page.limit, OFF_REGISTER],
  )
  return rows.map(({ owners, ...company }) => ({
    ...company,
    owners: owners.map(({ id, name, identity }) => ({ id, name, isCeased: false, identity: parseIdentity(identity) })),
  }))
}
