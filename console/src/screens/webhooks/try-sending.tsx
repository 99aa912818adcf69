import type { WebhookDestination, WebhookTrial } from '../../api/bodies.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { useTestEvent } from './deliveries.ts'
import { MessageBody } from './message-body.tsx'
import { KIND_WORDS, whyFailed } from './webhook-words.ts'

/** Sends one event while the person waits. It does not change the health of the destination. */
export function TrySending({ destination: { id, kind } }: { destination: Pick<WebhookDestination, 'id' | 'kind'> }) {
  const trial = useTestEvent(id)
  return (
    <>
      <div className="row">
        <Button busy={trial.isPending} onClick={() => trial.mutate()}>
          {kind === 'webhook' ? 'Send a test event' : 'Send a test message'}
        </Button>
      </div>
      {trial.isError && <Problem error={trial.error} />}
      {trial.data && !trial.isPending && <TrialResult trial={trial.data} kind={kind} />}
    </>
  )
}

function TrialResult({ trial, kind }: { trial: WebhookTrial; kind: WebhookDestination['kind'] }) {
  const accepted =
    kind === 'webhook' ? `It responded with ${trial.status}.` : `${KIND_WORDS[kind]} took it: look into the channel.`
  return (
    <div className={`note ${trial.delivered ? 'good' : 'bad'}`} role="status">
      <strong>{trial.delivered ? 'Received' : 'Not received'}</strong>
      <p>
        {whyFailed(trial) ?? accepted} <span className="nowrap">{trial.duration_ms} ms</span>
      </p>
      <p className="small mono">{trial.event_id}</p>
      <MessageBody title="Response" body={trial.response} />
    </div>
  )
}
