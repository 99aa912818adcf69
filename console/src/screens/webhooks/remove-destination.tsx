import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WebhookDestination } from '../../api/bodies.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button, Card } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { useDeleteDestination } from './destinations.ts'

export function RemoveDestination({ destination }: { destination: WebhookDestination }) {
  const [isAsking, setAsking] = useState(false)
  const [, go] = useLocation()
  const say = useSay()
  const remove = useDeleteDestination(destination.id, () => {
    say('The destination is deleted.')
    go('/webhooks')
  })
  return (
    <Card title="Delete">
      <div className="stack-small">
        <p className="soft">Nothing more is sent, what waits is dropped, and the log goes with it.</p>
        <div className="row">
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete the destination
          </Button>
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Delete this destination?"
          action="Delete it"
          look="danger"
          change={remove}
          onClose={() => setAsking(false)}
        >
          <p>
            Events for <code>{destination.webhook_url}</code> that are on their way are dropped, and its log is gone.
            This cannot be taken back.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
