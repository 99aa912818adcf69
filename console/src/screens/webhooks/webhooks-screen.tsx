import { useState } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../../account.ts'
import type { RegisteredDestination, WebhookDestination } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { showAgo } from '../../ui/words.ts'
import { useListNames } from '../../watching/lists.ts'
import './webhooks.css'
import { AddDestination } from './add-destination.tsx'
import { useDestinations } from './destinations.ts'
import { TrySending } from './try-sending.tsx'
import { HowToVerify } from './verify-snippet.tsx'
import { KIND_WORDS, showFilter, showType, whyDisabled } from './webhook-words.ts'

export function WebhooksScreen() {
  const destinations = useDestinations()
  const [added, setAdded] = useState<RegisteredDestination | null>(null)
  return (
    <div className="stack">
      <ScreenHead title="Webhooks">
        We send changes to the companies you watch to your server, or to a channel in Slack or Teams, as soon as we know
        them. We retry for three days if it does not respond.
      </ScreenHead>
      {added && <Added key={added.id} added={added} onKept={() => setAdded(null)} />}
      <Loaded query={destinations} what="your destinations">
        {({ data }) => (data.length === 0 ? <NoDestinations /> : <DestinationList destinations={data} />)}
      </Loaded>
      <AddDestination onAdded={setAdded} />
    </div>
  )
}

/** A channel has no secret to store: the next step is to see a message arrive. */
function Added(props: { added: RegisteredDestination; onKept: () => void }) {
  return props.added.kind === 'webhook' ? <NewSecret {...props} /> : <NewChannel {...props} />
}

function NewChannel({ added, onKept }: { added: RegisteredDestination; onKept: () => void }) {
  const service = KIND_WORDS[added.kind]
  return (
    <Card title={`${service} is added`} stacked>
      <p>
        Signals go to the channel from now on, several in one message when they come together. Send a test message to
        see it there.
      </p>
      <TrySending destination={added} />
      <div className="row">
        <Link href={`/webhooks/${added.id}`}>Open the destination</Link>
        <Button look="plain" small onClick={onKept}>
          Close
        </Button>
      </div>
    </Card>
  )
}

function NewSecret({ added, onKept }: { added: RegisteredDestination; onKept: () => void }) {
  return (
    <ShownOnce
      title="The signing secret of your new destination"
      secret={added.secret}
      what="the signing secret"
      warning="We show it only once. Store it where your receiver can read it."
      onKept={onKept}
    >
      <HowToVerify open />
      <p>
        Then <Link href={`/webhooks/${added.id}`}>send a test event</Link> and check how your receiver responds.
      </p>
    </ShownOnce>
  )
}

function NoDestinations() {
  const { data } = useEnvironment()
  const outside = data?.development_pages.find(({ name }) => name === 'Outside world')
  return (
    <Empty title="No destinations yet">
      Send signals where your team reads them, a channel in <Link href="/webhooks?kind=slack">Slack</Link> or{' '}
      <Link href="/webhooks?kind=teams">Teams</Link>, for one list or all companies, or only warnings. Or add the
      address of a program of yours that accepts POST requests: you get a secret to verify events. You can send a test
      at once.
      {outside && (
        <>
          {' '}
          In development a receiver is ready: copy its address from{' '}
          <a href={outside.url} target="_blank" rel="noreferrer">
            the simulated world
          </a>
          , which also shows what arrives.
        </>
      )}
    </Empty>
  )
}

function DestinationList({ destinations }: { destinations: WebhookDestination[] }) {
  return (
    <Card title="Destinations" aside={<p>{destinations.length} of at most 20</p>}>
      <ul className="list">
        {destinations.map((destination) => (
          <li key={destination.id}>
            <DestinationEntry destination={destination} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function DestinationEntry({ destination }: { destination: WebhookDestination }) {
  const { id, kind, webhook_url: url, signal_type: type, last_failure_at: failedAt } = destination
  const nameOfList = useListNames()
  const isDisabled = destination.status === 'disabled'
  return (
    <div className="stack-small">
      <div className="row spread">
        <span className="row tight">
          {kind !== 'webhook' && <Badge>{KIND_WORDS[kind]}</Badge>}
          <Link href={`/webhooks/${id}`} className="address">
            {url}
          </Link>
        </span>
        <DestinationStatus destination={destination} />
      </div>
      <p className="small soft">
        {[showType(type), ...showFilter(destination, nameOfList)].join(' · ')} ·{' '}
        {destination.last_success_at ? `received ${showAgo(destination.last_success_at)}` : 'nothing received yet'}
        {failedAt && ` · failed ${showAgo(failedAt)}`}
      </p>
      {isDisabled && <p className="small">{whyDisabled(destination)} Open it to enable it again.</p>}
    </div>
  )
}

export function DestinationStatus({ destination }: { destination: WebhookDestination }) {
  const failures = destination.consecutive_failures
  if (destination.status === 'disabled') return <Badge tone="bad">Disabled</Badge>
  if (failures > 0) return <Badge tone="warn">Active, failing</Badge>
  return <Badge tone="good">Active</Badge>
}
