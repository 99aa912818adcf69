import { useState } from 'react'
import type { RegisteredDestination } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Choice, Form, Options, TextField } from '../../ui/fields.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { useAddDestination } from './destinations.ts'
import { ONE_SIGNAL_TYPES, type SubscriptionType, showType } from './webhook-words.ts'

export function AddDestination({ onAdded }: { onAdded: (added: RegisteredDestination) => void }) {
  const [webhookUrl, setWebhookUrl] = useState('')
  const [signalType, setSignalType] = useState<SubscriptionType>('all')
  const add = useAddDestination()
  const problem = problemOfAddress(add.error)
  const submit = () => {
    const request = { webhook_url: webhookUrl.trim(), signal_type: signalType }
    add.mutate(request, {
      onSuccess: (added) => {
        setWebhookUrl('')
        onAdded(added)
      },
    })
  }
  return (
    <Card title="Add a destination" aside={<p>Free, like every event</p>}>
      <Form className="stack" onSubmit={submit}>
        <div className="add-destination">
          <TextField
            label="Address"
            problem={problem}
            hint="https, with a public name, on port 443 or 8443"
            type="url"
            value={webhookUrl}
            onChange={setWebhookUrl}
            placeholder="https://example.co.uk/hooks/nameplate"
            autoComplete="off"
            spellCheck={false}
            maxLength={2_048}
            required
          />
          <TypeChooser value={signalType} onChange={setSignalType} />
        </div>
        {add.isError && problem === undefined && <Problem error={add.error} />}
        <div className="row">
          <Button type="submit" busy={add.isPending}>
            Add the destination
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** Returns the API's message about the address, to show it at the field. */
function problemOfAddress(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const message = error.fields.find(({ field }) => field.endsWith('webhook_url'))?.message
  return message && message.charAt(0).toUpperCase() + message.slice(1)
}

const HINTS: Partial<Record<SubscriptionType, string>> = {
  resolution_completed: 'For all your requests',
  audit_entry: 'Every act on your account',
}

function TypeChooser(props: { value: SubscriptionType; onChange: (type: SubscriptionType) => void }) {
  return (
    <Choice
      {...props}
      label="Events"
      hint={HINTS[props.value] ?? 'For the companies you watch'}
      options={(['all', 'resolution_completed', 'audit_entry'] as const).map((type) => [type, showType(type)])}
    >
      <optgroup label="One kind of signal">
        <Options options={ONE_SIGNAL_TYPES.map((type) => [type, showType(type)])} />
      </optgroup>
    </Choice>
  )
}
