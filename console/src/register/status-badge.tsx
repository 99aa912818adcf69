import { Badge } from '../ui/parts.tsx'
import { type Tone, toneOfCompany } from '../ui/tones.ts'
import { showWord } from '../ui/words.ts'

interface Status {
  company_status: string | null
  company_status_detail?: string | null | undefined
  company_status_text?: string | null | undefined
}

/** Shows the status in the register. A detail, such as a proposal to strike the company off, makes it a warning. */
export function StatusBadge({ company, unknown = 'Not known' }: { company: Status; unknown?: string }) {
  const { company_status: status, company_status_text: words } = company
  return <Badge tone={toneOf(company)}>{words ?? (status ? showWord(status) : unknown)}</Badge>
}

/** Shows the status beside a company's name in a list, unless it is in good order or not known. */
export function StatusToNotice({ company }: { company: Status }) {
  return !company.company_status_text || toneOf(company) === 'good' ? null : <StatusBadge company={company} />
}

function toneOf({ company_status: status, company_status_detail: detail }: Status): Tone {
  const tone = toneOfCompany(status)
  return detail && tone === 'good' ? 'warn' : tone
}
