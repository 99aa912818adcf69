import { Badge } from '../ui/parts.tsx'
import { toneOfCompany } from '../ui/tones.ts'
import { showWord } from '../ui/words.ts'

interface Status {
  company_status: string | null
  company_status_detail?: string | null | undefined
  company_status_text?: string | null | undefined
}

/** Shows the status in the register. A detail, such as a proposal to strike the company off, makes it a warning. */
export function StatusBadge({ company, unknown = 'Not known' }: { company: Status; unknown?: string }) {
  const { company_status: status, company_status_detail: detail, company_status_text: words } = company
  const tone = toneOfCompany(status)
  return (
    <Badge tone={detail && tone === 'good' ? 'warn' : tone}>{words ?? (status ? showWord(status) : unknown)}</Badge>
  )
}
