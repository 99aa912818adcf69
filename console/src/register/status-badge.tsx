import { Badge } from '../ui/parts.tsx'
import { toneOfCompany } from '../ui/tones.ts'
import { showWord } from '../ui/words.ts'

interface Status {
  company_status: string | null
  company_status_detail?: string | null | undefined
  company_status_text?: string | null | undefined
}

/** What a company is by the register. A detail, such as a proposal to strike it off, is a warning whatever the status. */
export function StatusBadge({ company, unknown = 'Not known' }: { company: Status; unknown?: string }) {
  const { company_status: status, company_status_detail: detail, company_status_text: words } = company
  const tone = toneOfCompany(status)
  return (
    <Badge tone={detail && tone === 'good' ? 'warn' : tone}>{words ?? (status ? showWord(status) : unknown)}</Badge>
  )
}
