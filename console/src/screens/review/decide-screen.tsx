import { useEffect } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { ReviewDetail } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import '../../styles/review.css'
import { Waterfall } from '../resolve/waterfall.tsx'
import { DecideForm } from './decide-form.tsx'
import { History } from './history.tsx'
import { OtherWords } from './other-words.tsx'
import { OwnDecision } from './own-decision.tsx'
import { useNextReview, useReview } from './reviews.ts'

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
          <Waterfall
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
