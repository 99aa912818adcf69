import type { DecidedBy, Resolution } from '../../api/bodies.ts'
import { sayDecision } from '../../reviewing/decision-words.ts'
import { ReviewLink } from '../../reviewing/review-link.tsx'
import { showMoment } from '../../ui/words.ts'

/** That the account itself decided this, and not the site: what, who, when, why. */
export function OwnAnswer({ resolution, decidedBy }: { resolution: Resolution; decidedBy: DecidedBy }) {
  const { candidates, company } = resolution
  return (
    <div className="note good">
      <strong>Your own decision: {sayDecision(decidedBy, company ? [company, ...candidates] : candidates)}</strong>
      {decidedBy.reason && <p>“{decidedBy.reason}”</p>}
      <p className="small">
        {decidedBy.reviewer}, {showMoment(decidedBy.decided_at)}. Nobody else is answered this.{' '}
        <ReviewLink domain={resolution.domain} status="decided">
          See or change it in Review
        </ReviewLink>
      </p>
    </div>
  )
}
