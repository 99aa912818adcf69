import { Link, useParams } from 'wouter'
import type { WebhookDestination } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Card, Empty, Facts, Problem, ScreenHead } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment, showNumber } from '../../ui/words.ts'
import '../../styles/webhooks.css'
import { DeliveryLog } from './delivery-log.tsx'
import { DestinationSecret } from './destination-secret.tsx'
import { useDestinations, useEnableDestination } from './destinations.ts'
import { RemoveDestination } from './remove-destination.tsx'
import { ReplayForm } from './replay-form.tsx'
import { TestEvent } from './test-event.tsx'
import { showType, whyDisabled } from './webhook-words.ts'
import { DestinationStatus } from './webhooks-screen.tsx'

export function DestinationScreen() {
  const { id } = useParams<{ id: string }>()
  const destinations = useDestinations()
  return (
    <div className="stack">
      {!destinations.data && <ScreenHead title="Destination" />}
      <Loaded query={destinations} what="the destination">
        {({ data }) => {
          const destination = data.find((each) => String(each.id) === id)
          return destination ? <Destination key={id} destination={destination} /> : <NoSuchDestination />
        }}
      </Loaded>
    </div>
  )
}

function NoSuchDestination() {
  return (
    <div className="stack">
      <ScreenHead title="Destination" />
      <Empty title="There is no such destination" action={<Link href="/webhooks">All destinations</Link>}>
        It may have been deleted, or the address is mistyped.
      </Empty>
    </div>
  )
}

function Destination({ destination }: { destination: WebhookDestination }) {
  const isDisabled = destination.status === 'disabled'
  return (
    <div className="stack">
      <p className="small">
        <Link href="/webhooks">Webhooks</Link>
      </p>
      <ScreenHead
        title={new URL(destination.webhook_url).host}
        actions={<DestinationStatus destination={destination} />}
      >
        <code>{destination.webhook_url}</code>
      </ScreenHead>
      {isDisabled && <Disabled destination={destination} />}
      <div className="columns">
        <Card title="This destination">
          <DestinationFacts destination={destination} />
        </Card>
        <TestEvent id={destination.id} />
      </div>
      <DeliveryLog destination={destination} />
      <div className="columns">
        <ReplayForm id={destination.id} isDisabled={isDisabled} />
        <div className="stack">
          <DestinationSecret id={destination.id} />
          <RemoveDestination destination={destination} />
        </div>
      </div>
    </div>
  )
}

function DestinationFacts({ destination }: { destination: WebhookDestination }) {
  const failures = destination.consecutive_failures
  return (
    <Facts
      facts={[
        ['Events', showType(destination.signal_type)],
        ['Added', showMoment(destination.created_at)],
        ['Last received', showMoment(destination.last_success_at)],
        ['Last failure', showMoment(destination.last_failure_at)],
        ['Failures in a row', failures === 0 ? 'none' : showNumber(failures)],
      ]}
    />
  )
}

function Disabled({ destination }: { destination: WebhookDestination }) {
  const showToast = useToast()
  const enable = useEnableDestination(destination.id, () =>
    showToast('The destination is enabled. Replay the missed events below.'),
  )
  return (
    <div className="note bad">
      <strong>This destination is disabled</strong>
      <p>
        {whyDisabled(destination.disabled_reason)} We keep events for 30 days. When your receiver works again, enable
        the destination and replay the events it missed.
      </p>
      {enable.isError && <Problem error={enable.error} />}
      <div className="row">
        <Button small busy={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      </div>
    </div>
  )
}
