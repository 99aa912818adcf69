/** A company as the register has it: one table of fields, from which types, columns, writes and comparison follow. */
import type { Db } from '../lib/db/db.ts'

interface Field<Column extends string, Value> {
  readonly column: Column
  /** Its type in PostgreSQL. */
  readonly sqlType: string
  /** Never set: it carries the type of the value. */
  readonly value?: Value
}

function field<Value>() {
  return <Column extends string>(column: Column, sqlType: string): Field<Column, Value> => ({ column, sqlType })
}
const text = field<string>()
const maybeText = field<string | null>()
const count = field<number>()
const maybeNumber = field<number | null>()

export interface PreviousName {
  name: string
  ceased_on: string | null
}

/** Dates are `YYYY-MM-DD`; derived facts such as "overdue" are never stored. */
const FIELDS = {
  number: text('number', 'text'),
  name: text('name', 'text'),
  previousNames: field<PreviousName[]>()('previous_names', 'jsonb'),
  status: text('status', 'text'),
  statusDetail: maybeText('status_detail', 'text'),
  type: text('type', 'text'),
  incorporatedOn: maybeText('incorporated_on', 'date'),
  dissolvedOn: maybeText('dissolved_on', 'date'),
  address: {
    careOf: maybeText('address_care_of', 'text'),
    poBox: maybeText('address_po_box', 'text'),
    line1: maybeText('address_line_1', 'text'),
    line2: maybeText('address_line_2', 'text'),
    town: maybeText('address_town', 'text'),
    county: maybeText('address_county', 'text'),
    country: maybeText('address_country', 'text'),
    postcode: maybeText('postcode', 'text'),
  },
  countryOfOrigin: maybeText('country_of_origin', 'text'),
  accountsRefDay: maybeNumber('accounts_ref_day', 'smallint'),
  accountsRefMonth: maybeNumber('accounts_ref_month', 'smallint'),
  accountsNextDue: maybeText('accounts_next_due', 'date'),
  accountsLastMadeUp: maybeText('accounts_last_made_up', 'date'),
  /** The register's word, such as `micro-entity`; null when none were filed. */
  accountsType: maybeText('accounts_type', 'text'),
  confirmationNextDue: maybeText('confirmation_next_due', 'date'),
  confirmationLastMadeUp: maybeText('confirmation_last_made_up', 'date'),
  charges: {
    total: count('charges_total', 'integer'),
    outstanding: count('charges_outstanding', 'integer'),
    partSatisfied: count('charges_part_satisfied', 'integer'),
    satisfied: count('charges_satisfied', 'integer'),
  },
  sicCodes: field<string[]>()('sic_codes', 'text[]'),
  /** Remarks of the registrar on the record, sorted: `OFFICE_IN_DISPUTE` and such. Null when no profile was read yet. */
  remarks: field<string[] | null>()('remarks', 'text[]'),
}

type ValueOf<Entry> = Entry extends Field<string, infer Value> ? Value : { [Name in keyof Entry]: ValueOf<Entry[Name]> }
type FieldsIn<Entry> = Entry extends Field<string, unknown> ? Entry : FieldsIn<Entry[keyof Entry]>

/** All that a source may know of a company. */
export type CompanyFacts = { [Name in keyof typeof FIELDS]: ValueOf<(typeof FIELDS)[Name]> }
export type Address = CompanyFacts['address']

export interface Company extends CompanyFacts {
  timepoint: number
  source: 'snapshot' | 'stream' | 'rest'
  changedAt: Date
}

type FactColumns = { [Each in FieldsIn<typeof FIELDS> as Each['column']]: ValueOf<Each> }

export interface CompanyRow extends Omit<FactColumns, 'previous_names'> {
  previous_names: PreviousName[] | null
  timepoint: number
  source: Company['source']
  changed_at: Date
}

interface FactColumn {
  column: string
  sqlType: string
  /** `address` or `charges`; null for a fact of the company itself. */
  group: string | null
  name: string
}

/** The columns of `company` that hold facts, in the order of the table above. */
export const FACT_COLUMNS: readonly FactColumn[] = Object.entries(FIELDS).flatMap(([name, entry]): FactColumn[] =>
  'column' in entry
    ? [{ column: entry.column, sqlType: entry.sqlType, group: null, name }]
    : Object.entries(entry).map(([inner, { column, sqlType }]) => ({ column, sqlType, group: name, name: inner })),
)

