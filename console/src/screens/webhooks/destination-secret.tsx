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
            We sign with the new secret at once. For 24 hours we also sign with the old one. After that, a receiver that
            has only the old secret rejects every event.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
