import { useState } from 'react'
import type { RegisteredDestination } from '../../api/bodies.ts'
import { ApiProblem } from '../../api/client.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Choice, Form, Options, TextField } from '../../ui/fields.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useLists } from '../../watching/lists.ts'
import { ChannelSteps } from './channel-steps.tsx'
import { type NewDestination, useAddDestination } from './destinations.ts'
import {
  type DestinationKind,
  isSignals,
  KIND_WORDS,
  ONE_SIGNAL_TYPES,
  SEVERITY_WORDS,
  type SeverityMin,
  type SubscriptionType,
  showType,
} from './webhook-words.ts'

const KINDS = Object.entries(KIND_WORDS) as Array<[DestinationKind, string]>
const ADDRESS_FIELDS = {
  webhook: {
    label: 'Address',
    hint: 'https, with a public name, on port 443 or 8443',
    placeholder: 'https://example.co.uk/hooks/nameplate',
  },
  slack: {
    label: 'Address of the incoming webhook',
    hint: 'It is a secret: we seal it, and never show it whole again',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    label: 'Address of the workflow',
    hint: 'It is a secret: we seal it, and never show it whole again',
    placeholder: 'https://….api.powerplatform.com/…&sig=…',
  },
}
const ANY = ''

/** The kind is in the address of the screen, so that it can be linked to. */
export function AddDestination({ onAdded }: { onAdded: (added: RegisteredDestination) => void }) {
  const { filter, setFilter } = useAddressFilter('/webhooks', ['kind'])
  const kind = KINDS.find(([known]) => known === filter.kind)?.[0] ?? 'webhook'
  return (
    <Card
      title="Add a destination"
      aside={
        <Segments label="Send to" choices={KINDS} value={kind} onChange={(chosen) => setFilter({ kind: chosen })} />
      }
    >
      <DestinationForm key={kind} kind={kind} onAdded={onAdded} />
    </Card>
  )
}

function DestinationForm(props: { kind: DestinationKind; onAdded: (added: RegisteredDestination) => void }) {
  const { kind, onAdded } = props
  const [webhookUrl, setWebhookUrl] = useState('')
  const [signalType, setSignalType] = useState<SubscriptionType>('all')
  const [list, setList] = useState(ANY)
  const [severity, setSeverity] = useState<SeverityMin | typeof ANY>(ANY)
  const add = useAddDestination()
  const problem = problemOfAddress(add.error)
  const submit = () => {
    const filter = isSignals(signalType) ? { list: list || undefined, severity_min: severity || undefined } : {}
    const request: NewDestination = { kind, webhook_url: webhookUrl.trim(), signal_type: signalType, ...filter }
    add.mutate(request, {
      onSuccess: (added) => {
        setWebhookUrl('')
        onAdded(added)
      },
    })
  }
  return (
    <Form className="stack" onSubmit={submit}>
      {kind !== 'webhook' && <ChannelSteps kind={kind} />}
      <TextField
        {...ADDRESS_FIELDS[kind]}
        problem={problem}
        type="url"
        value={webhookUrl}
        onChange={setWebhookUrl}
        autoComplete="off"
        spellCheck={false}
        maxLength={2_048}
        required
      />
      <div className="destination-filter">
        <TypeChooser kind={kind} value={signalType} onChange={setSignalType} />
        {isSignals(signalType) && (
          <>
            <ListChooser value={list} onChange={setList} />
            <Choice
              label="Severity"
              value={severity}
              onChange={setSeverity}
              options={[[ANY, 'Any severity'], ...(Object.entries(SEVERITY_WORDS) as Array<[SeverityMin, string]>)]}
            />
          </>
        )}
      </div>
      {add.isError && problem === undefined && <Problem error={add.error} />}
      <div className="row">
        <Button type="submit" busy={add.isPending}>
          Add the destination
        </Button>
        <span className="small soft">Free, like every event</span>
      </div>
    </Form>
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

interface TypeChooserProps {
  kind: DestinationKind
  value: SubscriptionType
  onChange: (type: SubscriptionType) => void
}

/** People read signals alone. */
function TypeChooser({ kind, ...props }: TypeChooserProps) {
  const whole = kind === 'webhook' ? (['all', 'resolution_completed', 'audit_entry'] as const) : (['all'] as const)
  return (
    <Choice {...props} label="Events" hint={HINTS[props.value]} options={whole.map((type) => [type, showType(type)])}>
      <optgroup label="One kind of signal">
        <Options options={ONE_SIGNAL_TYPES.map((type) => [type, showType(type)])} />
      </optgroup>
    </Choice>
  )
}

function ListChooser(props: { value: string; onChange: (list: string) => void }) {
  const lists = useLists()
  const options = lists.data?.data.map(({ id, name }) => [id, name] as const) ?? []
  return <Choice {...props} label="Companies" options={[[ANY, 'All that you watch'], ...options]} />
}
