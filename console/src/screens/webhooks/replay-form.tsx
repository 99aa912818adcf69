import { type FormEvent, useState } from 'react'
import type { Replay } from '../../api/bodies.ts'
import { Button, Card, Field, Problem } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { type ReplayWish, useReplay } from './deliveries.ts'

type Only = 'any' | 'failed' | 'missing'

export function ReplayForm({ id, isDisabled }: { id: number; isDisabled: boolean }) {
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [only, setOnly] = useState<Only>('missing')
  const replay = useReplay(id)
  const wish: ReplayWish = { since: toTime(since), until: toTime(until), only: only === 'any' ? undefined : only }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    replay.mutate(wish)
  }
  return (
    <Card title="Replay">
      <form className="stack" onSubmit={submit}>
        <p className="soft">
          Sends events of the last 30 days again, each with its own id, so that your receiver knows those it has.
        </p>
        <Field label="Which">
          {(field) => (
            <select {...field} value={only} onChange={(event) => setOnly(event.target.value as Only)}>
              <option value="missing">Missed while it was disabled</option>
              <option value="failed">Given up on after every attempt</option>
              <option value="any">All of them, also those received</option>
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
              onClick={() => replay.mutate({ ...wish, cursor: replay.data.next_cursor ?? undefined })}
            >
              Replay the next
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
    <Field label={props.label} hint="Empty: no bound">
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
  const more = result.has_more ? ' There may be more: replay the next.' : ''
  return (
    <div className="note" role="status">
      {result.queued === 0
        ? 'There is nothing of this kind to send again.'
        : `${plural(result.queued, 'event')} on the way again.`}
      {more}
    </div>
  )
}

/** What the person's clock says, as a moment for the API. */
function toTime(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString()
}
