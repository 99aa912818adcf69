/** Clients ask about more than names: about types of companies, and about properties, which they fetch or send as hints. */
import { z } from 'zod'
import type { Db } from '../../../lib/db/db.ts'
import {
  type Company,
  findCompanies,
  formatAddress,
  isOffRegister,
  parseCompanyNumber,
  toNameKey,
} from '../../../register/index.ts'
import { invalidRequest } from '../../http/errors.ts'
import { parseField } from './queries.ts'

/** Kinds of companies to ask for. Every company is a `company`; the others are the register's own words. */
export interface ReconcileType {
  id: string
  name: string
}

export const COMPANY: ReconcileType = { id: 'company', name: 'Company' }

export const COMPANY_TYPES: readonly ReconcileType[] = [
  { id: 'ltd', name: 'Private limited company' },
  { id: 'plc', name: 'Public limited company' },
  { id: 'llp', name: 'Limited liability partnership' },
  { id: 'private-limited-guarant-nsc', name: 'Company limited by guarantee' },
  { id: 'private-limited-guarant-nsc-limited-exemption', name: 'Company limited by guarantee, without “limited”' },
  { id: 'community-interest-company', name: 'Community interest company' },
  { id: 'private-unlimited', name: 'Private unlimited company' },
  { id: 'limited-partnership', name: 'Limited partnership' },
  { id: 'scottish-partnership', name: 'Scottish partnership' },
  { id: 'registered-society-non-jurisdictional', name: 'Registered society' },
  { id: 'royal-charter', name: 'Royal charter company' },
  { id: 'uk-establishment', name: 'UK establishment of an overseas company' },
  { id: 'registered-overseas-entity', name: 'Overseas entity' },
]

/** The widest first. */
export function listTypes(companyType: string): ReconcileType[] {
  return [COMPANY, ...COMPANY_TYPES.filter(({ id }) => id === companyType)]
}

/** Ignores types that do not exist here: clients send the type names of other services. */
export function isOfTypes(companyType: string, wanted: readonly string[]): boolean {
  const meant = wanted.filter((type) => COMPANY_TYPES.some(({ id }) => id === type))
  return meant.length === 0 || wanted.includes(COMPANY.id) || meant.includes(companyType)
}

export interface Property {
  id: string
  name: string
  description: string
  /** A text unless said. */
  kind?: 'date'
  /** Empty where the register says nothing. */
  read: (company: Company) => string[]
  /** Whether what was typed means this value; the same letters and digits, or the same date, unless said. */
  isSame?: (value: string, typed: string) => boolean
}

export const PROPERTIES: readonly Property[] = [
  {
    id: 'company_number',
    name: 'Company number',
    description: 'As the register writes it, with its zeros.',
    read: ({ number }) => [number],
    isSame: (value, typed) => value === parseCompanyNumber(typed),
  },
  {
    id: 'company_name',
    name: 'Registered name',
    description: 'The whole name with its ending.',
    read: ({ name }) => [name],
    isSame: isSameName,
  },
  {
    id: 'company_status',
    name: 'Status',
    description: 'active, liquidation, dissolved, …',
    read: ({ status }) => known(status),
  },
  {
    id: 'company_type',
    name: 'Company type',
    description: 'ltd, plc, llp, …',
    read: ({ type }) => known(type),
  },
  {
    id: 'incorporated_on',
    name: 'Incorporated on',
    description: 'As a hint a year will do.',
    kind: 'date',
    read: ({ incorporatedOn }) => given(incorporatedOn),
  },
  {
    id: 'dissolved_on',
    name: 'Dissolved on',
    description: 'Empty for a company that is on the register.',
    kind: 'date',
    read: ({ dissolvedOn }) => given(dissolvedOn),
  },
  {
    id: 'postcode',
    name: 'Postcode',
    description: 'Of the registered office. As a hint its first half will do.',
    read: ({ address }) => given(address.postcode),
    isSame: (value, typed) => [compact(value), compact(value).slice(0, -3)].includes(compact(typed)),
  },
  {
    id: 'address',
    name: 'Registered office',
    description: 'In one line. As a hint any part of it will do.',
    read: ({ address }) => given(formatAddress(address)),
    isSame: (value, typed) => new Set(words(typed)).isSubsetOf(new Set(words(value))),
  },
  {
    id: 'sic_codes',
    name: 'SIC codes',
    description: 'What the company does, by the Standard Industrial Classification of 2007.',
    read: ({ sicCodes }) => sicCodes,
  },
  {
    id: 'accounts_type',
    name: 'Accounts type',
    description: 'Of the last accounts: micro-entity, dormant, group, …',
    read: ({ accountsType }) => given(accountsType),
  },
  {
    id: 'accounts_next_due',
    name: 'Accounts next due',
    description: 'Empty for a company that owes none any more.',
    kind: 'date',
    read: (company) => given(isOffRegister(company.status) ? null : company.accountsNextDue),
  },
  {
    id: 'confirmation_next_due',
    name: 'Confirmation statement next due',
    description: 'Empty for a company that owes none any more.',
    kind: 'date',
    read: (company) => given(isOffRegister(company.status) ? null : company.confirmationNextDue),
  },
  {
    id: 'previous_names',
    name: 'Previous names',
    description: 'Names the company had before.',
    read: ({ previousNames }) => previousNames.map(({ name }) => name),
    isSame: isSameName,
  },
]

