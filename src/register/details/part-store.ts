import type { Db, Tx } from '../../lib/db/db.ts'
import type { PartKind } from './part-items.ts'
import type { FetchedPart } from './rest-client.ts'

export interface StoredPart {
  items: Array<Record<string, unknown>>
  /** The register said this then: when it was fetched, or up to when the streams have kept it fresh. */
  asOf: Date
  total: number | null
}

/** More than a company of the register has ever had; the bound is for the day that is no longer true. */
const ITEMS_MAX = 10_000

/** Returns the parts of a company that were fetched whole. Others are absent, even where a stream sent single items. */
export async function listStoredParts(db: Db, number: string): Promise<Map<PartKind, StoredPart>> {
  const parts = await db.query<{ kind: PartKind; as_of: Date; total: number | null }>(
    // Only what the streams missed makes a part old, and a stream that missed something forgets the parts it kept.
    `select part.kind, greatest(part.fetched_at, stream.current_until) as as_of, part.total
     from company_part as part
     left join register_stream as stream on stream.name = case part.kind
       when 'officer' then 'officers' when 'charge' then 'charges' when 'insolvency' then 'insolvency-cases'
       when 'psc' then 'persons-with-significant-control' when 'filing' then 'filings' end
     where part.company_number = $1`,
    [number],
  )
  if (parts.length === 0) return new Map()
  const stored = new Map<PartKind, StoredPart>(
    parts.map(({ kind, as_of: asOf, total }) => [kind, { items: [], asOf, total }]),
  )
  const items = await db.query<{ kind: PartKind; data: Record<string, unknown> }>(
    `select kind, data from company_item where company_number = $1 and kind = any($2) limit ${ITEMS_MAX}`,
    [number, [...stored.keys()]],
  )
  for (const { kind, data } of items) stored.get(kind)?.items.push(data)
  return stored
}

/** Returns when the companies stream was last at the register's head; null when it is not followed or missed something. */
export async function findCompaniesCurrentUntil(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ current_until: Date | null }>(
    `select current_until from register_stream where name = 'companies' and gap_since is null`,
  )
  return row?.current_until ?? null
}

/**
 * Stores a part that was requested at `askedAt`. Items that a stream sent after that moment are newer and stay; so does
 * the part of a later fetch. The row of the part is locked first, so two fetches of one part store one after the other.
 */
export async function storePart(
  tx: Tx,
  stored: { number: string; kind: PartKind; part: FetchedPart; askedAt: Date },
): Promise<void> {
  const { number, kind, part, askedAt } = stored
  const isNewest = await tx.query(
    `insert into company_part as known (company_number, kind, fetched_at, total) values ($1, $2, $3, $4)
     on conflict (company_number, kind) do update set fetched_at = excluded.fetched_at, total = excluded.total
       where known.fetched_at <= excluded.fetched_at
     returning kind`,
    [number, kind, askedAt, part.total],
  )
  if (isNewest.length === 0) return
  const ids = part.items.map(({ id }) => id)
  // The timepoint of a row that a stream wrote is kept, so that events from before it are still ignored.
  await tx.query(
    `insert into company_item as known (company_number, kind, item_id, data, timepoint, changed_at)
     select $1, $2, item_id, item::jsonb, 0, $5 from unnest($3::text[], $4::text[]) as fetched (item_id, item)
     order by item_id
     on conflict (company_number, kind, item_id) do update set data = excluded.data, changed_at = excluded.changed_at
       where known.changed_at < excluded.changed_at and known.data <> excluded.data`,
    [number, kind, ids, part.items.map(({ data }) => JSON.stringify(data)), askedAt],
  )
  if (part.total !== null) return
  await tx.query(
    `delete from company_item
     where company_number = $1 and kind = $2 and changed_at < $4 and not item_id = any($3::text[])`,
    [number, kind, ids, askedAt],
  )
}
