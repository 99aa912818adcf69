import { type FormEvent, useState } from 'react'
import type { ReviewDetail } from '../../api/bodies.ts'
import type { Picked } from '../../register/company-picker.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { toChoice } from './choice.ts'
import { ChooseCompany } from './choose-company.tsx'
import { useReviewer } from './reviewer.ts'
import { useDecide } from './reviews.ts'

const REASON_LENGTH_MAX = 500
const REVIEWER_LENGTH_MAX = 200

/** Which company, decided by whom, and why. */
export function DecideForm({ review, onDecided }: { review: ReviewDetail; onDecided: (said: string) => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [reason, setReason] = useState('')
  const reviewer = useReviewer()
  const choice = toChoice(chosen, review, picked)
  const decide = useDecide(review.id, () => onDecided(choice?.says ?? 'decided'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!choice || decide.isPending) return
    const said = { reviewer: reviewer.name.trim(), reason: reason.trim() }
    decide.mutate({ ...choice.verdict, ...Object.fromEntries(Object.entries(said).filter(([, text]) => text !== '')) })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <ChooseCompany review={review} chosen={chosen} onChoose={setChosen} picked={picked} onPick={setPicked} />
      <section className="card stack" aria-label="Your decision">
        <div className="columns">
          <Field label="Who decides">
            {(field) => (
              <input
                {...field}
                value={reviewer.name}
                onChange={(event) => reviewer.rename(event.target.value)}
                maxLength={REVIEWER_LENGTH_MAX}
              />
            )}
          </Field>
          <Field label="Why (optional)">
            {(field) => (
              <input
                {...field}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                placeholder="Their invoices name it"
                maxLength={REASON_LENGTH_MAX}
              />
            )}
          </Field>
        </div>
        {decide.isError && <Problem error={decide.error} />}
        <div className="row">
          <Button type="submit" busy={decide.isPending} disabled={!choice}>
            {choice?.action ?? 'Choose one above'}
          </Button>
          <span className="small soft">Free, for your account alone, and you can take it back.</span>
        </div>
      </section>
    </form>
  )
}
