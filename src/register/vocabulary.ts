/**
 * The register's own words: statuses and kinds of accounts, how they are grouped, typed and shown; and its codes in words:
 * sectors, types, roles, natures of control. The lists in words/codes are copies of those that Companies House publishes, each
 * with its source and version. A code that they do not have is counted and shown as words made from it, never a failure: the
 * register adds codes without notice.
 */
import { unknownCodes } from '../lib/metrics.ts'
import { toMidSentence } from '../lib/text/wording.ts'
import charges from './words/codes/charges.json' with { type: 'json' }
import company from './words/codes/company.json' with { type: 'json' }
import categories from './words/codes/filing-categories.json' with { type: 'json' }
import filings from './words/codes/filing-descriptions-common.json' with { type: 'json' }
import insolvency from './words/codes/insolvency.json' with { type: 'json' }
import officers from './words/codes/officers.json' with { type: 'json' }
import pscs from './words/codes/psc.json' with { type: 'json' }
import sic from './words/codes/sic-codes.json' with { type: 'json' }

export const COMPANY_STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'receivership',
  'converted-closed',
  'voluntary-arrangement',
  'insolvency-proceedings',
  'administration',
  'open',
  'closed',
  'registered',
  'removed',
] as const

export const ACCOUNTS_TYPES = [
  'full',
  'small',
  'medium',
  'group',
  'dormant',
  'interim',
  'initial',
  'total-exemption-full',
  'total-exemption-small',
  'partial-exemption',
  'audit-exemption-subsidiary',
  'filing-exemption-subsidiary',
  'micro-entity',
  'no-accounts-type-available',
  'audited-abridged',
  'unaudited-abridged',
] as const

/** People write `Micro Entity` or `MICRO_ENTITY`; the register's word is `micro-entity`. */
export function toRegisterWord(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
}

/** The register leaves the status out for entities it does not track; a row needs a word all the same. */
export const UNKNOWN_STATUS = 'unknown'

/** The statuses of companies that left the live register. They owe nothing, whatever dates their record still has. */
export const OFF_REGISTER: readonly string[] = ['dissolved', 'converted-closed', 'closed', 'removed']

export function isOffRegister(status: string): boolean {
  return OFF_REGISTER.includes(status)
}

const INSOLVENT: readonly string[] = [
  'liquidation',
  'receivership',
  'voluntary-arrangement',
  'insolvency-proceedings',
  'administration',
]

export function isInsolvent(status: string): boolean {
  return INSOLVENT.includes(status)
}

/** The register's status of a company, and the detail it may add. */
export interface RegisteredStatus {
  status: string
  statusDetail: string | null
}

/**
 * Describes a status for people in the register's own words, always with its detail: "Active — proposal to strike off". Null
 * when the register says nothing.
 */
export function describeStatus({ status, statusDetail }: RegisteredStatus): string | null {
  if (status === UNKNOWN_STATUS) return null
  const words = describeCode('company_status', status)
  if (statusDetail === null || statusDetail === status) return words
  const detail = describeCode('company_status_detail', statusDetail)
  return `${words} — ${toMidSentence(detail.startsWith(`${words} `) ? detail.slice(words.length + 1) : detail)}`
}

/** Returns the fields beside `company_status` in every summary of a company. */
export function presentStatusDetail(company: RegisteredStatus) {
  return { company_status_detail: company.statusDetail, company_status_text: describeStatus(company) }
}

type Words = Readonly<Record<string, string>>

interface NatureOfControl {
  words: string
  right: 'shares' | 'votes' | 'appoint-board' | 'influence' | 'surplus-assets' | 'nominee-land'
  /** A part of 100 %; null where the right has none. */
  band: '25-50' | '50-75' | '75-100' | '25+' | null
  via: string
  regime: string
}

interface FilingDescription {
  template: string
  placeholders: readonly string[]
  category: string | null
}

const natures: Readonly<Record<string, NatureOfControl>> = pscs.natures_of_control as Record<string, NatureOfControl>

