import { Link, useLocation, useSearch } from 'wouter'
import type { Review } from '../../api/bodies.ts'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { plural, showAgo, showShare } from '../../ui/words.ts'
import './review.css'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { type ReviewStatus, useReviews } from './reviews.ts'

const STATUSES = [
  ['open', 'To decide'],
  ['decided', 'Decided'],
] as const

export function ReviewScreen() {
  const status: ReviewStatus = new URLSearchParams(useSearch()).get('status') === 'decided' ? 'decided' : 'open'
  const [, go] = useLocation()
  const reviews = useReviews(status)
  return (
    <div className="stack">
      <ScreenHead title="Review">
        Domains whose site names companies but proves none of them. Your account gets your decision from then on.
        Decisions are free, and no other account sees them.
      </ScreenHead>
      <div>
        <Segments
          label="Which reviews"
          choices={STATUSES}
          value={status}
          onChange={(next) => go(next === 'open' ? '/review' : '/review?status=decided', { replace: true })}
        />
      </div>
      <Paged query={reviews} what="your reviews" more="More domains">
        {(items) => (items.length === 0 ? <NothingHere status={status} /> : <Queue items={items} status={status} />)}
      </Paged>
    </div>
  )
}

function NothingHere({ status }: { status: ReviewStatus }) {
  if (status === 'decided') {
    return (
      <Empty title="No decisions yet" action={<Link href="/review">Show open reviews</Link>}>
        This list shows your decisions and disputes with the reviewer, the time and the reason. You can withdraw each of
        them.
      </Empty>
    )
  }
  return (
    <Empty
      title="Nothing to decide"
      action={
        <div className="row">
          <Link className="button quiet" href="/">
            Resolve a domain
          </Link>
          <Link className="button quiet" href="/bulk">
            Start a bulk job
          </Link>
        </div>
      }
    >
      When an answer needs review, the domain appears here with its candidates and the quotes from the site. You choose
      the company or reject all candidates.
    </Empty>
  )
}

function Queue({ items, status }: { items: Review[]; status: ReviewStatus }) {
  return (
    <Card
      title={status === 'open' ? 'To decide' : 'Decided'}
      aside={<p>{status === 'open' ? 'highest confidence first' : 'newest first'}</p>}
    >
      <ul className="list reviews">
        {items.map((item) => (
          <li key={item.id}>
            <Link href={`/review/${item.id}`} className="review-entry">
              <span className="review-domain">{item.domain}</span>
              {item.decision ? <DecidedLine item={item} /> : <OpenLine item={item} />}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function OpenLine({ item }: { item: Review }) {
  const [best] = item.candidates
  return (
    <>
      <span className="review-best">
        {best ? (
          <>
            <Badge tone="warn">{showShare(best.confidence)}</Badge> <span>{best.company_name}</span>
          </>
        ) : (
          'No candidate'
        )}
      </span>
      <span className="small soft">
        {plural(item.candidates.length, 'candidate')} · added {showAgo(item.created_at)}
      </span>
    </>
  )
}

function DecidedLine({ item }: { item: Review }) {
  if (!item.decision) return null
  return (
    <>
      <span className="review-best">{describeDecision(item.decision, item.candidates)}</span>
      <span className="small soft">
        {item.decision.reviewer} · {showAgo(item.decision.decided_at)}
      </span>
    </>
  )
}
