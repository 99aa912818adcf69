import { useState } from 'react'
import type { Bulk } from '../../api/bodies.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Button } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { plural } from '../../ui/words.ts'
import { useChangeBulk } from './bulks.ts'

export function CancelBulk({ bulk }: { bulk: Bulk }) {
  const [isAsking, setAsking] = useState(false)
  const say = useSay()
  const cancel = useChangeBulk(bulk.id, 'cancel', () => {
    setAsking(false)
    say('Cancelled. What is being read still comes to its end.')
  })
  return (
    <>
      <Button look="quiet" small onClick={() => setAsking(true)}>
        Cancel the bulk
      </Button>
      {isAsking && (
        <Confirm
          title="Cancel this bulk?"
          action="Cancel the bulk"
          look="danger"
          otherwise="Let it run"
          change={cancel}
          onClose={() => setAsking(false)}
        >
          <p>
            {plural(bulk.counts.waiting, 'row that waits', 'rows that wait')} will not be asked for. Answers that are
            there stay, and you can resume it later.
          </p>
        </Confirm>
      )}
    </>
  )
}
