import { useState } from 'react'
import type { Decision, ReviewDetail } from '../../api/bodies.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { describeRefund } from '../../reviewing/refund-words.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import { useWithdraw } from './reviews.ts'

/** Shows the decision in force, and a button to withdraw it. */
export function OwnDecision({ review, decision }: { review: ReviewDetail; decision: Decision }) {
  const [isAsking, setAsking] = useState(false)
  const showToast = useToast()
  const withdraw = useWithdraw(review.id, () => {
    setAsking(false)
    showToast(`The decision on ${review.domain} is withdrawn.`)
  })
  return (
    <section className="note good" aria-label="Your decision in force">
      <h2>Your decision: {describeDecision(decision, review.candidates)}</h2>
      {decision.reason && <p>“{decision.reason}”</p>}
      <p className="small">
        {decision.reviewer}, {showMoment(decision.decided_at)}
        {decision.refund_status && `. ${describeRefund(decision.refund_status)}`}
      </p>
      <p className="small">Your account gets this answer free of charge. No other account sees it.</p>
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
            Your account gets the shared answer again.
            {decision.action === 'dispute'
              ? ' You keep a refunded credit, and you pay for the next match.'
              : ' The domain returns to your list if it still needs review.'}
          </p>
        </Confirm>
      )}
    </section>
  )
}
