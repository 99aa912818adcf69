import { useEffect } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { Decision, ReviewDetail } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import './review.css'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { describeRefund } from '../../reviewing/refund-words.ts'
import { SecondReading } from '../../reviewing/second-reading.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Argument } from '../resolve/argument.tsx'
import { Quoted } from '../resolve/proof.tsx'

import { DecideForm } from './decide-form.tsx'
import { useNextReview, useReview, useWithdraw } from './reviews.ts'

export function DecideScreen() {
  const { id } = useParams<{ id: string }>()
  const review = useReview(id)
  if (review.error instanceof ApiProblem && review.error.status === 404) return <NoSuchReview />
  return (
    <div className="stack">
      {!review.data && <ScreenHead title="Review" />}
      <Loaded query={review} what="the review">
        {(body) => <Decide key={body.id} review={body} />}
      </Loaded>
    </div>
  )
}

function NoSuchReview() {
  return (
    <div className="stack">
      <ScreenHead title="Review" />
      <Empty title="Review not found" action={<Link href="/review">All reviews</Link>}>
        Check the address.
      </Empty>
    </div>
  )
}

function Decide({ review }: { review: ReviewDetail }) {
  const { data: next } = useNextReview(review.id)
  // The previous review ended at the bottom of the screen.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  const [, go] = useLocation()
  const showToast = useToast()
  const goOn = (summary: string) => {
    showToast(`${review.domain}: ${summary}.${next === null ? ' There are no more reviews.' : ''}`)
    // After changing an earlier decision, the person stays and sees the result.
    if (review.status === 'open') go(next ? `/review/${next.id}` : '/review')
  }
  const form = <DecideForm review={review} onDecided={goOn} />
  return (
    <>
      <div className="row spread small">
        <Link href="/review">Review</Link>
        {next && review.status === 'open' && <Link href={`/review/${next.id}`}>Skip to {next.domain}</Link>}
      </div>
      <ScreenHead
        title={review.domain}
        actions={
          <a className="button quiet" href={`https://${review.domain}/`} target="_blank" rel="noreferrer">
            Open the site
          </a>
        }
      >
        {review.reason}
      </ScreenHead>
      <SecondReading reading={review.second_reader} />
      {review.group_notes.length > 0 && (
        <section className="note info" aria-label="Same group">
          {review.group_notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </section>
      )}
      {review.status === 'closed' && <Closed />}
      {review.decision && <OwnDecision review={review} decision={review.decision} />}
      {review.decision ? (
        <details>
          <summary>Change the decision</summary>
          <div className="again">{form}</div>
        </details>
      ) : (
        form
      )}
      <div className="columns">
        {review.explanation.features.length > 0 && (
          <Argument
            explanation={review.explanation}
            confidence={review.confidence}
            about={review.candidates[0]?.company_name}
          />
        )}
        <OtherWords review={review} />
      </div>
      <History review={review} />
      <p className="small soft">
        On your list since {showMoment(review.created_at)}. Rules {review.explanation.version}.
      </p>
    </>
  )
}

function Closed() {
  return (
    <Card title="No decision needed">
      <p>A newer answer for this domain needs no review. You can still decide it yourself.</p>
    </Card>
  )
}

/** Shows the decision in force, and a button to withdraw it. */
function OwnDecision({ review, decision }: { review: ReviewDetail; decision: Decision }) {
  const showToast = useToast()
  const withdraw = useWithdraw(review.id, () => showToast(`The decision on ${review.domain} is withdrawn.`))
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
          change={withdraw}
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
function History({ review: { history, decision, candidates } }: { review: ReviewDetail }) {
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

/** Shows the quotes that are about none of the candidates. */
function OtherWords({ review: { candidates, evidence } }: { review: ReviewDetail }) {
  const numbers = new Set(candidates.map(({ company_number: number }) => number))
  const others = evidence.filter(({ supports }) => supports === null || !numbers.has(supports))
  if (others.length === 0) return null
  return (
    <Card title="Other quotes from the site">
      <ul className="list">
        {others.map((item) => (
          <Quoted key={item.kind + item.url + item.quote} item={item} about={null} />
        ))}
      </ul>
    </Card>
  )
}
