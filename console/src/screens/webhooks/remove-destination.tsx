import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WebhookDestination } from '../../api/bodies.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button, Card } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeleteDestination } from './destinations.ts'

export function RemoveDestination({ destination }: { destination: WebhookDestination }) {
  const [isAsking, setAsking] = useState(false)
  const [, go] = useLocation()
  const showToast = useToast()
  const remove = useDeleteDestination(destination.id, () => {
    showToast('The destination is deleted.')
    go('/webhooks')
  })
  return (
    <Card title="Delete">
      <div className="stack-small">
        <p className="soft">We stop sending, drop pending events and delete the log.</p>
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
            We drop the pending events for <code>{destination.webhook_url}</code> and delete its log. You cannot undo
            this.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
