import { Link, useLocation, useParams } from 'wouter'
import type { WebhookDestination } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Card, Empty, Facts, Problem, ScreenHead } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment, showNumber } from '../../ui/words.ts'
import { useListNames } from '../../watching/lists.ts'
import './webhooks.css'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { useDeleteDestination, useDestinations, useEnableDestination, useRotateSecret } from './destinations.ts'
import { ReplayForm } from './replay-form.tsx'
import { TrySending } from './try-sending.tsx'
import { HowToVerify } from './verify-snippet.tsx'
import { isSignals, KIND_WORDS, SEVERITY_WORDS, showType, whyDisabled } from './webhook-words.ts'
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
      <ScreenHead title={titleOf(destination)} actions={<DestinationStatus destination={destination} />}>
        <code>{destination.webhook_url}</code>
      </ScreenHead>
      {isDisabled && <Disabled destination={destination} />}
      <div className="columns">
        <Card title="This destination">
          <DestinationFacts destination={destination} />
        </Card>
        <TestEvent destination={destination} />
      </div>
      <DeliveryLog destination={destination} />
      <div className="columns">
        <ReplayForm id={destination.id} isDisabled={isDisabled} />
        <div className="stack">
          {destination.kind === 'webhook' && <DestinationSecret id={destination.id} />}
          <RemoveDestination destination={destination} />
        </div>
      </div>
    </div>
  )
}

function titleOf({ kind, webhook_url: url }: WebhookDestination): string {
  return kind === 'webhook' ? new URL(url).host : `Channel in ${KIND_WORDS[kind]}`
}

function DestinationFacts({ destination }: { destination: WebhookDestination }) {
  const failures = destination.consecutive_failures
  const nameOfList = useListNames()
  const { kind, list, severity_min: severity, signal_type: type } = destination
  const companies = list === null ? 'All that you watch' : nameOfList(list)
  const filter = [
    ['Companies', companies],
    ['Severity', severity === null || severity === 'info' ? 'Any' : SEVERITY_WORDS[severity]],
  ] as const
  return (
    <Facts
      rows
      facts={[
        ['Sent to', KIND_WORDS[kind]],
        ['Events', showType(type)],
        ...(isSignals(type) ? filter : []),
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
        {whyDisabled(destination)} We keep events for 30 days.{' '}
        {destination.kind === 'webhook'
          ? 'When your receiver works again, enable the destination and replay the events it missed.'
          : 'When the channel takes messages again, enable the destination and replay the signals it missed. A new address needs a new destination.'}
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

function TestEvent({ destination }: { destination: WebhookDestination }) {
  return (
    <Card title="Test" stacked>
      <p className="soft">
        {destination.kind === 'webhook'
          ? 'Sends one signed test event now and shows how your receiver responds.'
          : `Sends one test message now and shows how ${KIND_WORDS[destination.kind]} responds.`}
      </p>
      <TrySending destination={destination} />
    </Card>
  )
}

function DestinationSecret({ id }: { id: number }) {
  const rotate = useRotateSecret(id)
  return (
    <Card title="Signing secret" stacked>
      {rotate.data ? (
        <ShownOnce
          title="The new signing secret"
          secret={rotate.data.secret}
          what="the new signing secret"
          warning="We show it only once."
          onKept={() => rotate.reset()}
        >
          <p>
            We sign with it from now on. Until {showMoment(rotate.data.previous_secret_valid_until)} we also sign with
            the old secret, so you can update your receiver without losing an event.
          </p>
        </ShownOnce>
      ) : (
        <p className="soft">
          We showed it when you added the destination. If you lost it or someone else knows it, replace it.
        </p>
      )}
      <HowToVerify />
      <div className="row">
        <ConfirmButton
          text="Replace the secret"
          look="quiet"
          title="Replace the signing secret?"
          action="Replace the secret"
          change={rotate}
        >
          <p>
            We sign with the new secret at once. For 24 hours we also sign with the old one. After that, a receiver that
            has only the old secret rejects every event.
          </p>
        </ConfirmButton>
      </div>
    </Card>
  )
}

function RemoveDestination({ destination }: { destination: WebhookDestination }) {
  const [, go] = useLocation()
  const showToast = useToast()
  const remove = useDeleteDestination(destination.id, () => {
    showToast('The destination is deleted.')
    go('/webhooks')
  })
  return (
    <Card title="Delete" stacked>
      <p className="soft">We stop sending, drop pending events and delete the log.</p>
      <div className="row">
        <ConfirmButton
          text="Delete the destination"
          look="danger"
          title="Delete this destination?"
          action="Delete it"
          isFinal
          change={remove}
        >
          <p>
            We drop the pending events for <code>{destination.webhook_url}</code> and delete its log. You cannot undo
            this.
          </p>
        </ConfirmButton>
      </div>
    </Card>
  )
}
