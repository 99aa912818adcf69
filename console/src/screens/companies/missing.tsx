import type { CompanyProfile } from '../../api/bodies.ts'
import { Button } from '../../ui/parts.tsx'
import { showMoment } from '../../ui/words.ts'
import { PART_NAMES } from './part-names.ts'

type Missed = CompanyProfile['missing'][number]

const REASONS: Record<Missed['reason'], string> = {
  not_configured: 'this service was given no key to ask the register for them',
  budget_spent: 'the register lets us ask only so often, and that is used up for now',
  register_unavailable: 'the register does not answer',
  register_refused: 'the register refused to answer',
}

/** What the profile lacks and why, so that an empty list is never taken for a clean record. */
export function Missing({ profile, onRetry, isFetching }: MissingProps) {
  if (profile.missing.length === 0) return null
  const canRetry = profile.missing.some(({ reason }) => reason !== 'not_configured')
  return (
    <div className="note warn">
      <strong>Not everything could be read</strong>
      {[...Map.groupBy(profile.missing, ({ reason }) => reason)].map(([reason, missed]) => (
        <p key={reason}>
          {namesOf(missed)}: {REASONS[reason]}.{sayWhen(missed)}
        </p>
      ))}
      {canRetry && (
        <div>
          <Button look="quiet" small busy={isFetching} onClick={onRetry}>
            Ask the register again
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

function sayWhen(missed: Missed[]): string {
  const last = missed
    .flatMap(({ retry_at: at }) => at ?? [])
    .toSorted()
    .at(-1)
  return last ? ` Worth another try after ${showMoment(last)}.` : ''
}
