import type { Db } from '../../lib/db/db.ts'
import { OFF_REGISTER } from '../vocabulary.ts'

/** A company on the live register that said on a day that it does not know an owner yet, and has not withdrawn it. */
export interface CompanyWithUnresolvedStatements {
  number: string
  name: string
  statements: Array<{ id: string; code: string }>
}

/** Statements that say something is still to be done. The condition of the index `psc_statement_unresolved`. */
const IS_UNRESOLVED = `not psc.is_ceased and psc.statement in (
  'steps-to-find-psc-not-yet-completed', 'steps-to-find-psc-not-yet-completed-partnership',
  'psc-contacted-but-no-response', 'psc-contacted-but-no-response-partnership',
  'restrictions-notice-issued-to-psc', 'restrictions-notice-issued-to-psc-partnership')`

/** Returns a batch of these companies, by their numbers. */
export async function listUnresolvedStatements(
  db: Db,
  page: { madeOn: string; after: string; limit: number },
): Promise<CompanyWithUnresolvedStatements[]> {
  return db.query<CompanyWithUnresolvedStatements>(
    `select company.number, company.name,
       jsonb_agg(jsonb_build_object('id', psc.psc_id, 'code', psc.statement) order by psc.psc_id) as statements
     from psc join company on company.number = psc.company_number
     where psc.notified_on = $1 and ${IS_UNRESOLVED} and psc.company_number > $2 and company.status <> all ($4)
     group by company.number, company.name
     order by company.number limit $3`,
    [page.madeOn, page.after, page.limit, OFF_REGISTER],
  )
}
