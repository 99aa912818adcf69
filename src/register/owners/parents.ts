import type { Db } from '../../lib/db/db.ts'
import { isOrganisation } from '../pscs/psc-row.ts'
import { deriveControl } from './control.ts'
import { onePerIdentity } from './owners-in-force.ts'

interface Parent {
  name: string
  /** Set for a company on the UK register whose name agrees. */
  companyNumber: string | null
}

/** Returns the company or organisation that controls each of these companies directly, where exactly one does. */
export async function listParents(db: Db, numbers: readonly string[]): Promise<Map<string, Parent>> {
  const rows = await db.query<{
    owned: string
    kind: string
    name: string
    natures: string[]
    companyNumber: string | null
    registered: string | null
    ownerKey: string | null
    registrationNumber: string | null
  }>(
    `select p.company_number as owned, p.kind, p.name, p.natures_of_control as natures,
       c.number as "companyNumber", c.name as registered, p.owner_key as "ownerKey",
       p.identification ->> 'registration_number' as "registrationNumber"
     from psc p
     left join lateral (
       select number, name from company
       where number in (p.owner_number, p.owner_number_other)
         and (name_key = p.name_key or p.name_key = any (previous_name_keys))
       order by number = p.owner_number desc limit 1
     ) c on true
     where p.company_number = any ($1) and not p.is_ceased and not p.is_deleted and p.name is not null
       and p.company_number is distinct from c.number`,
    [numbers],
  )
  const parents = rows.filter(({ kind, natures }) => isOrganisation(kind) && deriveControl(natures) === 'parent')
  return new Map(
    [...Map.groupBy(parents, ({ owned }) => owned)].flatMap(([owned, claims]) => {
      const [parent, ...others] = onePerIdentity(claims)
      if (!parent || others.length > 0) return []
      const { name, registered, companyNumber } = parent
      return [[owned, { name: registered ?? name, companyNumber }]]
    }),
  )
}
