import type { ReactNode } from 'react'
import type { Evidence, ReviewCandidate } from '../../api/bodies.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Badge } from '../../ui/parts.tsx'
import { plural, showShare } from '../../ui/words.ts'
import { Quoted } from '../resolve/proof.tsx'

/** One option. Its shortcut key is shown at the end. */
export function Line(props: {
  value: string
  chosen: string | null
  onChoose: (value: string) => void
  hotKey: string
  children: ReactNode
}) {
  const { value, chosen, onChoose, hotKey } = props
  return (
    <label className="choice">
      <input
        type="radio"
        name="company"
        value={value}
        checked={chosen === value}
        aria-keyshortcuts={hotKey}
        onChange={() => onChoose(value)}
      />
      <span className="choice-words">{props.children}</span>
      <kbd aria-hidden="true">{hotKey}</kbd>
    </label>
  )
}

/** Shows a candidate and the reasons for it. */
export function CandidateWords({ candidate }: { candidate: ReviewCandidate }) {
  const { registered_postcode: postcode, reasons } = candidate
  return (
    <>
      <span className="row tight">
        <strong>{candidate.company_name}</strong>
        <Badge tone="warn">{showShare(candidate.confidence)}</Badge>
        <StatusBadge company={candidate} />
      </span>
      <span className="small soft">
        <span className="mono">{candidate.company_number}</span>
        {postcode && ` · ${postcode}`}
      </span>
      {reasons.map((reason) => (
        <span key={reason} className="small">
          {reason}
        </span>
      ))}
    </>
  )
}

/** Shows the quotes from the site about this candidate. */
export function CandidateQuotes(props: { number: string; evidence: Evidence[]; isOpen: boolean }) {
  const { number, evidence, isOpen } = props
  const own = evidence.filter(({ supports }) => supports === number)
  if (own.length === 0) return null
  return (
    <details className="choice-quotes" open={isOpen}>
      <summary>{plural(own.length, 'quote')} from the site</summary>
      <ul className="list">
        {own.map((item) => (
          <Quoted key={item.kind + item.url + item.quote} item={item} about={number} />
        ))}
      </ul>
    </details>
  )
}
