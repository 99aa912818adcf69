import { useState } from 'react'
import { Link } from 'wouter'
import type { CompanyList, ListEntry } from '../../api/bodies.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Form, TextArea, TextField } from '../../ui/fields.tsx'
import { Badge, Button, Problem } from '../../ui/parts.tsx'
import { toneOfSeverity } from '../../ui/tones.ts'
import { showDay } from '../../ui/words.ts'
import { useChangeNote, useTakeOff } from '../../watching/lists.ts'
import { UnwatchButton } from '../../watching/unwatch-button.tsx'

/** A company on the watchlist, with the note and tags of the account. */
export function Entry({ entry, list }: { entry: ListEntry; list: CompanyList | undefined }) {
  const { company_number: number, company_name: name, latest_signal: latest, note, tags } = entry
  const [isEditing, setEditing] = useState(false)
  return (
    <li className="watched-entry">
      <div className="watched-what">
        <div className="row tight">
          <Link href={`/companies/${number}`}>
            <strong>{name}</strong>
          </Link>
          <StatusBadge company={entry} unknown="Left the register" />
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </div>
        <p className="small soft">
          <span className="mono">{number}</span> · watched since {showDay(entry.watched_at)}
        </p>
        {latest ? (
          <p className="small watched-latest">
            <Badge tone={toneOfSeverity(latest.severity)}>{showDay(latest.occurred_on)}</Badge>
            <span>{latest.summary}</span>
          </p>
        ) : (
          <p className="small soft">No changes recorded yet.</p>
        )}
        {note !== '' && !isEditing && <p className="small watched-note">{note}</p>}
        {isEditing && <NoteForm entry={entry} onDone={() => setEditing(false)} />}
      </div>
      <div className="row tight">
        {!isEditing && (
          <Button look="quiet" small aria-label={`Note and tags of ${name}`} onClick={() => setEditing(true)}>
            Note
          </Button>
        )}
        {list ? <TakeOff entry={entry} list={list} /> : <UnwatchButton company={{ number, name }} small />}
      </div>
    </li>
  )
}

function TakeOff({ entry, list }: { entry: ListEntry; list: CompanyList }) {
  const takeOff = useTakeOff(list, entry)
  return (
    <>
      <Button
        look="quiet"
        small
        busy={takeOff.isPending}
        aria-label={`Take off ${entry.company_name}`}
        onClick={() => takeOff.mutate()}
      >
        Take off
      </Button>
      {takeOff.isError && <Problem error={takeOff.error} />}
    </>
  )
}

function NoteForm({ entry, onDone }: { entry: ListEntry; onDone: () => void }) {
  const [note, setNote] = useState(entry.note)
  const [tags, setTags] = useState(entry.tags.join(', '))
  const change = useChangeNote(entry, onDone)
  const read = tags.split(',').flatMap((tag) => tag.trim() || [])
  return (
    <Form className="stack-small" onSubmit={() => change.mutate({ note: note.trim(), tags: read })}>
      <TextArea label="Note" value={note} onChange={setNote} rows={3} maxLength={2_000} />
      <TextField
        label="Tags"
        hint="Separated by commas."
        value={tags}
        onChange={setTags}
        placeholder="renewal, north"
      />
      {change.isError && <Problem error={change.error} />}
      <div className="row tight">
        <Button type="submit" small busy={change.isPending}>
          Save
        </Button>
        <Button look="quiet" small onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
