import { useState } from 'react'
import { Confirm } from '../../ui/confirm.tsx'
import { Button, Card } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { showMoment } from '../../ui/words.ts'
import { useRotateSecret } from './destinations.ts'
import { HowToVerify } from './verify-snippet.tsx'

export function DestinationSecret({ id }: { id: number }) {
  const [isAsking, setAsking] = useState(false)
  const rotate = useRotateSecret(id)
  const mutate = () => rotate.mutate(undefined, { onSuccess: () => setAsking(false) })
  return (
    <Card title="Signing secret">
      <div className="stack-small">
        {rotate.data ? (
          <ShownOnce
            title="The new signing secret"
            secret={rotate.data.secret}
            what="the new signing secret"
            warning="It is shown now and never again."
            onKept={() => rotate.reset()}
          >
            <p>
              It signs from now on. Until {showMoment(rotate.data.previous_secret_valid_until)} the old one signs too,
              so that you can move your receiver over without losing an event.
            </p>
          </ShownOnce>
        ) : (
          <p className="soft">
            It was shown when the destination was added. If it is lost or known to others, replace it.
          </p>
        )}
        <HowToVerify />
        <div className="row">
          <Button look="quiet" onClick={() => setAsking(true)}>
            Replace the secret
          </Button>
        </div>
      </div>
      {isAsking && (
        <Confirm
          title="Replace the signing secret?"
          action="Replace the secret"
          change={{ ...rotate, mutate }}
          onClose={() => setAsking(false)}
        >
          <p>
            A new secret signs at once. For 24 hours every event is signed with the old one too; after that, a receiver
            that knows only the old one refuses everything.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
