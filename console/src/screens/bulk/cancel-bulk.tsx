import { useState } from 'react'
import type { Bulk } from '../../api/bodies.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural } from '../../ui/words.ts'
import { useChangeBulk } from './bulk-jobs.ts'

export function CancelBulk({ bulk }: { bulk: Bulk }) {
  const [isAsking, setAsking] = useState(false)
  const showToast = useToast()
  const cancel = useChangeBulk(bulk.id, 'cancel', () => {
    setAsking(false)
    showToast('Cancelled. Rows in progress still finish.')
  })
  return (
    <>
      <Button look="quiet" small onClick={() => setAsking(true)}>
        Cancel the bulk job
      </Button>
      {isAsking && (
        <Confirm
          title="Cancel this bulk job?"
          action="Cancel the bulk job"
          look="danger"
          otherwise="Keep it running"
          change={cancel}
          onClose={() => setAsking(false)}
        >
          <p>
            We will not resolve {plural(bulk.counts.waiting, 'queued row')}. You keep the results you have, and you can
            resume the job later.
          </p>
        </Confirm>
      )}
    </>
  )
}
