import type { ReactNode } from 'react'
import type { ReviewCandidate, ReviewDetail } from '../../api/bodies.ts'
import { CompanyPicker, type Picked } from '../../register/company-picker.tsx'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Reasons } from '../../reviewing/reasons.tsx'
import { Badge, Card } from '../../ui/parts.tsx'
import { showShare } from '../../ui/words.ts'
import { NONE, OTHER } from './choice.ts'

interface Chosen {
  chosen: string
  onChoose: (value: string) => void
  picked: Picked | null
  onPick: (picked: Picked | null) => void
}

/** Offers the candidates, "none of these", and any company of the register. */
export function ChooseCompany({ review, ...props }: Chosen & { review: ReviewDetail }) {
  const { chosen, onChoose, picked, onPick } = props
  return (
    <Card title="Which company is it?">
      <fieldset className="candidates">
        <legend className="visually-hidden">Which company runs {review.domain}?</legend>
        {review.candidates.map((candidate, at) => (
          <Line
            key={candidate.company_number}
            value={candidate.company_number}
            hotKey={String(at + 1)}
            chosen={chosen}
            onChoose={onChoose}
          >
            <CandidateWords candidate={candidate} isOpen={chosen === candidate.company_number} />
          </Line>
        ))}
        <Line value={NONE} hotKey="0" chosen={chosen} onChoose={onChoose}>
          <strong>None of these</strong>
          <span className="small soft">This domain will return “no match”.</span>
        </Line>
        <div>
          <Line value={OTHER} hotKey="o" chosen={chosen} onChoose={onChoose}>
            <strong>Another company</strong>
            <span className="small soft">Choose any company by its name or number.</span>
          </Line>
          {chosen === OTHER && (
            <div className="choice-more">
              <CompanyPicker label="Name or number" picked={picked} onPick={onPick} />
            </div>
          )}
        </div>
      </fieldset>
    </Card>
  )
}

/** One option. Its shortcut key is shown at the end. */
function Line(props: {
  value: string
  chosen: string
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

/** Shows a candidate; the chosen one with the reasons for and against it. */
function CandidateWords({ candidate, isOpen }: { candidate: ReviewCandidate; isOpen: boolean }) {
  const { registered_postcode: postcode } = candidate
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
      {isOpen && <Reasons reasons={candidate.reasons} against={candidate.reasons_against} />}
    </>
  )
}
