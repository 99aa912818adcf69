import { UNKNOWN } from './details/company-from-profile.ts'

/** The register's word for what a company is, and what it adds to it. */
export interface RegisteredStatus {
  status: string
  statusDetail: string | null
}

const UPPER_CASE: ReadonlySet<string> = new Set(['uk', 'se', 'plc', 'cic', 'eeig'])

/** For people, and never without the detail: "Active — proposal to strike off". Null when the register says nothing. */
export function describeStatus({ status, statusDetail }: RegisteredStatus): string | null {
  if (status === UNKNOWN) return null
  const words = toWords(status)
  const said = words.charAt(0).toUpperCase() + words.slice(1)
  if (statusDetail === null) return said
  const isRepeated = statusDetail.startsWith(`${status}-`)
  return `${said} — ${toWords(isRepeated ? statusDetail.slice(status.length + 1) : statusDetail)}`
}

function toWords(term: string): string {
  return term
    .split('-')
    .map((word) => (UPPER_CASE.has(word) ? word.toUpperCase() : word))
    .join(' ')
}

/** What stands beside `company_status` in every summary of a company. */
export function presentStatusDetail(company: RegisteredStatus) {
  return { company_status_detail: company.statusDetail, company_status_text: describeStatus(company) }
}
