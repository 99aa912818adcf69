/**
 * The parts of a company beyond its profile, item by item, read tolerantly from what REST and the streams send. Items
 * are stored as they came; here they become what the rest of Nameplate reads.
 */
import { createHash } from 'node:crypto'
import { toDate, toInteger, toList, toRecord, toText, toTexts } from './loose-json.ts'

/** As the tables name them. Most wanted first: the order in which a short budget is spent. */
export const PART_KINDS = ['officer', 'charge', 'insolvency', 'psc', 'filing'] as const
export type PartKind = (typeof PART_KINDS)[number]

export interface FetchedItem {
  /** The id under which the streams speak of the same item. */
  id: string
  data: Record<string, unknown>
}

export interface Officer {
  name: string | null
  role: string | null
  appointed_on: string | null
  resigned_on: string | null
  nationality: string | null
  occupation: string | null
  country_of_residence: string | null
  date_of_birth: { month: number | null; year: number } | null
}

export interface Charge {
  charge_code: string | null
  status: string | null
  created_on: string | null
  delivered_on: string | null
  satisfied_on: string | null
  description: string | null
  persons_entitled: string[]
}

export interface Insolvency {
  status: string[]
  cases: InsolvencyCase[]
}

export interface InsolvencyCase {
  type: string | null
  number: string | null
  dates: Array<{ type: string; date: string }>
  practitioners: Array<{
    name: string
    role: string | null
    appointed_on: string | null
    ceased_to_act_on: string | null
  }>
}

export interface Psc {
  kind: string | null
  name: string | null
  notified_on: string | null
  ceased_on: string | null
  natures_of_control: string[]
  nationality: string | null
  country_of_residence: string | null
  registration_number: string | null
}

export interface Filing {
  transaction_id: string | null
  type: string | null
  category: string | null
  subcategories: string[]
  description: string | null
  date: string | null
  action_date: string | null
}

/** Charges often lack an id of their own; the last part of the link is it. */
export function identifyItem(kind: Exclude<PartKind, 'insolvency'>, raw: unknown): FetchedItem {
  const data = toRecord(raw)
  const link = toText(toRecord(data['links'])['self'])?.split('/').at(-1)
  const id = (kind === 'filing' ? toText(data['transaction_id']) : null) ?? link ?? toText(data['id'])
  // An item without any id is kept too: it is known, and the next fetch of the part replaces it.
  return { id: id || `sha256-${createHash('sha256').update(JSON.stringify(data)).digest('hex')}`, data }
}

export function parseOfficer(data: Record<string, unknown>): Officer {
  return {
    name: toText(data['name']),
    role: toText(data['officer_role']),
    appointed_on: toDate(data['appointed_on']),
    resigned_on: toDate(data['resigned_on']),
    nationality: toText(data['nationality']),
    occupation: toText(data['occupation']),
    country_of_residence: toText(data['country_of_residence']),
    date_of_birth: parseBirth(data['date_of_birth']),
  }
}

/** The register never publishes the day. */
function parseBirth(value: unknown): Officer['date_of_birth'] {
  const birth = toRecord(value)
  const year = toInteger(birth['year'], { min: 1800, max: 2200 })
  return year === null ? null : { month: toInteger(birth['month'], { min: 1, max: 12 }), year }
}

export function parseCharge(data: Record<string, unknown>): Charge {
  return {
    charge_code: toText(data['charge_code']),
    status: toText(data['status']),
    created_on: toDate(data['created_on']) ?? toDate(data['acquired_on']),
    delivered_on: toDate(data['delivered_on']),
    satisfied_on: toDate(data['satisfied_on']),
    // An object in practice, a list of one in the documentation.
    description: toText(toRecord(toList(data['classification'])[0] ?? data['classification'])['description']),
    persons_entitled: toList(data['persons_entitled']).flatMap((person) => toText(toRecord(person)['name']) ?? []),
  }
}

export function parseInsolvency(data: Record<string, unknown>): Insolvency {
  return { status: toTexts(data['status']), cases: toList(data['cases']).map((item) => parseCase(toRecord(item))) }
}

function parseCase(data: Record<string, unknown>): InsolvencyCase {
  const number = data['number']
  return {
    type: toText(data['type']),
    number: typeof number === 'number' ? String(number) : toText(number),
    dates: toList(data['dates']).flatMap((item) => {
      const { type, date } = toRecord(item)
      const [name, on] = [toText(type), toDate(date)]
      return name && on ? [{ type: name, date: on }] : []
    }),
    practitioners: toList(data['practitioners']).flatMap((item) => {
      const practitioner = toRecord(item)
      const name = toText(practitioner['name'])
      if (!name) return []
      return [
        {
          name,
          role: toText(practitioner['role']),
          appointed_on: toDate(practitioner['appointed_on']),
          ceased_to_act_on: toDate(practitioner['ceased_to_act_on']),
        },
      ]
    }),
  }
}

export function parsePsc(data: Record<string, unknown>): Psc {
  return {
    kind: toText(data['kind']),
    name: toText(data['name']),
    notified_on: toDate(data['notified_on']),
    ceased_on: toDate(data['ceased_on']),
    natures_of_control: toTexts(data['natures_of_control']),
    nationality: toText(data['nationality']),
    country_of_residence: toText(data['country_of_residence']),
    registration_number: toText(toRecord(data['identification'])['registration_number']),
  }
}

export function parseFiling(data: Record<string, unknown>): Filing {
  return {
    transaction_id: toText(data['transaction_id']),
    type: toText(data['type']),
    category: toText(data['category']),
    subcategories: toTexts(data['subcategory']),
    description: toText(data['description']),
    date: toDate(data['date']),
    action_date: toDate(data['action_date']),
  }
}
