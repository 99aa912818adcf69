import { markWords } from '../../../../src/lib/text/mark-words.ts'
import type { Evidence, ReviewDetail } from '../../api/bodies.ts'
import { Badge, Card } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/tones.ts'
import { plural, showMoment } from '../../ui/words.ts'

export type RegisterRecord = ReviewDetail['records'][number]

const STRENGTHS: Record<Evidence['strength'], Tone> = {
  decisive: 'good',
  strong: 'good',
  supporting: 'info',
  against: 'bad',
}

/** The passages of the site: those about the chosen company first, with the words that the register has too marked. */
export function SiteWords({ review, record }: { review: ReviewDetail; record: RegisterRecord | null }) {
  const number = record?.company_number ?? null
  const own = review.evidence.filter(({ supports }) => number !== null && supports === number)
  const others = review.evidence.filter(({ supports }) => number === null || supports !== number)
  const show = (item: Evidence) => <Passage key={keyOf(item)} item={item} record={record} />
  return (
    <Card title="The site says">
      {review.evidence.length === 0 && <p className="soft">The site has no words about a company.</p>}
      {number !== null && own.length === 0 && review.evidence.length > 0 && (
        <p className="soft">The site has no words about this company.</p>
      )}
      <ul className="list">{own.map(show)}</ul>
      {others.length > 0 &&
        (own.length === 0 ? (
          <ul className="list">{others.map(show)}</ul>
        ) : (
          <details>
            <summary>{plural(others.length, 'other quote')} from the site</summary>
            <ul className="list">{others.map(show)}</ul>
          </details>
        ))}
    </Card>
  )
}

function Passage({ item, record }: { item: Evidence; record: RegisterRecord | null }) {
  const isOther = item.supports !== null && item.supports !== record?.company_number
  return (
    <li className="passage">
      <p className="row tight">
        <Badge tone={STRENGTHS[item.strength]}>{item.strength}</Badge>
        <span>{item.says}</span>
        {isOther && <span className="soft mono">{item.supports}</span>}
      </p>
      <blockquote>
        {markWords(item.quote, record).map(({ text, isMarked }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
          isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
        )}
      </blockquote>
      <p className="small soft">
        <a href={item.url} target="_blank" rel="noreferrer">
          {item.url}
        </a>{' '}
        · {showMoment(item.fetched_at)}
      </p>
    </li>
  )
}

const keyOf = ({ kind, supports, url, quote }: Evidence) => [kind, supports, url, quote].join('|')
