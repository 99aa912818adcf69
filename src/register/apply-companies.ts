import type { Tx } from '../lib/db/db.ts'
import {
  COMPANY_COLUMNS,
  type Company,
  type CompanyFacts,
  type CompanyRow,
  FACT_COLUMNS,
  hasSameFacts,
  readFact,
  toCompany,
  toFacts,
} from './company.ts'
import type { ProfileFacts } from './details/company-from-profile.ts'
import { listLostParents } from './owners/lost-parents.ts'
import { toNameKey } from './search/name-key.ts'
import { updateSearchIndex } from './search/search-index.ts'
import { OFF_REGISTER } from './vocabulary.ts'

/** A company as one source has it. Only the snapshot counts charges; without counts, those of the row stay. */
export interface IncomingCompany {
  facts: ProfileFacts & Partial<Pick<Company, 'charges'>>
  /** The hash of the snapshot's line; null from other sources. */
  rowHash: number | null
  /** The timepoint of the companies stream; 0 from other sources. */
  timepoint: number
}

export interface Applied {
  added: number
  changed: number
}

export interface ApplyOptions {
  source: Company['source']
  /** Where the source has it: a stream's timepoint, a snapshot's id. */
  reference: string
  at: Date
  /** Collects the numbers instead; the caller updates the search for all of them at the end of the transaction. */
  searchLater?: string[]
  /** True when what we have is newer than what comes in. */
  isStale(known: Company, incoming: IncomingCompany): boolean
}

/**
 * Writes companies, their search index and their queued changes in one transaction; nothing else changes a company. A
 * company without a difference is left alone; a new one is queued without a "before", which makes no signal.
 */
export async function applyCompanies(
  tx: Tx,
  incoming: readonly IncomingCompany[],
  options: ApplyOptions,
): Promise<Applied> {
  const knownRows = await tx.query<CompanyRow>(
    `select ${COMPANY_COLUMNS} from company where number = any($1) order by number for update`,
    [incoming.map(({ facts }) => facts.number)],
  )
  const known = new Map(knownRows.map((row) => [row.number, toCompany(row)]))
  const writes: Write[] = []
  for (const item of incoming) {
    const before = known.get(item.facts.number) ?? null
    if (before && options.isStale(before, item)) continue
    const after = { ...item.facts, ...fillFromRow(before, item.facts, options.source) }
    writes.push({ item, before, after, differs: !before || !hasSameFacts(before, after) })
  }
  await writeRows(tx, writes, options)
  const differing = writes.filter((write) => write.differs)
  await queueChanges(
    tx,
    differing.map((write) => toChange(write, options)),
  )
  await queueLostParents(tx, differing, options)
  const searchable = differing.filter(isSearchAffected).map(({ after }) => after.number)
  if (options.searchLater) options.searchLater.push(...searchable)
  else await updateSearchIndex(tx, searchable)
  const added = differing.filter(({ before }) => before === null).length
  return { added, changed: differing.length - added }
}

interface Write {
  item: IncomingCompany
  before: Company | null
  after: CompanyFacts
  differs: boolean
}

const NO_CHARGES = { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 }

/**
 * Streams leave out what the snapshot has: counts of charges, and "United Kingdom" as the country of origin. The snapshot has
 * no remarks.
 */
function fillFromRow(
  before: Company | null,
  facts: IncomingCompany['facts'],
  source: Company['source'],
): Pick<Company, 'charges' | 'countryOfOrigin' | 'remarks'> {
  return {
    charges: facts.charges ?? before?.charges ?? NO_CHARGES,
    countryOfOrigin: facts.countryOfOrigin ?? before?.countryOfOrigin ?? null,
    remarks: source === 'snapshot' ? (before?.remarks ?? null) : facts.remarks,
  }
}

function isSearchAffected({ before, after }: Write): boolean {
  if (!before) return true
  const shown = (facts: CompanyFacts) => [
    facts.name,
    facts.previousNames.map(({ name }) => name),
    facts.status,
    facts.accountsType,
    facts.address.postcode,
    facts.incorporatedOn,
    facts.sicCodes,
  ]
  return JSON.stringify(shown(before)) !== JSON.stringify(shown(after))
}

