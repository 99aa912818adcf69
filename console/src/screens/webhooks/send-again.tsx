import type { WebhookAttempt } from '../../api/bodies.ts'
import { Button } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { useSendAgain } from './deliveries.ts'

/** One event of the log again, with its own id: a receiver that looks at ids does nothing twice, so nobody is asked first. */
export function SendAgain({ id, attempt }: { id: number; attempt: WebhookAttempt }) {
  const again = useSendAgain(id, attempt)
  const say = useSay()
  const send = () =>
    again.mutate(undefined, {
      onSuccess: ({ queued }) =>
        say(queued === 1 ? 'The event is on its way again.' : 'The event is on its way already.'),
      onError: (error) => say(error.message),
    })
  return (
    <Button look="plain" small busy={again.isPending} aria-label={`Send again ${attempt.event_id}`} onClick={send}>
      Send again
    </Button>
  )
}
