import { Link, useLocation, useSearch } from 'wouter'
import type { Review } from '../../api/bodies.ts'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { plural, showAgo, showShare } from '../../ui/words.ts'
import '../../styles/review.css'
import { sayDecision } from '../../reviewing/decision-words.ts'
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
        Domains whose site names companies and proves none. What you decide is answered to your account from then on; it
        costs nothing, and nobody else sees it.
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
      <Empty title="You have decided nothing yet" action={<Link href="/review">See what is to decide</Link>}>
        Your decisions and disputes stand here, with who made them, when and why. Each can be taken back.
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
            Send a list
          </Link>
        </div>
      }
    >
      When an answer needs review, the domain comes here with its candidates and the words on the site. You say which
      company it is, or that it is none of them.
    </Empty>
  )
}

function Queue({ items, status }: { items: Review[]; status: ReviewStatus }) {
  return (
    <Card
      title={status === 'open' ? 'To decide' : 'Decided'}
      aside={<p>{status === 'open' ? 'the surest first' : 'the newest first'}</p>}
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
        {plural(item.candidates.length, 'candidate')} · came {showAgo(item.created_at)}
      </span>
    </>
  )
}

function DecidedLine({ item }: { item: Review }) {
  if (!item.decision) return null
  return (
    <>
      <span className="review-best">{sayDecision(item.decision, item.candidates)}</span>
      <span className="small soft">
        {item.decision.reviewer} · {showAgo(item.decision.decided_at)}
      </span>
    </>
  )
}
