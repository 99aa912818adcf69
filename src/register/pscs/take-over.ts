/**
 * Moves persons with significant control that the previous release stored as items of a company into their own table. The first
 * follower of the stream does it, before it applies an event; a process of the previous release may have led until then.
 */
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { applyPscs, type IncomingPsc } from './apply-pscs.ts'
import { toPscRow } from './psc-row.ts'

const BATCH = 2_000
const BATCHES_MAX = 10_000

interface ItemRow {
  company_number: string
  item_id: string
  data: LooseRecord
  timepoint: number
  changed_at: Date
}

/** Safe to run again: what was moved is gone. Returns how many records were moved. */
export async function takeOverPscs({ db }: Pick<App, 'db'>): Promise<number> {
  let moved = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const count = await db.transaction(moveBatch)
    moved += count
    if (count < BATCH) break
  }
  // A list that was whole stays whole.
  await db.query(
    `with lists as (delete from company_part where kind = 'psc' returning company_number, fetched_at, total)
     insert into company_part (company_number, kind, fetched_at, total)
     select company_number, 'owner', fetched_at, total from lists
     on conflict (company_number, kind) do nothing`,
  )
  return moved
}

async function moveBatch(tx: Tx): Promise<number> {
  await tx.query(`set local statement_timeout = '10min'`)
  const rows = await tx.query<ItemRow>(
    `delete from company_item where (company_number, kind, item_id) in (
       select company_number, kind, item_id from company_item where kind = 'psc' limit ${BATCH})
     returning company_number, item_id, data, timepoint, changed_at`,
  )
  const incoming = rows.map(({ company_number, item_id, data, timepoint, changed_at }): IncomingPsc => {
    const row = toPscRow(company_number, item_id, data)
    return { row, isDeletion: false, rowHash: null, timepoint, at: changed_at, reference: 'previous release' }
  })
  await applyPscs(tx, incoming, {
    source: 'stream',
    isBaseline: true,
    isStale: (known, { timepoint, at }) => known.timepoint > timepoint || known.changed_at > at,
  })
  return rows.length
}
