/** Records of the register without what identifies a person whose name is withheld. The facts about the company stay. Pure. */
import { type LooseRecord, toInteger, toRecord, toText } from '../../lib/text/loose-json.ts'
import type { PscRow } from '../pscs/psc-row.ts'
import type { BirthMonth, PersonOfCompany } from './person-key.ts'

/** The kinds of items that name people. */
export type NamingKind = 'officer' | 'psc' | 'filing'

export function namesPeople(kind: string): kind is NamingKind {
  return kind === 'officer' || kind === 'psc' || kind === 'filing'
}

const KEPT = [
  'kind',
  'natures_of_control',
  'notified_on',
  'ceased_on',
  'ceased',
  'is_sanctioned',
  'officer_role',
  'appointed_on',
  'appointed_before',
  'is_pre_1992_appointment',
  'resigned_on',
  'identity_verification_details',
  'etag',
]
const IDENTITY_KEPT = /_on$|_date$/

/** Returns the people that an item names; a company in an office is none. */
export function peopleIn(kind: NamingKind, companyNumber: string, data: LooseRecord): PersonOfCompany[] {
  if (kind === 'filing') return namesIn(data).map((name) => ({ companyNumber, name, birth: null }))
  const name = toText(data['name'])
  const isCompany = kind === 'officer' ? isCorporate(data) : !isIndividual(toText(data['kind']) ?? '')
  return name === null || isCompany ? [] : [{ companyNumber, name, birth: readBirth(data['date_of_birth']) }]
}

const isCorporate = (data: LooseRecord) => toText(data['officer_role'])?.startsWith('corporate-') ?? false
const isIndividual = (kind: string) => kind.startsWith('individual')

export function personOf({
  company_number,
  kind,
  name,
  birth_year: year,
  birth_month: month,
}: Pick<PscRow, 'company_number' | 'kind' | 'name' | 'birth_year' | 'birth_month'>): PersonOfCompany[] {
  if (name === null || !isIndividual(kind)) return []
  return [{ companyNumber: company_number, name, birth: year === null || month === null ? null : { year, month } }]
}

/** Returns the item with `names` withheld. */
export function redactItem(kind: NamingKind, data: LooseRecord, names: readonly string[]): LooseRecord {
  if (kind === 'filing') return replaceNames(data, names) as LooseRecord
  const kept: LooseRecord = { name_withheld: true }
  for (const member of KEPT) if (data[member] !== undefined) kept[member] = data[member]
  const identity = Object.entries(toRecord(kept['identity_verification_details']))
  if (identity.length > 0)
    kept['identity_verification_details'] = Object.fromEntries(
      identity.filter(([member]) => IDENTITY_KEPT.test(member)),
    )
  const self = toText(toRecord(data['links'])['self'])
  return self === null ? kept : { ...kept, links: { self } }
}

export function redactPsc(row: PscRow): PscRow {
  return {
    ...row,
    name: null,
    birth_year: null,
    birth_month: null,
    nationality: null,
    country_of_residence: null,
    address: null,
  }
}

/** Replaces a name. */
export const WITHHELD_NAME = 'a person whose name is withheld'

/** Returns a value with the names replaced in every text inside it. A sentence that began with a name begins with a capital. */
export function replaceNames(value: unknown, names: readonly string[]): unknown {
  if (typeof value === 'string') return replaceInText(value, names)
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, replaceNames(each, names)]))
}

function replaceInText(text: string, names: readonly string[]): string {
  let replaced = text
  for (const name of names) replaced = replaced.replaceAll(wholeWords(name), WITHHELD_NAME)
  const isSentence = replaced !== text && replaced !== WITHHELD_NAME && replaced.startsWith(WITHHELD_NAME)
  return isSentence ? `A${replaced.slice(1)}` : replaced
}

/** Short names are parts of other words. */
function wholeWords(name: string): RegExp {
  const literal = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}

const NAME_MEMBERS = /(?:^|_)(?:name|names)$/
const FILING_DEPTH_MAX = 6

/** Returns the values of a filing that may be a person's name: `officer_name`, `psc_name` and the like. */
function namesIn(value: unknown, member = '', depth = 0): string[] {
  if (depth > FILING_DEPTH_MAX) return []
  if (typeof value === 'string') return NAME_MEMBERS.test(member) && value.trim() !== '' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, member, depth + 1))
  return Object.entries(toRecord(value)).flatMap(([name, each]) => namesIn(each, name, depth + 1))
}

function readBirth(value: unknown): BirthMonth | null {
  const birth = toRecord(value)
  const year = toInteger(birth['year'], { min: 1800, max: 2200 })
  const month = toInteger(birth['month'], { min: 1, max: 12 })
  return year === null || month === null ? null : { year, month }
}
