/** The decision in force with a button to withdraw it, and the earlier ones. */
import type { Decision, ReviewDetail } from '../../api/bodies.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { describeRefund } from '../../reviewing/refund-words.ts'
import { toSeen } from '../../reviewing/replaced.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Card } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import { useWithdraw } from './reviews.ts'
import { describeLeft } from './undo.ts'

/** Shows the decision in force, and a button to withdraw it. */
export function OwnDecision({ review, decision }: { review: ReviewDetail; decision: Decision }) {
  const showToast = useToast()
  const withdraw = useWithdraw(({ data: [done] }) =>
    showToast(done?.decided_since ? describeLeft(review.domain) : `The decision on ${review.domain} is withdrawn.`),
  )
  const seen = { id: review.id, seen_decision: toSeen(decision) }
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
        <ConfirmButton
          text="Withdraw it"
          look="quiet"
          small
          title="Withdraw this decision?"
          action="Withdraw it"
          change={{ ...withdraw, mutate: (_nothing, options) => withdraw.mutate(seen, options) }}
        >
          <p>
            Your account gets the shared answer again.
            {decision.action === 'dispute'
              ? ' You keep a refunded credit, and you pay for the next match.'
              : ' The domain returns to your list if it still needs review.'}
          </p>
        </ConfirmButton>
      </div>
    </section>
  )
}

/** Lists the earlier decisions on the domain. */
export function History({ review: { history, decision, candidates } }: { review: ReviewDetail }) {
  const earlier = history.filter(({ id }) => id !== decision?.id)
  if (earlier.length === 0) return null
  return (
    <Card title="Earlier decisions" aside={<p>newest first</p>}>
      <ul className="list">
        {earlier.map((each) => (
          <li key={each.id}>
            {describeDecision(each, candidates)}
            {each.reason && ` “${each.reason}”`}
            <p className="small soft">
              {each.reviewer}, {showMoment(each.decided_at)}
              {each.refund_status && `. ${describeRefund(each.refund_status)}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
