import type { Tx } from '../lib/db/db.ts'
import { COMPANY_COLUMNS, type Company, type CompanyRow, toCompany } from './company.ts'
import type { CompanyFacts } from './details/company-from-profile.ts'
import { toNameKey } from './search/name-key.ts'
import { updateSearchIndex } from './search/search-index.ts'

/** A company as one source has it. Only the snapshot counts charges; without counts, those of the row stay. */
export interface IncomingCompany {
  facts: CompanyFacts & Partial<Pick<Company, 'charges'>>
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
    const after = { ...item.facts, ...fillFromRow(before, item.facts) }
    writes.push({ item, before, after, differs: !before || !isSame(before, after) })
  }
  await writeRows(tx, writes, options)
  const differing = writes.filter((write) => write.differs)
  await queueChanges(tx, differing, options)
  const searchable = differing.filter(isSearchAffected).map(({ after }) => after.number)
  if (options.searchLater) options.searchLater.push(...searchable)
  else await updateSearchIndex(tx, searchable)
  const added = differing.filter(({ before }) => before === null).length
  return { added, changed: differing.length - added }
}

type Facts = CompanyFacts & Pick<Company, 'charges'>

interface Write {
  item: IncomingCompany
  before: Company | null
  after: Facts
  differs: boolean
}

const NO_CHARGES = { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 }

/** Streams leave out what the snapshot has: counts of charges, and "United Kingdom" as the country of origin. */
function fillFromRow(
  before: Company | null,
  facts: IncomingCompany['facts'],
): Pick<Company, 'charges' | 'countryOfOrigin'> {
  return {
    charges: facts.charges ?? before?.charges ?? NO_CHARGES,
    countryOfOrigin: facts.countryOfOrigin ?? before?.countryOfOrigin ?? null,
  }
}

/** The snapshot writes addresses in capitals and the streams do not: that is no change. */
function isSame(before: Company, after: Facts): boolean {
  return JSON.stringify(comparable(before)) === JSON.stringify(comparable(after))
}

function comparable(facts: Facts): unknown[] {
  const { address, charges } = facts
  return [
    facts.name,
    facts.status,
    facts.statusDetail,
    facts.type,
    facts.incorporatedOn,
    facts.dissolvedOn,
    Object.values(address)
      .map(
        (part: string | null) =>
          part
            ?.toUpperCase()
            .replaceAll(/[^A-Z0-9]+/g, ' ')
            .trim() || null,
      )
      .sort((a, b) => (a ?? '').localeCompare(b ?? '')),
    facts.accountsRefDay,
    facts.accountsRefMonth,
    facts.accountsNextDue,
    facts.accountsLastMadeUp,
    facts.accountsType,
    facts.confirmationNextDue,
    facts.confirmationLastMadeUp,
    charges.total,
    charges.outstanding,
    charges.partSatisfied,
    charges.satisfied,
    facts.sicCodes,
    facts.previousNames.map(({ name, ceased_on: ceasedOn }) => [name, ceasedOn]),
  ]
}

function isSearchAffected({ before, after }: Write): boolean {
  if (!before) return true
  const shown = (facts: Facts) => [
    facts.name,
    facts.previousNames.map(({ name }) => name),
    facts.status,
    facts.accountsType,
    facts.address.postcode,
    facts.incorporatedOn,
  ]
  return JSON.stringify(shown(before)) !== JSON.stringify(shown(after))
}

const WRITTEN = `number text, name text, name_key text, previous_names jsonb, previous_name_keys text[], status text,
  status_detail text, type text, incorporated_on date, dissolved_on date, address_care_of text, address_po_box text,
  address_line_1 text, address_line_2 text, address_town text, address_county text, address_country text, postcode text,
  country_of_origin text, accounts_ref_day smallint, accounts_ref_month smallint, accounts_next_due date,
  accounts_last_made_up date, accounts_type text, confirmation_next_due date, confirmation_last_made_up date,
  charges_total integer, charges_outstanding integer, charges_part_satisfied integer, charges_satisfied integer,
  sic_codes text[], row_hash bigint, timepoint bigint, source text, changed_at timestamptz`
const WRITTEN_NAMES = WRITTEN.split(',').map((column) => column.trim().split(' ')[0] ?? '')
const UPSERT = `insert into company (${WRITTEN_NAMES.join(', ')})
  select ${WRITTEN_NAMES.join(', ')} from jsonb_to_recordset($1::jsonb) as incoming (${WRITTEN})
  on conflict (number) do update set ${WRITTEN_NAMES.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

async function writeRows(tx: Tx, writes: readonly Write[], options: ApplyOptions): Promise<void> {
  if (writes.length > 0) await tx.query(UPSERT, [JSON.stringify(writes.map((write) => toRow(write, options)))])
}

function toRow({ item, before, after, differs }: Write, options: ApplyOptions): Record<string, unknown> {
  const { address, charges, previousNames } = after
  return {
    number: after.number,
    name: after.name,
    name_key: toNameKey(after.name),
    previous_names: previousNames.length > 0 ? previousNames : null,
    previous_name_keys: previousNames.length > 0 ? previousNames.map(({ name }) => toNameKey(name)) : null,
    status: after.status,
    status_detail: after.statusDetail,
    type: after.type,
    incorporated_on: after.incorporatedOn,
    dissolved_on: after.dissolvedOn,
    address_care_of: address.careOf,
    address_po_box: address.poBox,
    address_line_1: address.line1,
    address_line_2: address.line2,
    address_town: address.town,
    address_county: address.county,
    address_country: address.country,
    postcode: address.postcode,
    country_of_origin: after.countryOfOrigin,
    accounts_ref_day: after.accountsRefDay,
    accounts_ref_month: after.accountsRefMonth,
    accounts_next_due: after.accountsNextDue,
    accounts_last_made_up: after.accountsLastMadeUp,
    accounts_type: after.accountsType,
    confirmation_next_due: after.confirmationNextDue,
    confirmation_last_made_up: after.confirmationLastMadeUp,
    charges_total: charges.total,
    charges_outstanding: charges.outstanding,
    charges_part_satisfied: charges.partSatisfied,
    charges_satisfied: charges.satisfied,
    sic_codes: after.sicCodes,
    row_hash: item.rowHash,
    timepoint: Math.max(item.timepoint, before?.timepoint ?? 0),
    // A row without a difference keeps the moment it last changed.
    source: differs ? options.source : (before?.source ?? options.source),
    changed_at: differs ? options.at : (before?.changedAt ?? options.at),
  }
}

async function queueChanges(tx: Tx, differing: readonly Write[], options: ApplyOptions): Promise<void> {
  if (differing.length === 0) return
  const rows = differing.map(({ before, after }) => ({
    number: after.number,
    before: before ? toFacts(before) : null,
    after,
  }))
  await tx.query(
    `insert into register_change (company_number, kind, before, after, source, reference, occurred_at)
     select number, 'company', nullif(before, 'null'), after, $2, $3, $4
     from jsonb_to_recordset($1::jsonb) as change (number text, before jsonb, after jsonb)`,
    [JSON.stringify(rows), options.source, options.reference, options.at],
  )
}

function toFacts(company: Company): Facts {
  const { timepoint: _, source: __, changedAt: ___, ...facts } = company
  return facts
}
