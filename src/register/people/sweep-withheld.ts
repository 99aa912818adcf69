/** Removes withheld names from what is stored. The check before each write leaves little to do; a name that is new on the list has all. */
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { PSC_COLUMN_NAMES, type PscRow } from '../pscs/psc-row.ts'
import type { PersonOfCompany } from './person-key.ts'
import { personOf } from './redact.ts'
import { addCompanies, findWithheld } from './withheld.ts'
import { findInItems } from './withhold-items.ts'

const BATCH = 2_000
const BATCHES_MAX = 10_000
const SCAN_TIMEOUT = '1h'

/** Safe to run again. Returns the people that were removed, by the names that the records had. */
export async function removeWithheld(app: Pick<App, 'db' | 'clock'>): Promise<PersonOfCompany[]> {
  const [listed] = await app.db.query('select 1 from withheld_person limit 1')
  if (!listed) return []
  // Filings come last: they are recognised by the companies that officers and owners were found in.
  const removed = await inBatches(app, sweepPscs)
  removed.push(...(await inBatches(app, (tx, after, at) => sweepItems(tx, 'officer', after, at))))
  removed.push(...(await inBatches(app, (tx, after, at) => sweepItems(tx, 'filing', after, at))))
  await app.db.transaction(redactQueue)
  return removed
}

/** The key of the last row of a batch. */
type After = [companyNumber: string, id: string]

interface Batch {
  removed: PersonOfCompany[]
  /** Null when there are no more rows. */
  last: After | null
}

async function inBatches(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  sweep: (tx: Tx, after: After, at: Date) => Promise<Batch>,
): Promise<PersonOfCompany[]> {
  const removed: PersonOfCompany[] = []
  let after: After = ['', '']
  for (let index = 0; index < BATCHES_MAX; index += 1) {
    const batch = await db.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = '${SCAN_TIMEOUT}'`)
      return sweep(tx, after, clock.now())
    })
    removed.push(...batch.removed)
    if (batch.last === null) return removed
    after = batch.last
  }
  throw new Error('there are more records of withheld people than one run removes')
}

const BIRTHS = 'select birth_year, birth_month from withheld_person where birth_year is not null'
const COMPANIES = 'select company_number from withheld_person where company_number is not null'

async function sweepPscs(tx: Tx, [number, id]: After, at: Date): Promise<Batch> {
  const rows = await tx.query<PscRow>(
    `select ${PSC_COLUMN_NAMES.join(', ')} from psc
     where (company_number, psc_id) > ($1, $2) and name is not null and kind like 'individual%' and not is_deleted
       and ((birth_year, birth_month) in (${BIRTHS}) or company_number in (${COMPANIES}))
     order by company_number, psc_id limit ${BATCH} for update`,
    [number, id],
  )
  const people = rows.flatMap((row) => personOf(row).map((person) => ({ ...person, row })))
  const withheld = [...(await findWithheld(tx, people))]
  await tx.query(
    `update psc set name = null, birth_year = null, birth_month = null, nationality = null, country_of_residence = null,
       address = null
     where (company_number, psc_id) in (select * from unnest($1::text[], $2::text[]))`,
    [withheld.map(({ row }) => row.company_number), withheld.map(({ row }) => row.psc_id)],
  )
  await addCompanies(tx, withheld, at)
  const last = rows.at(-1)
  return {
    removed: withheld.map(({ row: _row, ...person }) => person),
    last: last && rows.length === BATCH ? [last.company_number, last.psc_id] : null,
  }
}

async function sweepItems(tx: Tx, kind: 'officer' | 'filing', [number, id]: After, at: Date): Promise<Batch> {
  const isAsked =
    kind === 'filing'
      ? `company_number in (${COMPANIES})`
      : `data ->> 'name' is not null and (company_number in (${COMPANIES})
         or (data -> 'date_of_birth' ->> 'year', data -> 'date_of_birth' ->> 'month')
           in (select birth_year::text, birth_month::text from (${BIRTHS}) as births))`
  const rows = await tx.query<{ companyNumber: string; id: string; data: LooseRecord }>(
    `select company_number as "companyNumber", item_id as id, data from company_item
     where kind = $3 and (company_number, item_id) > ($1, $2) and ${isAsked}
     order by company_number, item_id limit ${BATCH} for update`,
    [number, id, kind],
  )
  const found = await findInItems(
    tx,
    rows.map((row) => ({ ...row, kind })),
  )
  const removed = [...found.values()].flatMap(({ people }) => people)
  await tx.query(
    `update company_item set data = change.data
     from jsonb_to_recordset($1::jsonb) as change (number text, id text, data jsonb)
     where company_number = change.number and kind = $2 and item_id = change.id`,
    [JSON.stringify([...found].map(([item, { data }]) => ({ number: item.companyNumber, id: item.id, data }))), kind],
  )
  await addCompanies(tx, removed, at)
  const last = rows.at(-1)
  return { removed, last: last && rows.length === BATCH ? [last.companyNumber, last.id] : null }
}

/** Changes that are not signals yet. */
async function redactQueue(tx: Tx): Promise<void> {
  const rows = await tx.query<{
    id: string
    companyNumber: string
    kind: string
    before: LooseRecord | null
    after: LooseRecord | null
  }>(
    `select id::text, company_number as "companyNumber", kind, before, after from register_change
     where kind in ('officer', 'psc', 'filing') order by id limit 10000 for update`,
  )
  const sides = rows.flatMap(({ id, companyNumber, kind, before, after }) =>
    [
      { id, companyNumber, kind, side: 'before', data: before },
      { id, companyNumber, kind, side: 'after', data: after },
    ].flatMap(({ data, ...side }) => (data ? [{ ...side, data }] : [])),
  )
  for (const [{ id, side }, { data }] of await findInItems(tx, sides)) {
    await tx.query(`update register_change set ${side === 'before' ? 'before' : 'after'} = $2 where id = $1`, [
      id,
      data,
    ])
  }
}
