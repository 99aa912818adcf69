import type { ReviewDetail } from '../../api/bodies.ts'
import { sayDecision } from '../../reviewing/decision-words.ts'
import { sayRefund } from '../../reviewing/refund-words.ts'
import { Card } from '../../ui/parts.tsx'
import { showMoment } from '../../ui/words.ts'

/** All that was ever decided of the domain, where there is more than what is in force. */
export function History({ review: { history, decision, candidates } }: { review: ReviewDetail }) {
  const earlier = history.filter(({ id }) => id !== decision?.id)
  if (earlier.length === 0) return null
  return (
    <Card title="Decided before" aside={<p>the newest first</p>}>
      <ul className="list">
        {earlier.map((each) => (
          <li key={each.id}>
            {sayDecision(each, candidates)}
            {each.reason && ` “${each.reason}”`}
            <p className="small soft">
              {each.reviewer}, {showMoment(each.decided_at)}
              {each.refund_status && `. ${sayRefund(each.refund_status)}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
