import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useAccount } from '../../account.ts'
import type { ReviewDetail, ReviewsDone } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import type { Picked } from '../../register/company-picker.tsx'
import { toSeen } from '../../reviewing/replaced.ts'
import { SecondReading } from '../../reviewing/second-reading.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, Problem, ScreenHead } from '../../ui/parts.tsx'
import { showMoment } from '../../ui/words.ts'
import { Argument } from '../resolve/argument.tsx'
import { type Choice, firstChoice, NONE, OTHER, REJECTION, toChoice } from './choice.ts'
import { ChooseCompany } from './choose-company.tsx'
import { History, OwnDecision } from './decided.tsx'
import { RegisterCard } from './register-record.tsx'
import { useAlike, useDecide, useReview } from './reviews.ts'
import { SiteWords } from './site-words.tsx'
import { listNearest, Together } from './together.tsx'

const REASON_LENGTH_MAX = 500
const REVIEWER_LENGTH_MAX = 200

export interface Decided {
  review: ReviewDetail
  choice: Choice
  done: ReviewsDone
}

/** One review: the site beside the register, and the decision. */
export function ReviewItem({ id, onDecided }: { id: string; onDecided: (decided: Decided) => void }) {
  const review = useReview(id)
  if (review.error instanceof ApiProblem && review.error.status === 404) return <NoSuchReview />
  return (
    <div className="stack">
      {!review.data && <ScreenHead title="Review" />}
      <Loaded query={review} what="the review">
        {(body) => <Item key={body.id} review={body} onDecided={onDecided} />}
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

function Item({ review, onDecided }: { review: ReviewDetail; onDecided: (decided: Decided) => void }) {
  const [chosen, setChosen] = useState(() => firstChoice(review))
  const [picked, setPicked] = useState<Picked | null>(null)
  // The previous review ended at the bottom of the screen.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  const record = review.records.find(({ company_number: number }) => number === chosen) ?? null
  const decide = (
    <>
      <ChooseCompany review={review} chosen={chosen} onChoose={setChosen} picked={picked} onPick={setPicked} />
      <Decide
        key={review.decision?.id}
        review={review}
        choice={toChoice(chosen, review, picked)}
        onChoose={setChosen}
        onDecided={onDecided}
      />
    </>
  )
  return (
    <>
      <ScreenHead
        title={review.domain}
        actions={
          <a className="button quiet" href={`https://${review.domain}/`} target="_blank" rel="noreferrer">
            Open the site
          </a>
        }
      >
        {review.doubt_text && <Badge tone="warn">{review.doubt_text}</Badge>} {review.reason}
      </ScreenHead>
      <SecondReading reading={review.second_reader} />
      {review.group_notes.length > 0 && (
        <section className="note info" aria-label="Same group">
          {review.group_notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </section>
      )}
      {review.status === 'closed' && (
        <Card title="No decision needed">
          <p>A newer answer for this domain needs no review. You can still decide it yourself.</p>
        </Card>
      )}
      {review.decision && <OwnDecision review={review} decision={review.decision} />}
      <div className="side-by-side">
        <SiteWords review={review} record={record} />
        {record ? <RegisterCard record={record} /> : <NoRecord chosen={chosen} />}
      </div>
      {review.decision ? (
        <details>
          <summary>Change the decision</summary>
          <div className="stack again">{decide}</div>
        </details>
      ) : (
        decide
      )}
      {review.explanation.features.length > 0 && (
        <details>
          <summary>How we weighed it</summary>
          <Argument
            explanation={review.explanation}
            confidence={review.confidence}
            about={review.candidates[0]?.company_name}
          />
        </details>
      )}
      <History review={review} />
      <p className="small soft">
        On your list since {showMoment(review.created_at)}. Rules {review.explanation.version}.
      </p>
    </>
  )
}

function NoRecord({ chosen }: { chosen: string }) {
  return (
    <Card title="The register has">
      <p className="soft">
        {chosen === NONE
          ? 'You reject all candidates. Choose one of them to see its record here.'
          : 'Choose a candidate to see its record here, beside the words of the site.'}
      </p>
    </Card>
  )
}

interface DecideProps {
  review: ReviewDetail
  choice: Choice | null
  onChoose: (value: string) => void
  onDecided: (decided: Decided) => void
}

/** The buttons of the decision, with the reviewer and the reason. */
function Decide({ review, choice, onChoose, onDecided }: DecideProps) {
  const [reason, setReason] = useState('')
  const [isTogether, setTogether] = useState(false)
  const [sent, setSent] = useState<Choice | null>(null)
  const reviewer = useReviewer()
  const decide = useDecide((done) => sent && onDecided({ review, choice: sent, done }))
  const { data: alike } = useAlike(review.id, review.decision ? null : (choice?.decision ?? null))
  const send = (wanted: Choice | null, others: Array<{ id: string; company_number: string | null }> = []) => {
    if (!wanted || decide.isPending) return
    const texts = { reviewer: reviewer.name.trim(), reason: reason.trim() }
    const { action } = wanted.decision
    const items = others.map(({ id, company_number: number }) => ({
      id,
      action,
      ...(number === null ? {} : { company_number: number }),
      seen_decision: null,
    }))
    setSent(wanted)
    decide.mutate({
      items: [{ id: review.id, ...wanted.decision, seen_decision: toSeen(review.decision) }, ...items],
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    })
  }
  const nearest = alike && listNearest(alike)
  const openTogether = nearest && nearest.items.length > 0 && choice ? () => setTogether(true) : undefined
  const numbers = review.candidates.map(({ company_number: number }) => number)
  useKeys({
    ...Object.fromEntries(numbers.map((number, at) => [String(at + 1), () => onChoose(number)])),
    '0': () => onChoose(NONE),
    o: () => onChoose(OTHER),
    a: () => send(choice),
    r: () => send(REJECTION),
    s: openTogether,
  })
  return (
    <>
      <section className="card columns tight" aria-label="Who decides, and why">
        <TextField label="Reviewer" value={reviewer.name} onChange={reviewer.rename} maxLength={REVIEWER_LENGTH_MAX} />
        <TextField
          label="Reason (optional)"
          value={reason}
          onChange={setReason}
          placeholder="Their invoices name it"
          maxLength={REASON_LENGTH_MAX}
        />
      </section>
      {decide.isError && !isTogether && <Problem error={decide.error} />}
      <section className="decide" aria-label="Your decision">
        <div className="row">
          <Button busy={decide.isPending} disabled={!choice} aria-keyshortcuts="a" onClick={() => send(choice)}>
            {choice?.action ?? 'Choose a company above'} <kbd aria-hidden="true">a</kbd>
          </Button>
          {choice !== REJECTION && (
            <Button look="quiet" disabled={decide.isPending} aria-keyshortcuts="r" onClick={() => send(REJECTION)}>
              None of these <kbd aria-hidden="true">r</kbd>
            </Button>
          )}
          {openTogether && nearest && (
            <Button look="quiet" aria-keyshortcuts="s" onClick={openTogether}>
              {nameTogether(nearest)} <kbd aria-hidden="true">s</kbd>
            </Button>
          )}
        </div>
        <p className="small soft">Free. It applies only to your account, and you can take it back.</p>
      </section>
      {isTogether && alike && choice && (
        <Together
          alike={alike}
          choice={choice}
          domain={review.domain}
          busy={decide.isPending}
          error={decide.error}
          onDecide={(others) => send(choice, others)}
          onClose={() => setTogether(false)}
        />
      )}
    </>
  )
}

/** Counts only what the dialog ticks at first; a doubt in common is no reason to decide alike. */
function nameTogether({ by, items: { length } }: ReturnType<typeof listNearest>): string {
  if (by === 'doubt') return `Same decision for others with this doubt (${length})`
  return `Same decision for ${length === 1 ? 'the one' : `these ${length}`} like it`
}

/** The last reviewer in this window, used again for the next review. */
let last: string | null = null

/** Returns the account's e-mail address until the person types a name. */
function useReviewer() {
  const { data: account } = useAccount()
  const [typed, setTyped] = useState(last)
  const rename = (name: string) => {
    last = name
    setTyped(name)
  }
  return { name: typed ?? account?.email ?? '', rename }
}
