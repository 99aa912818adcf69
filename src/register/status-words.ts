import { UNKNOWN } from './details/company-from-profile.ts'

/** The register's status of a company, and the detail it may add. */
export interface RegisteredStatus {
  status: string
  statusDetail: string | null
}

const UPPER_CASE: ReadonlySet<string> = new Set(['uk', 'se', 'plc', 'cic', 'eeig'])

/** Describes a status for people, always with its detail: "Active — proposal to strike off". Null when the register says nothing. */
export function describeStatus({ status, statusDetail }: RegisteredStatus): string | null {
  if (status === UNKNOWN) return null
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
