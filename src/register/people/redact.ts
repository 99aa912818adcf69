/** Records of the register without what identifies a person whose name is withheld. The facts about the company stay. Pure. */
import { type LooseRecord, toRecord, toText } from '../../lib/text/loose-json.ts'
import { parseBirth } from '../details/part-items.ts'
import { isCorporateRole } from '../officer-roles.ts'
import type { PscRow } from '../pscs/psc-row.ts'
import { type BirthMonth, type PersonOfCompany, TITLES } from './person-key.ts'

/** Items about one person, and items that mention people. */
const RECORDS = ['officer', 'psc'] as const
const MENTIONS = ['filing', 'charge', 'insolvency'] as const
export type NamingKind = (typeof RECORDS)[number] | (typeof MENTIONS)[number]

export function namesPeople(kind: string): kind is NamingKind {
  return isRecord(kind) || isMention(kind)
}

const isRecord = (kind: string) => (RECORDS as readonly string[]).includes(kind)
export const isMention = (kind: string) => (MENTIONS as readonly string[]).includes(kind)

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
  if (isMention(kind)) return namesIn(data).map((name) => ({ companyNumber, name, birth: null }))
  const name = toText(data['name'])
  const isCompany = kind === 'officer' ? isCorporate(data) : !isIndividual(toText(data['kind']) ?? '')
  return name === null || isCompany ? [] : [{ companyNumber, name, birth: readBirth(data['date_of_birth']) }]
}

const isCorporate = (data: LooseRecord) => isCorporateRole(toText(data['officer_role']))
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
  if (isMention(kind)) return replaceNames(data, names.map(toNamePattern)) as LooseRecord
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

export function redactPsc<Row extends PscRow>(row: Row): Row {
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

/** Replaces a name, at a person's request. */
export const WITHHELD_NAME = 'a person whose name is withheld'
/** Replaces a name after the register deleted the record. */
export const DELETED_NAME = 'a person whose record was removed'

/** Returns a value with the names replaced in every text inside it. A sentence that began with a name begins with a capital. */
export function replaceNames(value: unknown, patterns: readonly RegExp[], words = WITHHELD_NAME): unknown {
  if (typeof value === 'string') return replaceInText(value, patterns, words)
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, patterns, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, replaceNames(each, patterns, words)]),
  )
}

function replaceInText(text: string, patterns: readonly RegExp[], words: string): string {
  let replaced = text
  for (const pattern of patterns) replaced = replaced.replaceAll(pattern, words)
  const isSentence = replaced !== text && replaced !== words && replaced.startsWith(words)
  return isSentence ? `A${replaced.slice(1)}` : replaced
}

/** Matches a name as officers and as owners are written, with any title, in capitals or not, as whole words. */
export function toNamePattern(name: string): RegExp {
  const [first = [], forenames] = name.split(',').map((part) => part.trim().split(/\s+/))
  const plain = first.filter((word, index) => index === first.length - 1 || !isTitle(word))
  const family = (forenames ? first : plain.slice(-1)).map(escape).join('\\s+')
  const given = (forenames ?? plain.slice(0, -1))
    .filter((word) => !isTitle(word))
    .map(escape)
    .join('\\s+')
  const title = `(?:${[...TITLES].join('|')})\\.?`
  const forms =
    given === '' ? family : `(?:${title}\\s+)*${given}\\s+${family}|${family},\\s*${given}(?:,\\s*[\\p{L}.]+)?`
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms})(?![\\p{L}\\p{N}])`, 'giu')
}

const isTitle = (word: string) => TITLES.has(word.replaceAll('.', '').toUpperCase())
const escape = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

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
  const { year = 0, month = null } = parseBirth(value) ?? {}
  return month === null ? null : { year, month }
}
