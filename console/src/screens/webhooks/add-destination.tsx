import { type FormEvent, useState } from 'react'
import type { RegisteredDestination } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { Button, Card, Field, Problem } from '../../ui/parts.tsx'
import { useAddDestination } from './destinations.ts'
import { ONE_SIGNAL_TYPES, type SubscriptionType, showType } from './webhook-words.ts'

export function AddDestination({ onAdded }: { onAdded: (added: RegisteredDestination) => void }) {
  const [webhookUrl, setWebhookUrl] = useState('')
  const [signalType, setSignalType] = useState<SubscriptionType>('all')
  const add = useAddDestination()
  const problem = problemOfAddress(add.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
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
      <form className="stack" onSubmit={submit}>
        <div className="add-destination">
          <Field label="Address" problem={problem} hint="https, with a public name, on port 443 or 8443">
            {(field) => (
              <input
                {...field}
                type="url"
                value={webhookUrl}
                onChange={(event) => setWebhookUrl(event.target.value)}
                placeholder="https://example.co.uk/hooks/nameplate"
                autoComplete="off"
                spellCheck={false}
                maxLength={2_048}
                required
              />
            )}
          </Field>
          <TypeChooser value={signalType} onChange={setSignalType} />
        </div>
        {add.isError && problem === undefined && <Problem error={add.error} />}
        <div className="row">
          <Button type="submit" busy={add.isPending}>
            Add the destination
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Returns the API's message about the address, to show it at the field. */
function problemOfAddress(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const message = error.fields.find(({ field }) => field.endsWith('webhook_url'))?.message
  return message && message.charAt(0).toUpperCase() + message.slice(1)
}

function TypeChooser(props: { value: SubscriptionType; onChange: (type: SubscriptionType) => void }) {
  return (
    <Field
      label="Events"
      hint={props.value === 'resolution_completed' ? 'For all your requests' : 'For the companies you watch'}
    >
      {(field) => (
        <select
          {...field}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value as SubscriptionType)}
        >
          <option value="all">{showType('all')}</option>
          <option value="resolution_completed">{showType('resolution_completed')}</option>
          <optgroup label="One kind of signal">
            {ONE_SIGNAL_TYPES.map((type) => (
              <option key={type} value={type}>
                {showType(type)}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  )
}
