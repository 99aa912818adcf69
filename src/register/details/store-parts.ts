/** Stores the parts of a company that REST sent. */
import type { Tx } from '../../lib/db/db.ts'
import { peopleIn } from '../people/redact.ts'
import { queueRemovals } from '../people/removals.ts'
import { withholdInItems } from '../people/withhold-items.ts'
import { storeFetchedPscs } from '../pscs/stored-pscs.ts'
import type { PartKind } from './part-items.ts'
import type { FetchedPart, RegisterApp } from './rest-client.ts'

const DEADLOCK = '40P01'

/** Stores parts that were requested at `askedAt`, all or none. */
export async function storeParts(
  app: RegisterApp,
  number: string,
  parts: ReadonlyArray<{ kind: PartKind; part: FetchedPart }>,
  askedAt: Date,
): Promise<void> {
  if (parts.length === 0) return
  try {
    await app.db.transaction(async (tx) => {
      for (const { kind, part } of parts) await storePart(tx, { number, kind, part, askedAt })
    })
  } catch (error) {
    // A stream was writing the same items in another order. The answer is good; the next reader fetches and stores.
    if ((error as { code?: string }).code !== DEADLOCK) throw error
    app.log.warn({ event: 'register.part_not_stored', company_number: number, error })
  }
}

/**
 * Stores a part that was requested at `askedAt`. Items that a stream sent after that moment are newer and stay; so does
 * the part of a later fetch. The row of the part is locked first, so two fetches of one part store one after the other.
 */
async function storePart(
  tx: Tx,
  stored: { number: string; kind: PartKind; part: FetchedPart; askedAt: Date },
): Promise<void> {
  const { number, kind, part, askedAt } = stored
  const isNewest = await tx.query(
    `insert into company_part as known (company_number, kind, fetched_at, total) values ($1, $2, $3, $4)
     on conflict (company_number, kind) do update set fetched_at = excluded.fetched_at, total = excluded.total
       where known.fetched_at <= excluded.fetched_at
     returning kind`,
    [number, kind === 'psc' ? 'owner' : kind, askedAt, part.total],
  )
  if (isNewest.length === 0) return
  if (kind === 'psc') {
    const { items, total } = part
    return storeFetchedPscs(tx, { companyNumber: number, items, isWhole: total === null, askedAt })
  }
  const ids = part.items.map(({ id }) => id)
  const items = await withholdInItems(
    tx,
    part.items.map(({ data }) => ({ companyNumber: number, kind, data })),
    'incoming',
  )
  // The timepoint of a row that a stream wrote is kept, so that events from before it are still ignored.
  await tx.query(
    `insert into company_item as known (company_number, kind, item_id, data, timepoint, changed_at)
     select $1, $2, item_id, item::jsonb, 0, $5 from unnest($3::text[], $4::text[]) as fetched (item_id, item)
     order by item_id
     on conflict (company_number, kind, item_id) do update set data = excluded.data, changed_at = excluded.changed_at
       where known.changed_at < excluded.changed_at and known.data <> excluded.data`,
    [number, kind, ids, items.map((data) => JSON.stringify(data)), askedAt],
  )
  if (part.total !== null) return
  const gone = await tx.query<{ data: Record<string, unknown> }>(
    `delete from company_item
     where company_number = $1 and kind = $2 and changed_at < $4 and not item_id = any($3::text[])
     returning data`,
    [number, kind, ids, askedAt],
  )
  const people = kind === 'officer' ? gone.flatMap(({ data }) => peopleIn(kind, number, data)) : []
  await queueRemovals(tx, people, 'deleted')
}
