import { type FormEvent, useState } from 'react'
import type { Replay } from '../../api/bodies.ts'
import { Button, Card, Field, Problem } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { type ReplayRequest, useReplay } from './deliveries.ts'

type Only = 'any' | 'failed' | 'missing'

export function ReplayForm({ id, isDisabled }: { id: number; isDisabled: boolean }) {
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [only, setOnly] = useState<Only>('missing')
  const replay = useReplay(id)
  const request: ReplayRequest = { since: toTime(since), until: toTime(until), only: only === 'any' ? undefined : only }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    replay.mutate(request)
  }
  return (
    <Card title="Replay">
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          Sends events of the last 30 days again with the same ids, so your receiver can recognise duplicates.
        </p>
        <Field label="Which events">
          {(field) => (
            <select {...field} value={only} onChange={(event) => setOnly(event.target.value as Only)}>
              <option value="missing">Missed while it was disabled</option>
              <option value="failed">Failed after all attempts</option>
              <option value="any">All, including received ones</option>
            </select>
          )}
        </Field>
        <div className="columns tight">
          <TimeField label="Happened since" value={since} onChange={setSince} />
          <TimeField label="Happened before" value={until} onChange={setUntil} />
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
      </form>
    </Card>
  )
}

function TimeField(props: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Field label={props.label} hint="Optional">
      {(field) => (
        <input
          {...field}
          type="datetime-local"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
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
