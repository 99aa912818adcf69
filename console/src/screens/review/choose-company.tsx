import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Evidence, ReviewCandidate, ReviewDetail } from '../../api/bodies.ts'
import { CompanyPicker, type Picked } from '../../register/company-picker.tsx'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Reasons } from '../../reviewing/reasons.tsx'
import { isTyping } from '../../ui/is-typing.ts'
import { Badge, Card } from '../../ui/parts.tsx'
import { plural, showShare } from '../../ui/words.ts'
import { Quoted } from '../resolve/proof.tsx'
import { NONE, OTHER } from './choice.ts'

const NONE_KEY = '0'
const OTHER_KEY = 'a'

interface Chosen {
  chosen: string | null
  onChoose: (value: string) => void
  picked: Picked | null
  onPick: (picked: Picked | null) => void
}

/** Offers the candidates with their quotes, "none of these", and any company of the register. */
export function ChooseCompany({ review, ...props }: Chosen & { review: ReviewDetail }) {
  const { chosen, onChoose, picked, onPick } = props
  const { candidates, evidence } = review
  const fieldset = useChoiceKeys([
    ...candidates.map(({ company_number: number }, at) => [String(at + 1), number] as const),
    [NONE_KEY, NONE],
    [OTHER_KEY, OTHER],
  ])
  return (
    <Card title="Which company is it?" aside={<KeysHint count={candidates.length} />}>
      <fieldset className="candidates" ref={fieldset}>
        <legend className="visually-hidden">Which company runs {review.domain}?</legend>
        {candidates.map((candidate, at) => {
          const { company_number: number } = candidate
          return (
            <div key={number}>
              <Line value={number} hotKey={String(at + 1)} chosen={chosen} onChoose={onChoose}>
                <CandidateWords candidate={candidate} />
              </Line>
              <CandidateQuotes number={number} evidence={evidence} isOpen={at === 0} />
              <Link className="choice-more small" href={`/companies/${number}`}>
                Company details
              </Link>
            </div>
          )
        })}
        <Line value={NONE} hotKey={NONE_KEY} chosen={chosen} onChoose={onChoose}>
          <strong>None of these</strong>
          <span className="small soft">This domain will return “no match”.</span>
        </Line>
        <div>
          <Line value={OTHER} hotKey={OTHER_KEY} chosen={chosen} onChoose={onChoose}>
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

function KeysHint({ count }: { count: number }) {
  return (
    <p className="keys-hint">
      {count > 0 && (
        <>
          <kbd>1</kbd>
          {count > 1 && (
            <>
              –<kbd>{count}</kbd>
            </>
          )}{' '}
        </>
      )}
      <kbd>{NONE_KEY}</kbd> <kbd>{OTHER_KEY}</kbd> choose, <kbd>Enter</kbd> decides
    </p>
  )
}

/** A key chooses its option and moves the focus there, so that Enter submits it. */
function useChoiceKeys(keys: ReadonlyArray<readonly [string, string]>) {
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const value = keys.find(([key]) => key === event.key)?.[1]
      if (value === undefined) return
      const input = fieldset.current?.querySelector<HTMLInputElement>(`input[value="${value}"]`)
      if (!input?.checkVisibility()) return
      input.focus()
      input.click()
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
  return fieldset
}

/** One option. Its shortcut key is shown at the end. */
function Line(props: {
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

/** Shows a candidate with the reasons for and against it. */
function CandidateWords({ candidate }: { candidate: ReviewCandidate }) {
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
      <Reasons reasons={candidate.reasons} against={candidate.reasons_against} />
    </>
  )
}

/** Shows the quotes from the site about this candidate. */
function CandidateQuotes(props: { number: string; evidence: Evidence[]; isOpen: boolean }) {
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
