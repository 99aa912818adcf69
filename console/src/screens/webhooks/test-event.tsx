import type { WebhookTrial } from '../../api/bodies.ts'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { useTestEvent } from './deliveries.ts'
import { ReceiverAnswer } from './receiver-answer.tsx'
import { whyFailed } from './webhook-words.ts'

/** Sends one event while the person waits. It does not change the health of the destination. */
export function TestEvent({ id }: { id: number }) {
  const trial = useTestEvent(id)
  return (
    <Card title="Test">
      <div className="stack-small">
        <p className="soft">Sends one signed test event now and shows how your receiver responds.</p>
        <div className="row">
          <Button busy={trial.isPending} onClick={() => trial.mutate()}>
            Send a test event
          </Button>
        </div>
        {trial.isError && <Problem error={trial.error} />}
        {trial.data && !trial.isPending && <TrialResult trial={trial.data} />}
      </div>
    </Card>
  )
}

function TrialResult({ trial }: { trial: WebhookTrial }) {
  return (
    <div className={`note ${trial.delivered ? 'good' : 'bad'}`} role="status">
      <strong>{trial.delivered ? 'Received' : 'Not received'}</strong>
      <p>
        {whyFailed(trial) ?? `It responded with ${trial.status}.`}{' '}
        <span className="nowrap">{trial.duration_ms} ms</span>
      </p>
      <p className="small mono">{trial.event_id}</p>
      <ReceiverAnswer response={trial.response} />
    </div>
  )
}
