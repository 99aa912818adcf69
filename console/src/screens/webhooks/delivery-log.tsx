import { useState } from 'react'
import type { WebhookAttempt, WebhookAttempts, WebhookDestination } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/paged.tsx'
import { Badge, Button, Card } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type ResultFilter, useDeliveries, useSendAgain } from './deliveries.ts'
import { MessageBody } from './message-body.tsx'
import { showSecond, showType, whatNow, whyFailed } from './webhook-words.ts'

const RESULTS = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['delivered', 'Delivered'],
] as const

/** Shows every attempt of the last 30 days, page by page. Refreshes every five seconds. */
export function DeliveryLog({ destination }: { destination: WebhookDestination }) {
  const [result, setResult] = useState<ResultFilter>('all')
  const [cursors, setCursors] = useState<string[]>([])
  const log = useDeliveries(destination.id, { cursor: cursors.at(-1) ?? null, result })
  const show = (chosen: ResultFilter) => {
    setCursors([])
    setResult(chosen)
  }
  return (
    <Card
      title="Deliveries"
      aside={<Segments label="Attempts shown" choices={RESULTS} value={result} onChange={show} />}
    >
      <p className="small soft">Every attempt of the last 30 days, newest first.</p>
      <Loaded query={log} what="the deliveries">
        {(page) => (
          <>
            {page.data.length === 0 ? (
              <NothingSent result={result} isMore={page.next_cursor !== null} />
            ) : (
              <Attempts page={page} destination={destination} />
            )}
            <Pager
              newer={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null}
              older={page.next_cursor === null ? null : () => setCursors([...cursors, page.next_cursor ?? ''])}
            />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function NothingSent({ result, isMore }: { result: ResultFilter; isMore: boolean }) {
  if (isMore) return <p className="soft">None among these. Older attempts follow.</p>
  if (result !== 'all') return <p className="soft">No attempt {result === 'failed' ? 'failed' : 'was accepted'}.</p>
  return <p className="soft">No events sent yet. Send a test event, or wait until a company you watch changes.</p>
}

function Attempts({ page, destination }: { page: WebhookAttempts; destination: WebhookDestination }) {
  return (
    <ul className="list attempts">
      {page.data.map((attempt, index) => (
        <Attempt
          key={attempt.id}
          attempt={attempt}
          destination={destination}
          isNewest={page.data.findIndex((each) => each.event_id === attempt.event_id) === index}
        />
      ))}
    </ul>
  )
}

function Attempt(props: { attempt: WebhookAttempt; destination: WebhookDestination; isNewest: boolean }) {
  const { attempt, destination, isNewest } = props
  const problem = whyFailed(attempt)
  const isOver = isNewest && attempt.state !== 'pending'
  const canGoAgain = isOver && attempt.signal_type !== 'test' && destination.status === 'active'
  return (
    <li className="stack-small">
      <div className="row spread">
        <span className="row">
          <Badge tone={problem === null ? 'good' : 'bad'}>{attempt.status ?? 'No response'}</Badge>
          <strong>{showType(attempt.signal_type)}</strong>
          {attempt.replay && <Badge tone="info">Replay</Badge>}
        </span>
        <span className="small soft">
          {showSecond(attempt.started_at)} · attempt {attempt.attempt} · {attempt.duration_ms} ms
        </span>
      </div>
      {problem !== null && (
        <p>
          {problem} <span className="soft">{whatNow(attempt)}</span>
        </p>
      )}
      <div className="row spread">
        <code className="small soft">{attempt.event_id}</code>
        {canGoAgain && <SendAgain id={destination.id} attempt={attempt} />}
      </div>
      <div className="messages">
        <MessageBody title="Request" body={attempt.request} />
        <MessageBody title="Response" body={attempt.response} />
      </div>
    </li>
  )
}

/** Sends one event again with the same id. Receivers recognise the id, so there is no confirmation. */
function SendAgain({ id, attempt }: { id: number; attempt: WebhookAttempt }) {
  const again = useSendAgain(id, attempt)
  const showToast = useToast()
  const send = () =>
    again.mutate(undefined, {
      onSuccess: ({ queued }) => showToast(queued === 1 ? 'Sending the event again.' : 'The event is already queued.'),
      onError: (error) => showToast(error.message),
    })
  return (
    <Button look="plain" small busy={again.isPending} aria-label={`Send again ${attempt.event_id}`} onClick={send}>
      Send again
    </Button>
  )
}
