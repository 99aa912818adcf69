/** Removes withheld names from what is stored. The check before each write leaves little to do; a name that is new on the list has all. */
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { PSC_COLUMN_NAMES, type PscRow } from '../pscs/psc-row.ts'
import { personOf } from './redact.ts'
import { recordWithheld } from './withheld.ts'
import { findInItems } from './withhold-items.ts'

const BATCH = 2_000
const BATCHES_MAX = 10_000
const SCAN_TIMEOUT = '1h'

/**
 * Safe to run again: a name is removed in the transaction that queues its removal from signals. Returns how many records
 * lost a name.
 */
export async function removeWithheld(app: Pick<App, 'db'>, say: (step: string) => void = () => {}): Promise<number> {
  const [listed] = await app.db.query('select 1 from withheld_person limit 1')
  if (!listed) return 0
  say('owners')
  let removed = await inBatches(app, sweepPscs)
  say('officers')
  removed += await inBatches(app, (tx, after) => sweepItems(tx, 'officer', after))
  // These are recognised by the companies that officers and owners were found in.
  for (const kind of ['filing', 'charge', 'insolvency'] as const) {
    say(`records of kind ${kind}`)
    removed += await inBatches(app, (tx, after) => sweepItems(tx, kind, after))
  }
  say('changes that are no signals yet')
  return removed + (await inBatches(app, sweepQueue))
}

/** The key of the last row of a batch. */
type After = [first: string, second: string]

interface Batch {
  removed: number
  /** Null when there are no more rows. */
  last: After | null
}

async function inBatches({ db }: Pick<App, 'db'>, sweep: (tx: Tx, after: After) => Promise<Batch>): Promise<number> {
  let removed = 0
  let after: After = ['', '']
  for (let index = 0; index < BATCHES_MAX; index += 1) {
    const batch = await db.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = '${SCAN_TIMEOUT}'`)
      return sweep(tx, after)
    })
    removed += batch.removed
    if (batch.last === null) return removed
    after = batch.last
  }
  throw new Error('there are more records of withheld people than one run removes')
}

const BIRTHS = 'select birth_year, birth_month from withheld_person where birth_year is not null'
const COMPANIES = 'select company_number from withheld_person where company_number is not null'

async function sweepPscs(tx: Tx, [number, id]: After): Promise<Batch> {
  const rows = await tx.query<PscRow>(
    `select ${PSC_COLUMN_NAMES.join(', ')} from psc
     where (company_number, psc_id) > ($1, $2) and name is not null and kind like 'individual%' and not is_deleted
       and ((birth_year, birth_month) in (${BIRTHS}) or company_number in (${COMPANIES}))
     order by company_number, psc_id limit ${BATCH}`,
    [number, id],
  )
  const people = rows.flatMap((row) => personOf(row).map((person) => ({ ...person, row })))
  const withheld = [...(await recordWithheld(tx, people, 'stored'))]
  await tx.query(
    `update psc set name = null, birth_year = null, birth_month = null, nationality = null, country_of_residence = null,
       address = null
     from unnest($1::text[], $2::text[], $3::text[]) as seen (company_number, psc_id, name)
     where psc.company_number = seen.company_number and psc.psc_id = seen.psc_id and psc.name = seen.name`,
    [
      withheld.map(({ row }) => row.company_number),
      withheld.map(({ row }) => row.psc_id),
      withheld.map(({ row }) => row.name),
    ],
  )
  const last = rows.at(-1)
  return { removed: withheld.length, last: last && rows.length === BATCH ? [last.company_number, last.psc_id] : null }
}

type ItemKind = 'officer' | 'filing' | 'charge' | 'insolvency'

async function sweepItems(tx: Tx, kind: ItemKind, [number, id]: After): Promise<Batch> {
  const isAsked =
    kind === 'officer'
      ? `data ->> 'name' is not null and (company_number in (${COMPANIES})
         or (data -> 'date_of_birth' ->> 'year', data -> 'date_of_birth' ->> 'month')
           in (select birth_year::text, birth_month::text from (${BIRTHS}) as births))`
      : `company_number in (${COMPANIES})`
  const rows = await tx.query<{ companyNumber: string; id: string; data: LooseRecord }>(
    `select company_number as "companyNumber", item_id as id, data from company_item
     where kind = $3 and (company_number, item_id) > ($1, $2) and ${isAsked}
     order by company_number, item_id limit ${BATCH}`,
    [number, id, kind],
  )
  const items = rows.map((row) => ({ ...row, kind }))
  const found = await findInItems((people) => recordWithheld(tx, people, 'stored'), items)
  const changes = [...found].map(([item, data]) => ({
    number: item.companyNumber,
    id: item.id,
    before: item.data,
    data,
  }))
  // A row that was written meanwhile was compared with the list by its writer.
  await tx.query(
    `update company_item set data = change.data
     from jsonb_to_recordset($1::jsonb) as change (number text, id text, before jsonb, data jsonb)
     where company_number = change.number and kind = $2 and item_id = change.id and company_item.data = change.before`,
    [JSON.stringify(changes), kind],
  )
  const last = rows.at(-1)
  return { removed: found.size, last: last && rows.length === BATCH ? [last.companyNumber, last.id] : null }
}

/** Changes that are not signals yet. */
async function sweepQueue(tx: Tx, [after]: After): Promise<Batch> {
  const rows = await tx.query<{
    id: string
    companyNumber: string
    kind: string
    before: LooseRecord | null
    after: LooseRecord | null
  }>(
    `select id::text, company_number as "companyNumber", kind, before, after from register_change
     where id > $1 order by id limit ${BATCH} for update skip locked`,
    [after === '' ? 0 : after],
  )
  const sides = rows.flatMap(({ id, companyNumber, kind, before, after: then }) =>
    [
      { id, companyNumber, kind, side: 'before', data: before },
      { id, companyNumber, kind, side: 'after', data: then },
    ].flatMap(({ data, ...side }) => (data ? [{ ...side, data }] : [])),
  )
  const found = await findInItems((people) => recordWithheld(tx, people, 'stored'), sides)
  for (const [{ id, side }, data] of found) {
    await tx.query(`update register_change set ${side === 'before' ? 'before' : 'after'} = $2 where id = $1`, [
      id,
      data,
    ])
  }
  const last = rows.at(-1)
  return { removed: found.size, last: last && rows.length === BATCH ? [last.id, ''] : null }
}
