import { Badge } from '../ui/parts.tsx'
import { londonToday } from '../ui/words.ts'

/** Shows whether an officer is in office: they are until the day of a resignation that lies ahead. */
export function OfficeBadge({ until }: { until: string | null }) {
  return until !== null && until <= londonToday() ? <Badge>Resigned</Badge> : <Badge tone="good">In office</Badge>
}