/** True and false as far as the register says something of it; null where it does not, or no such property exists. */
export function doesAgree(company: Company, propertyId: string, typed: readonly string[]): boolean | null {
  const property = PROPERTIES.find(({ id }) => id === propertyId)
  const values = property?.read(company) ?? []
  if (values.length === 0 || typed.length === 0) return null
  const isSame = property?.isSame ?? (property?.kind === 'date' ? isSameDate : isSameText)
  return values.some((value) => typed.some((one) => isSame(value, one)))
}

const given = (value: string | null): string[] => (value === null || value === '' ? [] : [value])

/** The register tracks no status or type for some entities. */
const known = (word: string): string[] => (word === 'unknown' ? [] : given(word))

const compact = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

const words = (text: string) =>
  text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)

function isSameText(value: string, typed: string): boolean {
  return compact(value) === compact(typed)
}

function isSameName(value: string, typed: string): boolean {
  return toNameKey(value) === toNameKey(typed)
}

/** Takes `2011`, `2011-03`, `2011-03-14` with or without a time, and `14/03/2011`. */
function isSameDate(value: string, typed: string): boolean {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? []
  const date = year && month && day ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : typed.slice(0, 10)
  return /^\d{4}(?:-\d{2}){0,2}$/.test(date) && value.startsWith(date)
}

const IDS_MAX = 500
const ASKED_PROPERTIES_MAX = 50
const ID_CHARACTERS_MAX = 40

/** The settings of each property that is fetched. */
export const PROPERTY_SETTINGS = [
  {
    type: 'number',
    name: 'limit',
    label: 'Values at most',
    default: 0,
    help_text: 'How many values a cell gets where there are several; 0 is all of them.',
  },
] as const

const Extension = z.object({
  ids: z.array(z.string().max(ID_CHARACTERS_MAX)).max(IDS_MAX),
  properties: z
    .array(z.object({ id: z.string(), settings: z.object({ limit: z.coerce.number().catch(0).optional() }).nullish() }))
    .max(ASKED_PROPERTIES_MAX),
})

interface ExtensionQuery {
  ids: string[]
  columns: Array<{ property: Property; limit: number }>
}

type Cell = { str: string } | { date: string }

export function parseExtension(text: string): ExtensionQuery {
  const { ids, properties } = parseField('extend', text, Extension)
  const columns = properties.map(({ id, settings }, index) => {
    const property = PROPERTIES.find((known) => known.id === id)
    if (property) return { property, limit: settings?.limit ?? 0 }
    const message = `is none of ${PROPERTIES.map((known) => known.id).join(', ')}`
    throw invalidRequest([{ field: `extend.properties.${index}.id`, message }])
  })
  return { ids, columns }
}

/** A row for every id, under the id as it was sent; a company that is not there has empty cells. */
export async function extendCompanies(db: Db, { ids, columns }: ExtensionQuery) {
  const numbers = ids.flatMap((id) => parseCompanyNumber(id) ?? [])
  const companies = new Map((await findCompanies(db, numbers)).map((company) => [company.number, company]))
  const rowOf = (id: string) => {
    const company = companies.get(parseCompanyNumber(id) ?? '')
    return Object.fromEntries(columns.map((column) => [column.property.id, company ? readCells(company, column) : []]))
  }
  return {
    meta: columns.map(({ property: { id, name } }) => ({ id, name })),
    rows: Object.fromEntries(ids.map((id) => [id, rowOf(id)])),
  }
}

/** The protocol's dates have a time. */
function readCells(company: Company, { property, limit }: ExtensionQuery['columns'][number]): Cell[] {
  const values = property.read(company)
  const shown = limit > 0 ? values.slice(0, limit) : values
  return shown.map((value) => (property.kind === 'date' ? { date: `${value}T00:00:00Z` } : { str: value }))
}
