import { useState } from 'react'
import { useAccount } from '../../account.ts'
import type { ReviewDetail } from '../../api/bodies.ts'
import type { Picked } from '../../register/company-picker.tsx'
import { Form, TextField } from '../../ui/fields.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { toChoice } from './choice.ts'
import { ChooseCompany } from './choose-company.tsx'
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
  const submit = () => {
    if (!choice || decide.isPending) return
    const texts = { reviewer: reviewer.name.trim(), reason: reason.trim() }
    decide.mutate({
      ...choice.decision,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    })
  }
  return (
    <Form className="stack" onSubmit={submit}>
      <ChooseCompany review={review} chosen={chosen} onChoose={setChosen} picked={picked} onPick={setPicked} />
      <section className="card stack" aria-label="Your decision">
        <div className="columns">
          <TextField
            label="Reviewer"
            value={reviewer.name}
            onChange={reviewer.rename}
            maxLength={REVIEWER_LENGTH_MAX}
          />
          <TextField
            label="Reason (optional)"
            value={reason}
            onChange={setReason}
            placeholder="Their invoices name it"
            maxLength={REASON_LENGTH_MAX}
          />
        </div>
        {decide.isError && <Problem error={decide.error} />}
        <div className="row">
          <Button type="submit" busy={decide.isPending} disabled={!choice}>
            {choice?.action ?? 'Choose a company above'}
          </Button>
          <span className="small soft">Free. It applies only to your account, and you can withdraw it.</span>
        </div>
      </section>
    </Form>
  )
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
