import type { ReviewDetail } from '../../api/bodies.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { describeRefund } from '../../reviewing/refund-words.ts'
import { Card } from '../../ui/parts.tsx'
import { showMoment } from '../../ui/words.ts'

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
