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

/** Takes the company, the reviewer and the reason. */
export function DecideForm({ review, onDecided }: { review: ReviewDetail; onDecided: (summary: string) => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [reason, setReason] = useState('')
  const reviewer = useReviewer()
  const choice = toChoice(chosen, review, picked)
  const decide = useDecide(review.id, () => onDecided(choice?.says ?? 'decided'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!choice || decide.isPending) return
    const texts = { reviewer: reviewer.name.trim(), reason: reason.trim() }
    decide.mutate({
      ...choice.decision,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <ChooseCompany review={review} chosen={chosen} onChoose={setChosen} picked={picked} onPick={setPicked} />
      <section className="card stack" aria-label="Your decision">
        <div className="columns">
          <Field label="Reviewer">
            {(field) => (
              <input
                {...field}
                value={reviewer.name}
                onChange={(event) => reviewer.rename(event.target.value)}
                maxLength={REVIEWER_LENGTH_MAX}
              />
            )}
          </Field>
          <Field label="Reason (optional)">
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
            {choice?.action ?? 'Choose a company above'}
          </Button>
          <span className="small soft">Free. It applies only to your account, and you can withdraw it.</span>
        </div>
      </section>
    </form>
  )
}