/** One of them names a person, whom we leave to the record. */
const statements: Words = Object.fromEntries(
  Object.entries(pscs.statement).map(([code, words]) => [
    code,
    words.replace('{linked_psc_name}', 'A person with significant control'),
  ]),
)

/** Without those that repeat the status, for which the register has no words. */
const statusDetails: Words = Object.fromEntries(
  Object.entries(company.company_status_detail).filter(([, words]) => words !== ''),
)

/** Remarks of the registrar; the register marks two of them by members of their own. */
const remarks: Words = {
  ...company.corporate_annotation_type,
  'registered-office-is-in-dispute': 'The registered office is in dispute',
  'undeliverable-registered-office-address': 'Post cannot be delivered to the registered office',
}

/** Roles in a case of insolvency. The register publishes no list of them. */
const PRACTITIONER_ROLES: Words = {
  practitioner: 'Practitioner',
  'proposed-liquidator': 'Proposed liquidator',
  'provisional-liquidator': 'Provisional liquidator',
  'interim-liquidator': 'Interim liquidator',
  'final-liquidator': 'Final liquidator',
  receiver: 'Receiver',
  'receiver-manager': 'Receiver/Manager',
  'administrative-receiver': 'Administrative receiver',
}

/** By name; each is the label of its unknown codes in the metric. */
const LISTS = {
  sic: { ...sic.sic2003, ...sic.sic2007 } as Words,
  // The register has it as a subtype in one interface and as a type in another; to us it is a type.
  company_type: { ...company.company_type, 'community-interest-company': 'Community interest company' } as Words,
  account_type: company.account_type,
  company_status: company.company_status,
  company_status_detail: statusDetails,
  officer_role: officers.officer_role,
  disqualification_type: officers.disqualification_type,
  disqualification_reason: officers.disqualification_reason,
  disqualification_act: officers.disqualification_act,
  psc_kind: pscs.kinds,
  psc_statement: statements,
  psc_exemption: pscs.exemption_type,
  charge_status: charges.status,
  charge_particulars: charges.particulars_type,
  charge_flag: charges.particulars_flags,
  charge_secured: charges.secured_details_type,
  charge_assets_released: charges.assets_ceased_released,
  insolvency_case: insolvency.case_type,
  insolvency_date: insolvency.date_type,
  practitioner_role: PRACTITIONER_ROLES,
  filing_category: categories.category,
  remark: remarks,
} as const satisfies Record<string, Words>

export type CodeList = keyof typeof LISTS

export const CODE_LISTS = LISTS
export const FILING_DESCRIPTIONS: Readonly<Record<string, FilingDescription>> = filings.descriptions
export const NATURES_OF_CONTROL: Readonly<Record<string, NatureOfControl>> = natures

/** Returns a code in words. */
export function describeCode(list: CodeList, code: string): string {
  const words: Words = LISTS[list]
  const known = Object.hasOwn(words, code) ? words[code] : undefined
  return known === undefined ? describeUnknown(list, code) : capitalise(known)
}

/** Returns a status of insolvency in words: one of the company's statuses, or a kind of case. */
export function describeInsolvency(code: string): string {
  return describeCode(Object.hasOwn(LISTS.company_status, code) ? 'company_status' : 'insolvency_case', code)
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the name of a sector; null for a number that no list has, which says nothing in words either. */
export function describeSector(code: string): string | null {
  if (Object.hasOwn(LISTS.sic, code)) return describeCode('sic', code)
  unknownCodes.inc({ list: 'sic' })
  return null
}

export function describeNature(code: string): string {
  const known = Object.hasOwn(NATURES_OF_CONTROL, code) ? NATURES_OF_CONTROL[code] : undefined
  // Some have a long dash before the part, some a short one.
  return known?.words.replaceAll(' – ', ': ').replaceAll(' - ', ': ') ?? describeUnknown('nature_of_control', code)
}

/** Returns the words that a code is made of: `audited-abridged` is "Audited abridged". */
export function describeUnknown(list: string, code: string): string {
  unknownCodes.inc({ list })
  return capitalise(code.replaceAll(/[-_]+/g, ' ').trim())
}
