import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dispute as DisputeBody, Resolution } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { CompanyPicker, type Picked } from '../../register/company-picker.tsx'
import { describeRefund } from '../../reviewing/refund-words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, FormEnd, TextField } from '../../ui/fields.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'

const REASON_LENGTH_MAX = 500

type Company = NonNullable<Resolution['company']>

interface Disputed {
  resolution: Resolution
  company: Company
  /** Called when the person has read the result. */
  onDisputed: () => void
}

/** Disputes a wrong match, for a refund and another answer. */
export function Dispute(props: Disputed) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        This is wrong
      </Button>
      {isOpen && <DisputeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function DisputeDialog({ resolution, company, onDisputed, onClose }: Disputed & { onClose: () => void }) {
  const queries = useQueryClient()
  const dispute = useMutation({
    mutationFn: (body: { company_number?: string; reason?: string }) =>
      callApi<DisputeBody>('POST', `/v1/resolutions/${resolution.resolution_id}/dispute`, { body }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['account'] }),
        queries.invalidateQueries({ queryKey: ['reviews'] }),
      ]),
  })
  if (dispute.data) {
    return (
      <Dialog title="The match is disputed" onClose={onDisputed}>
        <Outcome disputed={dispute.data} company={company} />
        <div>
          <Button onClick={onDisputed}>Show the new answer</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Not ${company.company_name}?`} onClose={onClose}>
      <p className="soft">
        Say what is wrong, or choose the right company. You will not get this company for {resolution.domain} again. If
        you paid for the match in the last 30 days, we read the site again before we refund the credit.
      </p>
      <DisputeForm dispute={dispute} onClose={onClose} />
    </Dialog>
  )
}

function DisputeForm({ dispute, onClose }: { dispute: DisputeCall; onClose: () => void }) {
  const [picked, setPicked] = useState<Picked | null>(null)
  const [reason, setReason] = useState('')
  const submit = () => {
    const text = reason.trim()
    dispute.mutate({ ...(picked ? { company_number: picked.number } : {}), ...(text === '' ? {} : { reason: text }) })
  }
  return (
    <Form className="stack" onSubmit={submit}>
      <TextField
        label="What is wrong?"
        value={reason}
        onChange={setReason}
        placeholder="They sold the shop last year"
        maxLength={REASON_LENGTH_MAX}
      />
      <CompanyPicker label="The right company, if you know it" picked={picked} onPick={setPicked} />
      {dispute.isError && <Problem error={dispute.error} />}
      <FormEnd busy={dispute.isPending} disabled={picked === null && reason.trim() === ''} onCancel={onClose}>
        Dispute the match
      </FormEnd>
    </Form>
  )
}

interface DisputeCall {
  isPending: boolean
  isError: boolean
  error: unknown
  mutate: (body: { company_number?: string; reason?: string }) => void
}

function Outcome({ disputed, company }: { disputed: DisputeBody; company: Company }) {
  const right = disputed.decision.company_number
  return (
    <div className="stack-small" role="status">
      <p>
        {disputed.refunded
          ? `We refunded one credit. You have ${plural(disputed.credits_available, 'credit')} available.`
          : describeRefund(disputed.refund_status) ||
            'There is nothing to refund: you did not pay for this match in the last 30 days.'}
      </p>
      <p>
        You will not get {company.company_name} for {disputed.domain} again.
        {right !== null && ` You get ${right} instead, free of charge.`}
      </p>
    </div>
  )
}
