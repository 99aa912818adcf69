/** Writes persons with significant control and queues what changed for the signals; nothing else writes them but the first load. */
import type { Tx } from '../../lib/db/db.ts'
import { stableText } from '../../lib/text/loose-json.ts'
import { type QueuedChange, queueChanges } from '../apply-companies.ts'
import { personOf, redactPsc } from '../people/redact.ts'
import { queueRemovals } from '../people/removals.ts'
import { recordWithheld } from '../people/withheld.ts'
import { PSC_COLUMN_NAMES, PSC_COLUMNS, type PscRow, toPscRecord } from './psc-row.ts'

export interface IncomingPsc {
  row: PscRow
  isDeletion: boolean
  /** The hash of the file's line; null from other sources. */
  rowHash: number | null
  /** The timepoint of the stream; 0 from other sources. */
  timepoint: number
  at: Date
  /** Where the source has it. */
  reference: string
}

export interface KnownPsc extends PscRow {
  is_deleted: boolean
  row_hash: number | null
  timepoint: number
  changed_at: Date
}

export interface ApplyPscsOptions {
  source: 'snapshot' | 'stream' | 'rest'
  /** True when what we have is newer than what comes in. */
  isStale(known: KnownPsc, incoming: IncomingPsc): boolean
  /** A first reading is the state from which changes are seen, and no change itself. */
  isBaseline?: true
}

export interface AppliedPscs {
  added: number
  changed: number
}

/** The incoming ones must be of different ids. Names that are withheld are not written, and not queued either. */
export async function applyPscs(
  tx: Tx,
  asked: readonly IncomingPsc[],
  options: ApplyPscsOptions,
): Promise<AppliedPscs> {
  if (asked.length === 0) return { added: 0, changed: 0 }
  const stored = await tx.query<KnownPsc>(
    `select ${PSC_COLUMN_NAMES.join(', ')}, is_deleted, row_hash, timepoint, changed_at from psc
     where (company_number, psc_id) in (select * from unnest($1::text[], $2::text[]))
     order by company_number, psc_id for update`,
    [asked.map(({ row }) => row.company_number), asked.map(({ row }) => row.psc_id)],
  )
  const withhold = await findNamed(tx, stored, 'stored')
  const known = new Map(stored.map((row) => [keyOf(row), withhold(row)]))
  const received = await findNamed(
    tx,
    asked.map(({ row }) => row),
    'incoming',
  )
  const incoming = asked.map((item) => ({ ...item, row: received(item.row) }))
  const writes: Write[] = []
  for (const item of incoming) {
    const before = known.get(keyOf(item.row)) ?? null
    if (before && options.isStale(before, item)) continue
    const was = before && !before.is_deleted ? toPscRecord(before) : null
    const is = item.isDeletion ? null : toPscRecord(item.row)
    writes.push({ item, before, was, is, differs: stableText(was) !== stableText(is) })
  }
  await write(tx, writes)
  const deleted = writes.filter(({ item, before }) => item.isDeletion && before)
  await queueRemovals(
    tx,
    deleted.flatMap(({ before }) => (before ? personOf(before) : [])),
    'deleted',
  )
  const differing = writes.filter(({ differs }) => differs)
  if (!options.isBaseline)
    await queueChanges(
      tx,
      differing.map((each) => toChange(each, options.source)),
    )
  const added = differing.filter(({ was }) => was === null).length
  return { added, changed: differing.length - added }
}

/** Returns a function that takes the names out of rows of withheld people. */
async function findNamed(
  tx: Tx,
  rows: readonly PscRow[],
  from: 'incoming' | 'stored',
): Promise<<Row extends PscRow>(row: Row) => Row> {
  const people = rows.flatMap((row) => personOf(row).map((person) => ({ ...person, row })))
  const withheld = new Set([...(await recordWithheld(tx, people, from))].map(({ row }) => row))
  return (row) => (withheld.has(row) ? redactPsc(row) : row)
}

interface Write {
  item: IncomingPsc
  before: KnownPsc | null
  was: Record<string, unknown> | null
  is: Record<string, unknown> | null
  differs: boolean
}

const keyOf = ({ company_number, psc_id }: PscRow) => `${company_number}/${psc_id}`

const WRITTEN = {
  ...PSC_COLUMNS,
  is_deleted: 'boolean',
  row_hash: 'bigint',
  timepoint: 'bigint',
  changed_at: 'timestamptz',
}
const NAMES = Object.keys(WRITTEN)
const UPSERT = `insert into psc (${NAMES.join(', ')})
  select ${NAMES.join(', ')} from jsonb_to_recordset($1::jsonb)
    as incoming (${Object.entries(WRITTEN)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')})
  order by company_number, psc_id
  on conflict (company_number, psc_id) do update set ${NAMES.slice(2)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}
  -- A row that the stream wrote since we looked is newer.
  where psc.timepoint <= excluded.timepoint`

async function write(tx: Tx, writes: readonly Write[]): Promise<void> {
  if (writes.length > 0) await tx.query(UPSERT, [JSON.stringify(writes.map(toWritten))])
}

function toWritten({ item, before, differs }: Write): Record<string, unknown> {
  const { company_number, psc_id, kind } = item.row
  // Of a deleted record only its number stays.
  const facts = item.isDeletion
    ? { company_number, psc_id, kind, natures_of_control: [], is_ceased: true, is_sanctioned: false }
    : item.row
  return {
    ...facts,
    is_deleted: item.isDeletion,
    // An event that repeats what the file has leaves the row the file's.
    row_hash: differs ? item.rowHash : (item.rowHash ?? before?.row_hash ?? null),
    timepoint: Math.max(item.timepoint, before?.timepoint ?? 0),
    // A row without a difference keeps the moment it last changed.
    changed_at: differs ? item.at : (before?.changed_at ?? item.at),
  }
}

function toChange({ item, was, is }: Write, source: ApplyPscsOptions['source']): QueuedChange {
  return {
    number: item.row.company_number,
    kind: 'psc',
    before: was,
    after: is,
    source,
    reference: item.reference,
    at: item.at,
  }
}
