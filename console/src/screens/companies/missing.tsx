import type { CompanyProfile } from '../../api/bodies.ts'
import { Button } from '../../ui/parts.tsx'
import { showMoment } from '../../ui/words.ts'
import { PART_NAMES } from './part-names.ts'

type Missed = CompanyProfile['missing'][number]

const REASONS: Record<Missed['reason'], string> = {
  not_configured: 'this service has no key for the register',
  budget_spent: 'we have reached the register’s request limit',
  register_unavailable: 'the register does not respond',
  register_refused: 'the register refused our request',
}

/** Shows which parts are missing and why, so that no one mistakes an empty list for a clean record. */
export function Missing({ profile, onRetry, isFetching }: MissingProps) {
  if (profile.missing.length === 0) return null
  const canRetry = profile.missing.some(({ reason }) => reason !== 'not_configured')
  return (
    <div className="note warn">
      <strong>Some data is missing</strong>
      {[...Map.groupBy(profile.missing, ({ reason }) => reason)].map(([reason, missed]) => (
        <p key={reason}>
          {namesOf(missed)}: {REASONS[reason]}.{formatRetryTime(missed)}
        </p>
      ))}
      {canRetry && (
        <div>
          <Button look="quiet" small busy={isFetching} onClick={onRetry}>
            Try the register again
          </Button>
        </div>
      )}
    </div>
  )
}

interface MissingProps {
  profile: CompanyProfile
  onRetry: () => void
  isFetching: boolean
}

function namesOf(missed: Missed[]): string {
  const names = missed.map(({ part }) => PART_NAMES[part].toLowerCase()).join(', ')
  return names.charAt(0).toUpperCase() + names.slice(1)
}

function formatRetryTime(missed: Missed[]): string {
  const last = missed
    .flatMap(({ retry_at: at }) => at ?? [])
    .toSorted()
    .at(-1)
  return last ? ` Try again after ${showMoment(last)}.` : ''
}
