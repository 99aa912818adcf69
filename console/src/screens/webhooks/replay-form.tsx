import { useState } from 'react'
import type { Replay } from '../../api/bodies.ts'
import { Choice, Form, TextField } from '../../ui/fields.tsx'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { type ReplayRequest, useReplay } from './deliveries.ts'

type Only = (typeof WHICH)[number][0]

const WHICH = [
  ['missing', 'Missed while it was disabled'],
  ['failed', 'Failed after all attempts'],
  ['any', 'All, including received ones'],
] as const
const TIME = { type: 'datetime-local', hint: 'Optional' } as const

export function ReplayForm({ id, isDisabled }: { id: number; isDisabled: boolean }) {
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [only, setOnly] = useState<Only>('missing')
  const replay = useReplay(id)
  const request: ReplayRequest = { since: toTime(since), until: toTime(until), only: only === 'any' ? undefined : only }
  return (
    <Card title="Replay">
      <Form className="stack" onSubmit={() => replay.mutate(request)}>
        <p className="soft">
          Sends events of the last 30 days again with the same ids, so your receiver can recognise duplicates.
        </p>
        <Choice label="Which events" value={only} onChange={setOnly} options={WHICH} />
        <div className="columns tight">
          <TextField {...TIME} label="Happened since" value={since} onChange={setSince} />
          <TextField {...TIME} label="Happened before" value={until} onChange={setUntil} />
        </div>
        {replay.isError && <Problem error={replay.error} />}
        {replay.data && !replay.isPending && <Replayed result={replay.data} />}
        <div className="row">
          <Button type="submit" look="quiet" busy={replay.isPending} disabled={isDisabled}>
            Replay
          </Button>
          {replay.data?.next_cursor && (
            <Button
              look="quiet"
              onClick={() => replay.mutate({ ...request, cursor: replay.data.next_cursor ?? undefined })}
            >
              Replay more
            </Button>
          )}
          {isDisabled && <span className="small soft">Enable the destination first.</span>}
        </div>
      </Form>
    </Card>
  )
}

function Replayed({ result }: { result: Replay }) {
  const more = result.has_more ? ' There may be more.' : ''
  return (
    <div className="note" role="status">
      {result.queued === 0
        ? 'There are no such events to send again.'
        : `Sending ${plural(result.queued, 'event')} again.`}
      {more}
    </div>
  )
}

/** Converts a local time to the API's format. */
function toTime(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString()
}
