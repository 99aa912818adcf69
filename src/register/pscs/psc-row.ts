/**
 * A person with significant control as a row: one table of columns, from which the type, the copying and the writing follow.
 * The register's records come in ten kinds with different members; what a kind lacks is null.
 */
import {
  joinTexts,
  type LooseRecord,
  toCode,
  toDate,
  toInteger,
  toList,
  toRecord,
  toText,
  toTexts,
} from '../../lib/text/loose-json.ts'
import { deriveControl } from '../owners/control.ts'
import { keyOfOwner, parseIdentification, readOwnerNumber } from '../owners/owner-number.ts'
import { toNameKey } from '../search/name-key.ts'

export interface PscRow {
  company_number: string
  /** Unique within the company. */
  psc_id: string
  kind: string
  name: string | null
  birth_year: number | null
  birth_month: number | null
  nationality: string | null
  country_of_residence: string | null
  /** In one line. */
  address: string | null
  natures_of_control: string[]
  notified_on: string | null
  ceased_on: string | null
  is_ceased: boolean
  is_sanctioned: boolean
  /** The code of a statement. */
  statement: string | null
  identification: LooseRecord | null
  identity: LooseRecord | null
  exemptions: LooseRecord | null
  owner_number: string | null
  owner_number_other: string | null
  owner_key: string | null
  name_key: string | null
  control: string | null
}

/** The columns that hold facts, with their types in PostgreSQL. */
export const PSC_COLUMNS = {
  company_number: 'text',
  psc_id: 'text',
  kind: 'text',
  name: 'text',
  birth_year: 'smallint',
  birth_month: 'smallint',
  nationality: 'text',
  country_of_residence: 'text',
  address: 'text',
  natures_of_control: 'text[]',
  notified_on: 'date',
  ceased_on: 'date',
  is_ceased: 'boolean',
  is_sanctioned: 'boolean',
  statement: 'text',
  identification: 'jsonb',
  identity: 'jsonb',
  exemptions: 'jsonb',
  owner_number: 'text',
  owner_number_other: 'text',
  owner_key: 'text',
  name_key: 'text',
  control: 'text',
} as const satisfies Record<keyof PscRow, string>

export const PSC_COLUMN_NAMES = Object.keys(PSC_COLUMNS) as Array<keyof PscRow>

/** A company has one record of exemptions. */
export const EXEMPTIONS_ID = 'exemptions'

/** Returns the id in a record's link; exemptions may have none. */
export function readPscId(data: LooseRecord): string | null {
  const link = toText(toRecord(data['links'])['self'])
  return link?.slice(link.lastIndexOf('/') + 1) || (toText(data['kind']) === 'exemptions' ? EXEMPTIONS_ID : null)
}

/** Turns a record of the register's file, stream or REST into a row. */
export function toPscRow(companyNumber: string, pscId: string, data: LooseRecord): PscRow {
  const kind = toText(data['kind']) ?? ''
  const birth = toRecord(data['date_of_birth'])
  const ceasedOn = toDate(data['ceased_on'])
  const isCeased = ceasedOn !== null || data['ceased'] === true || data['ceased'] === '1'
  const name = toText(data['name'])
  const natures = toTexts(data['natures_of_control'])
  const identification = data['identification'] === undefined ? null : keepTexts(data['identification'], IDENTIFICATION)
  return {
    company_number: companyNumber,
    psc_id: pscId,
    kind,
    name,
    birth_year: toInteger(birth['year'], { min: 1800, max: 2200 }),
    birth_month: toInteger(birth['month'], { min: 1, max: 12 }),
    nationality: toText(data['nationality']),
    country_of_residence: toText(data['country_of_residence']),
    address: joinTexts(data['address']),
    natures_of_control: natures,
    notified_on: toDate(data['notified_on']),
    ceased_on: ceasedOn,
    is_ceased: isCeased,
    is_sanctioned: data['is_sanctioned'] === true,
    statement: toText(data['statement']),
    identification,
    identity: keepDays(data['identity_verification_details']),
    exemptions: data['exemptions'] === undefined ? null : keepExemptions(data['exemptions']),
    ...(isCeased || !isOrganisation(kind)
      ? NO_LINK
      : linkOf(identification ?? {}, { name, natures, isCompany: kind.startsWith('corporate-entity') })),
  }
}

