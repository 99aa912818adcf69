import { useState } from 'react'
import type { Decision, ReviewDetail } from '../../api/bodies.ts'
import { sayDecision } from '../../reviewing/decision-words.ts'
import { sayRefund } from '../../reviewing/refund-words.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { showMoment } from '../../ui/words.ts'
import { useWithdraw } from './reviews.ts'

/** The decision in force: what, who, when, why, and the way back. */
export function OwnDecision({ review, decision }: { review: ReviewDetail; decision: Decision }) {
  const [isAsking, setAsking] = useState(false)
  const say = useSay()
  const withdraw = useWithdraw(review.id, () => {
    setAsking(false)
    say(`The decision on ${review.domain} is withdrawn.`)
  })
  return (
    <section className="note good" aria-label="Your own decision">
      <h2>Your own decision: {sayDecision(decision, review.candidates)}</h2>
      {decision.reason && <p>“{decision.reason}”</p>}
      <p className="small">
        {decision.reviewer}, {showMoment(decision.decided_at)}
        {decision.refund_status && `. ${sayRefund(decision.refund_status)}`}
      </p>
      <p className="small">Your account is answered this, for nothing. Nobody else sees it.</p>
      <div className="row">
        <Button look="quiet" small onClick={() => setAsking(true)}>
          Withdraw it
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title="Withdraw this decision?"
          action="Withdraw it"
          change={withdraw}
          onClose={() => setAsking(false)}
        >
          <p>
            You are answered what everybody is again.
            {decision.action === 'dispute'
              ? ' A credit that came back stays with you, and the next match is charged.'
              : ' The domain comes back to your list if it still needs review.'}
          </p>
        </Confirm>
      )}
    </section>
  )
}
