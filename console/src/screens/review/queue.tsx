import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Review, Reviews } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { describeDecision } from '../../reviewing/decision-words.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Button, Empty } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useTyped } from '../../ui/typed.ts'
import { plural, showAgo, showNumber, showShare } from '../../ui/words.ts'
import { CONFIDENCES, type DeskFilter, DOUBTS, isNarrowed, SORTS, toAddress } from './desk-filter.ts'
import type { useReviews } from './reviews.ts'

const STATUSES = [
  ['open', 'To decide'],
  ['decided', 'Decided'],
] as const

interface QueueProps {
  reviews: ReturnType<typeof useReviews>
  filter: DeskFilter
  onFilter: (part: DeskFilter | null) => void
  openId: string | null
}

/** The left side of the desk: search, filters, progress and the reviews. */
export function Queue({ reviews, filter, onFilter, openId }: QueueProps) {
  const status = filter.status === 'decided' ? 'decided' : 'open'
  const counts = reviews.data?.pages[0]?.counts
  const search = useTyped(filter.q ?? '', (q) => onFilter({ q }))
  return (
    <section className="queue stack" aria-label="Queue">
      <Segments
        label="Which reviews"
        choices={STATUSES}
        value={status}
        onChange={(next) => onFilter({ status: next === 'open' ? '' : next, sort: '' })}
      />
      <TextField
        label="Search"
        type="search"
        value={search.typed}
        onChange={search.setTyped}
        placeholder="Domain, company or number"
        maxLength={100}
      />
      <Filters filter={filter} status={status} onFilter={onFilter} />
      {counts && <Progress counts={counts} isFiltered={isNarrowed(filter)} />}
      <Paged query={reviews} what="your reviews" more="More domains">
        {(items) =>
          items.length === 0 ? (
            <NothingHere filter={filter} status={status} onFilter={onFilter} />
          ) : (
            <ul className="reviews">
              {items.map((item) => (
                <li key={item.id}>
                  <Link
                    href={toAddress(item.id, filter)}
                    className="review-entry"
                    aria-current={item.id === openId ? 'true' : undefined}
                  >
                    <span className="review-domain">{item.domain}</span>
                    {item.decision ? <DecidedLine item={item} /> : <OpenLine item={item} />}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Paged>
    </section>
  )
}

function Progress({ counts, isFiltered }: { counts: Reviews['counts']; isFiltered: boolean }) {
  const { open, decided_today: decided, total } = counts
  const all = open + decided
  return (
    <div className="queue-progress">
      <p className="small">
        <strong>
          {showNumber(decided)} of {showNumber(all)}
        </strong>{' '}
        decided today
        {isFiltered && <span className="soft"> · {showNumber(total)} fit the filter</span>}
      </p>
      {all > 0 && <progress value={decided} max={all} aria-label="Decided today" />}
    </div>
  )
}

function Filters({
  filter,
  status,
  onFilter,
}: Pick<QueueProps, 'filter' | 'onFilter'> & { status: 'open' | 'decided' }) {
  const { q: _q, ...others } = filter
  const [isOpen, setOpen] = useState(isNarrowed(others))
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Filter and sort</summary>
      {isOpen && (
        <div className="queue-filters">
          <Choice
            label="Kind of doubt"
            value={filter.doubt ?? ''}
            onChange={(doubt) => onFilter({ doubt })}
            options={DOUBTS}
          />
          <Choice
            label="Confidence"
            value={filter.confidence ?? ''}
            onChange={(confidence) => onFilter({ confidence })}
            options={CONFIDENCES}
          />
          <BulkChoice value={filter.bulk_id ?? ''} onChange={(id) => onFilter({ bulk_id: id })} />
          <TextField
            label={status === 'open' ? 'Added from' : 'Decided from'}
            type="date"
            value={filter.from ?? ''}
            onChange={(from) => onFilter({ from })}
          />
          <TextField label="To" type="date" value={filter.to ?? ''} onChange={(to) => onFilter({ to })} />
          <Choice
            label="Order"
            value={filter.sort ?? (status === 'open' ? 'surest' : 'newest')}
            onChange={(sort) => onFilter({ sort })}
            options={SORTS}
          />
          {isNarrowed(filter) && <ClearButton onFilter={onFilter} status={status} />}
        </div>
      )}
    </details>
  )
}

interface BulkNames {
  data: Array<{ id: string; name?: string | null }>
}

const BULK_JOBS_MAX = 20

function BulkChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data } = useQuery({
    queryKey: ['reviews', 'bulk-jobs'],
    queryFn: ({ signal }) => callApi<BulkNames>('GET', '/v1/bulk', { query: { limit: BULK_JOBS_MAX }, signal }),
  })
  const jobs = (data?.data ?? []).map(({ id, name }) => [id, name ?? id] as const)
  const missing = value !== '' && !jobs.some(([id]) => id === value) ? [[value, value] as const] : []
  return (
    <Choice
      label="Bulk job"
      value={value}
      onChange={onChange}
      options={[['', 'All domains'], ...missing, ...jobs] as ReadonlyArray<readonly [string, string]>}
    />
  )
}

function ClearButton({ onFilter, status }: Pick<QueueProps, 'onFilter'> & { status: string }) {
  return (
    <Button look="quiet" small onClick={() => onFilter({ ...NO_FILTER, status: status === 'open' ? '' : status })}>
      Clear filters
    </Button>
  )
}

const NO_FILTER = { q: '', doubt: '', confidence: '', bulk_id: '', from: '', to: '', sort: '' }

function NothingHere(props: Pick<QueueProps, 'filter' | 'onFilter'> & { status: 'open' | 'decided' }) {
  const { filter, status, onFilter } = props
  if (isNarrowed(filter)) {
    return (
      <Empty title="No review fits" action={<ClearButton onFilter={onFilter} status={status} />}>
        Search for the beginning of a domain, for a part of a company’s name or for its number. Or choose other filters.
      </Empty>
    )
  }
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
