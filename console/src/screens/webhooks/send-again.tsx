import type { WebhookAttempt } from '../../api/bodies.ts'
import { Button } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useSendAgain } from './deliveries.ts'

/** Sends one event again with the same id. Receivers recognise the id, so there is no confirmation. */
export function SendAgain({ id, attempt }: { id: number; attempt: WebhookAttempt }) {
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
