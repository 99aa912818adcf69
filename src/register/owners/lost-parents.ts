import type { Tx } from '../../lib/db/db.ts'
import type { CompanyFacts } from '../company.ts'
import { toNameKey } from '../search/name-key.ts'
import { OFF_REGISTER } from '../vocabulary.ts'

/** More subsidiaries than one batch of companies that leave the register has. */
const CHILDREN_MAX = 20_000

const IN_FORCE = `not psc.is_ceased and not psc.is_deleted and psc.control = 'parent'`

export interface LostParent {
  childNumber: string
  parent: Pick<CompanyFacts, 'number' | 'name' | 'status' | 'dissolvedOn'>
}

/** Lists the live companies whose parent is one of those that have just left the register. */
export async function listLostParents(tx: Tx, gone: readonly CompanyFacts[]): Promise<LostParent[]> {
  const names = gone.flatMap(({ number, name, previousNames }) =>
    [name, ...previousNames.map((previous) => previous.name)].map((each) => ({ number, key: toNameKey(each) })),
  )
  const rows = await tx.query<{ child: string; parent: string }>(
    `with gone as (select * from unnest($1::text[], $2::text[]) as gone (number, name_key)),
       owned as (
         select psc.company_number as child, gone.number as parent from gone
         join psc on psc.owner_number = gone.number and psc.name_key = gone.name_key
         where ${IN_FORCE}
         union
         select psc.company_number, gone.number from gone
         join psc on psc.owner_number_other = gone.number and psc.name_key = gone.name_key
         where ${IN_FORCE}
       )
     select child, parent from owned join company on company.number = child
     where company.status <> all ($3) and child <> parent
     order by child, parent limit ${CHILDREN_MAX}`,
    [names.map(({ number }) => number), names.map(({ key }) => key), OFF_REGISTER],
  )
  const byNumber = new Map(gone.map((company) => [company.number, company]))
  return rows.flatMap(({ child, parent }) => {
    const company = byNumber.get(parent)
    return company ? [{ childNumber: child, parent: company }] : []
  })
}
