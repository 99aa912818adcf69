/** Types of companies, and properties of them: programs fetch them, or send them as hints beside a name. */
import { type Company, formatAddress, isOffRegister, parseCompanyNumber, toNameKey } from '../register/index.ts'

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