export function isOrganisation(kind: string): boolean {
  return kind.startsWith('corporate-entity') || kind.startsWith('legal-person')
}

/** The register withholds everything about these people. */
export function isProtected(kind: string): boolean {
  return kind.startsWith('super-secure')
}

/** Statements ("there is none") and exemptions name no person. */
export function isPerson(kind: string): boolean {
  return !kind.endsWith('statement') && !kind.startsWith('exemptions')
}

type Link = Pick<PscRow, 'owner_number' | 'owner_number_other' | 'owner_key' | 'name_key' | 'control'>

const NO_LINK: Link = { owner_number: null, owner_number_other: null, owner_key: null, name_key: null, control: null }

interface Linked {
  name: string | null
  natures: readonly string[]
  isCompany: boolean
}

function linkOf(identification: LooseRecord, { name, natures, isCompany }: Linked): Link {
  const written = parseIdentification(identification)
  const nameKey = name === null ? null : toNameKey(name)
  const read = readOwnerNumber(written)
  const [number = null, other = null] = read.kind === 'uk' || read.kind === 'uncertain' ? read.candidates : []
  return {
    owner_number: number,
    owner_number_other: other,
    owner_key: read.kind !== 'uk' ? keyOfOwner(written, { nameKey, isCompany }) : null,
    name_key: nameKey,
    control: deriveControl(natures),
  }
}

const DAYS = [
  'appointment_verification_statement_date',
  'appointment_verification_statement_due_on',
  'appointment_verification_start_on',
  'appointment_verification_end_on',
  'identity_verified_on',
]

const IDENTIFICATION = [
  'legal_form',
  'legal_authority',
  'country_registered',
  'place_registered',
  'registration_number',
]

/** Keeps members that we know, as texts that PostgreSQL takes. */
function keepTexts(value: unknown, names: readonly string[]): LooseRecord {
  const record = toRecord(value)
  const kept: LooseRecord = {}
  for (const name of names) {
    const text = toCode(record[name])
    if (text !== null) kept[name] = text
  }
  return kept
}

const EXEMPTIONS_MAX = 20

function keepExemptions(value: unknown): LooseRecord {
  const kinds = Object.values(toRecord(value)).slice(0, EXEMPTIONS_MAX)
  const kept = kinds.map((kind, index) => {
    const items = toList(toRecord(kind)['items']).slice(0, EXEMPTIONS_MAX)
    return [
      `exemption_${index}`,
      {
        ...keepTexts(kind, ['exemption_type']),
        items: items.map((item) => keepTexts(item, ['exempt_from', 'exempt_to'])),
      },
    ]
  })
  return Object.fromEntries(kept) as LooseRecord
}

/** Keeps the days and nothing else: names in this block are no business of ours. */
function keepDays(value: unknown): LooseRecord | null {
  if (value === undefined) return null
  const data = toRecord(value)
  const days: LooseRecord = {}
  for (const name of DAYS) {
    const day = toDate(data[name])
    if (day !== null) days[name] = day
  }
  return Object.keys(days).length > 0 ? days : null
}

/** Returns the record in the register's shape, as far as we keep it. */
export function toPscRecord(row: PscRow): LooseRecord {
  const members: Array<[string, unknown]> = [
    ['kind', row.kind],
    ['name', row.name],
    ['date_of_birth', row.birth_year === null ? null : { month: row.birth_month, year: row.birth_year }],
    ['nationality', row.nationality],
    ['country_of_residence', row.country_of_residence],
    ['address', row.address],
    ['natures_of_control', row.natures_of_control.length > 0 ? row.natures_of_control : null],
    ['notified_on', row.notified_on],
    ['ceased_on', row.ceased_on],
    ['ceased', row.is_ceased && row.ceased_on === null ? true : null],
    ['is_sanctioned', row.is_sanctioned || null],
    ['statement', row.statement],
    ['identification', row.identification],
    ['identity_verification_details', row.identity],
    ['exemptions', row.exemptions],
    ['links', { self: `/company/${row.company_number}/persons-with-significant-control/${row.psc_id}` }],
  ]
  return Object.fromEntries(members.filter(([, value]) => value !== null))
}