/** The columns that are written: the facts, what the search derives from names, and where the row comes from. */
const WRITTEN = [
  ...FACT_COLUMNS,
  { column: 'name_key', sqlType: 'text' },
  { column: 'previous_name_keys', sqlType: 'text[]' },
  { column: 'row_hash', sqlType: 'bigint' },
  { column: 'timepoint', sqlType: 'bigint' },
  { column: 'source', sqlType: 'text' },
  { column: 'changed_at', sqlType: 'timestamptz' },
]
const WRITTEN_NAMES = WRITTEN.map(({ column }) => column)
const UPSERT = `insert into company (${WRITTEN_NAMES.join(', ')})
  select ${WRITTEN_NAMES.join(', ')} from jsonb_to_recordset($1::jsonb)
    as incoming (${WRITTEN.map(({ column, sqlType }) => `${column} ${sqlType}`).join(', ')})
  on conflict (number) do update set ${WRITTEN_NAMES.filter((name) => name !== 'number')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

async function writeRows(tx: Tx, writes: readonly Write[], options: ApplyOptions): Promise<void> {
  if (writes.length > 0) await tx.query(UPSERT, [JSON.stringify(writes.map((write) => toRow(write, options)))])
}

function toRow({ item, before, after, differs }: Write, options: ApplyOptions): Record<string, unknown> {
  const { previousNames } = after
  return {
    ...Object.fromEntries(FACT_COLUMNS.map((fact) => [fact.column, readFact(after, fact)])),
    name_key: toNameKey(after.name),
    previous_names: previousNames.length > 0 ? previousNames : null,
    previous_name_keys: previousNames.length > 0 ? previousNames.map(({ name }) => toNameKey(name)) : null,
    row_hash: item.rowHash,
    timepoint: Math.max(item.timepoint, before?.timepoint ?? 0),
    // A row without a difference keeps the moment it last changed.
    source: differs ? options.source : (before?.source ?? options.source),
    changed_at: differs ? options.at : (before?.changedAt ?? options.at),
  }
}

function toChange({ before, after }: Write, { source, reference, at }: ApplyOptions): QueuedChange {
  const { number } = after
  return { number, kind: 'company', before: before && toFacts(before), after, source, reference, at }
}

/** A company that leaves the register is news for its subsidiaries too. */
async function queueLostParents(tx: Tx, writes: readonly Write[], options: ApplyOptions): Promise<void> {
  const gone = writes.filter(
    ({ before, after }) => before && !OFF_REGISTER.includes(before.status) && OFF_REGISTER.includes(after.status),
  )
  if (gone.length === 0) return
  const lost = await listLostParents(
    tx,
    gone.map(({ after }) => after),
  )
  const statusBefore = new Map(gone.map(({ before, after }) => [after.number, before?.status ?? null]))
  const { source, reference, at } = options
  const changes = lost.map(({ childNumber, parent: { number, name, status, dissolvedOn } }): QueuedChange => {
    const before = { number, name, status: statusBefore.get(number) ?? null }
    const after = { number, name, status, dissolved_on: dissolvedOn }
    return { number: childNumber, kind: 'parent', before, after, source, reference, at }
  })
  await queueChanges(tx, changes)
}

/** A change for the signals: a company, or a part of it, before and after. */
export interface QueuedChange {
  number: string
  /** `company`, or the kind of a part of it. */
  kind: string
  before: unknown
  after: unknown
  source: string
  reference: string
  at: Date
}

export async function queueChanges(tx: Tx, changes: readonly QueuedChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.query(
    `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
     select number, kind, nullif(before, 'null'), nullif(after, 'null'), source, reference, at
     from jsonb_to_recordset($1::jsonb) as change
       (number text, kind text, before jsonb, after jsonb, source text, reference text, at timestamptz)`,
    [JSON.stringify(changes)],
  )
}

/** A queued change, with what the register knows of the company. */
export interface RegisterChange extends Omit<QueuedChange, 'number' | 'at'> {
  companyNumber: string
  companyName: string | null
  incorporatedOn: string | null
  /** True for an owner where all owners of the company were known before: one that is new to us is new. */
  areOwnersKnown: boolean
  /** True for an officer where all officers of the company were. */
  areOfficersKnown: boolean
  occurredAt: Date
}

/** Takes the oldest changes from the queue, in their order. */
export async function takeChanges(tx: Tx, limit: number): Promise<RegisterChange[]> {
  return tx.query<RegisterChange>(
    `with taken as (
       delete from register_change
       where id in (select id from register_change order by id limit $1 for update skip locked)
       returning id, company_number, kind, before, after, source, reference, occurred_at
     )
     select t.company_number as "companyNumber", c.incorporated_on as "incorporatedOn", t.kind, t.before, t.after,
       t.source, t.reference, t.occurred_at as "occurredAt",
       t.kind = 'psc' and (
         exists (select from register_snapshot where product = 'pscs' and state = 'finished'
           and as_of < t.occurred_at::date and finished_at < t.occurred_at)
         or exists (select from company_part part where part.company_number = t.company_number and part.kind = 'owner'
           and part.total is null and part.fetched_at < t.occurred_at)) as "areOwnersKnown",
       t.kind = 'officer' and exists (select from company_part part where part.company_number = t.company_number
         and part.kind = 'officer' and part.total is null and part.fetched_at < t.occurred_at) as "areOfficersKnown",
       coalesce(case t.kind when 'company' then t.after ->> 'name' end, c.name) as "companyName"
     from taken t left join company c on c.number = t.company_number
     order by t.id`,
    [limit],
  )
}
