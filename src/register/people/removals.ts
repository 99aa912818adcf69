/** Names that signals and webhook events no longer show: queued where a name is withheld or deleted, taken by the signals. */
import type { Db, Tx } from '../../lib/db/db.ts'
import { type PersonOfCompany, toPersonKey } from './person-key.ts'

export interface PersonRemoval {
  companyNumber: string
  name: string
  reason: 'withheld' | 'deleted'
}

export async function queueRemovals(
  tx: Tx,
  people: ReadonlyArray<Pick<PersonOfCompany, 'companyNumber' | 'name'>>,
  reason: PersonRemoval['reason'],
): Promise<void> {
  if (people.length === 0) return
  await tx.query(
    `insert into person_removal (company_number, name, reason) select distinct *, $3 from unnest($1::text[], $2::text[])
     on conflict do nothing`,
    [people.map(({ companyNumber }) => companyNumber), people.map(({ name }) => name), reason],
  )
}

/**
 * Takes the oldest removals from the queue; `taken` counts all of them. A deleted record whose person the company has in
 * another record, as after a correction, removes nothing.
 */
export async function takeRemovals(tx: Tx, limit: number): Promise<{ removals: PersonRemoval[]; taken: number }> {
  const rows = await tx.query<PersonRemoval>(
    `delete from person_removal where id in (select id from person_removal order by id limit $1 for update skip locked)
     returning company_number as "companyNumber", name, reason`,
    [limit],
  )
  const present = await listPresent(
    tx,
    rows.filter(({ reason }) => reason === 'deleted').map(({ companyNumber }) => companyNumber),
  )
  const isPresent = ({ companyNumber, name }: PersonRemoval) => present.has(`${companyNumber} ${toPersonKey(name)}`)
  return { removals: rows.filter((row) => row.reason === 'withheld' || !isPresent(row)), taken: rows.length }
}

async function listPresent(db: Db, companies: readonly string[]): Promise<Set<string>> {
  if (companies.length === 0) return new Set()
  const rows = await db.query<{ number: string; name: string }>(
    `select company_number as number, data ->> 'name' as name from company_item
     where company_number = any ($1) and kind = 'officer' and data ->> 'name' is not null
     union all
     select company_number, name from psc
     where company_number = any ($1) and not is_deleted and name is not null and kind like 'individual%'`,
    [companies],
  )
  return new Set(rows.map(({ number, name }) => `${number} ${toPersonKey(name)}`))
}
