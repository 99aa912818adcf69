import type { DecidedBy, Resolution } from '../../api/bodies.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { ReviewLink } from '../../reviewing/review-link.tsx'
import { showMoment } from '../../ui/words.ts'

/** Shows the decision of the account that replaces the shared answer: what, who, when and why. */
export function OwnAnswer({ resolution, decidedBy }: { resolution: Resolution; decidedBy: DecidedBy }) {
  const { candidates, company } = resolution
  return (
    <div className="note good">
      <strong>Your decision: {describeDecision(decidedBy, company ? [company, ...candidates] : candidates)}</strong>
      {decidedBy.reason && <p>“{decidedBy.reason}”</p>}
      <p className="small">
        {decidedBy.reviewer}, {showMoment(decidedBy.decided_at)}. Only your account gets this answer.{' '}
        <ReviewLink domain={resolution.domain} status="decided">
          See or change it in Review
        </ReviewLink>
      </p>
    </div>
  )
}
