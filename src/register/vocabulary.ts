/** The register's own words: statuses and kinds of accounts, how they are grouped, typed and shown. */

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

const UPPER_CASE: ReadonlySet<string> = new Set(['uk', 'se', 'plc', 'cic', 'eeig'])

/** Describes a status for people, always with its detail: "Active — proposal to strike off". Null when the register says nothing. */
export function describeStatus({ status, statusDetail }: RegisteredStatus): string | null {
  if (status === UNKNOWN_STATUS) return null
  const words = toWords(status)
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  if (statusDetail === null) return text
  const isRepeated = statusDetail.startsWith(`${status}-`)
  return `${text} — ${toWords(isRepeated ? statusDetail.slice(status.length + 1) : statusDetail)}`
}

function toWords(term: string): string {
  return term
    .split('-')
    .map((word) => (UPPER_CASE.has(word) ? word.toUpperCase() : word))
    .join(' ')
}

/** Returns the fields beside `company_status` in every summary of a company. */
export function presentStatusDetail(company: RegisteredStatus) {
  return { company_status_detail: company.statusDetail, company_status_text: describeStatus(company) }
}