/** The columns `toCompany` needs, for a select. */
export const COMPANY_COLUMNS = [...FACT_COLUMNS.map(({ column }) => column), 'timepoint, source, changed_at'].join(', ')

type Members = Record<string, unknown>

/** Returns the value of a column. */
export function readFact(facts: CompanyFacts, { group, name }: FactColumn): unknown {
  const members = facts as unknown as Members
  return group === null ? members[name] : (members[group] as Members)[name]
}

export function toCompany(row: CompanyRow): Company {
  const columns = row as unknown as Members
  const facts: Members = { address: {}, charges: {} }
  for (const { column, group, name } of FACT_COLUMNS) {
    const members = group === null ? facts : (facts[group] as Members)
    members[name] = columns[column]
  }
  const { previous_names: previousNames, timepoint, source, changed_at: changedAt } = row
  return { ...(facts as unknown as CompanyFacts), previousNames: previousNames ?? [], timepoint, source, changedAt }
}

/** Returns a company without what we know of its row. */
export function toFacts({
  timepoint: _timepoint,
  source: _source,
  changedAt: _changedAt,
  ...facts
}: Company): CompanyFacts {
  return facts
}

/** True when no fact differs. The snapshot writes addresses in capitals and the streams do not: that is no change. */
export function hasSameFacts(before: CompanyFacts, after: CompanyFacts): boolean {
  return JSON.stringify(comparable(before)) === JSON.stringify(comparable(after))
}

/** The streams leave the country of origin out. */
const COMPARED_OTHERWISE = new Set(['countryOfOrigin', 'remarks'])
const COMPARED = FACT_COLUMNS.filter(({ group, name }) => group !== 'address' && !COMPARED_OTHERWISE.has(name))

function comparable(facts: CompanyFacts): unknown[] {
  const address = Object.values(facts.address).map(
    (part) =>
      part
        ?.toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, ' ')
        .trim() || null,
  )
  return [
    ...COMPARED.map((column) => readFact(facts, column)),
    // None is no change from not read yet.
    facts.remarks ?? [],
    address.sort((a, b) => (a ?? '').localeCompare(b ?? '')),
  ]
}

export async function findCompany(db: Db, number: string): Promise<Company | null> {
  const [row] = await db.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = $1`, [number])
  return row ? toCompany(row) : null
}

/**
 * A company number as the register writes it: eight characters, digits padded with zeros, letters in capitals. Takes
 * what people type (`SC 12345`, `6500244`, `oc301234`); null when it cannot be one.
 */
export function parseCompanyNumber(typed: string): string | null {
  const compact = typed.replaceAll(/[\s.-]/g, '').toUpperCase()
  const match = /^([A-Z]{0,2}?)(\d{1,8})([A-Z]?)$/.exec(compact)
  if (!match) return null
  const [, prefix = '', digits = '', suffix = ''] = match
  const width = 8 - prefix.length - suffix.length
  if (digits.length > width) return null
  return prefix + digits.padStart(width, '0') + suffix
}

/** Remarks that a profile has as flags; others are the types of its annotations, as they come. */
export const OFFICE_IN_DISPUTE = 'registered-office-is-in-dispute'
export const OFFICE_UNDELIVERABLE = 'undeliverable-registered-office-address'

/** An owner of land in the UK that is registered abroad. It files a yearly update where a company confirms its statement. */
export function isOverseasEntity(number: string): boolean {
  return number.startsWith('OE')
}

/** Returns what a company owes the register every year beside its accounts: it has the same dates for all. */
export function nameYearlyStatement(number: string): 'confirmation statement' | 'yearly update statement' {
  return isOverseasEntity(number) ? 'yearly update statement' : 'confirmation statement'
}

/** A branch of an overseas company. The snapshot has the company itself (`FC`), and none of its establishments. */
export function isUkEstablishment(number: string): boolean {
  return number.startsWith('BR')
}

/** Returns an address in one line; null when nothing of it is known. */
export function formatAddress(address: Address): string | null {
  const { careOf, poBox, line1, line2, town, county, country, postcode } = address
  const parts = [careOf && `c/o ${careOf}`, poBox && `PO Box ${poBox}`, line1, line2, town, county, country, postcode]
  return parts.filter(Boolean).join(', ') || null
}
