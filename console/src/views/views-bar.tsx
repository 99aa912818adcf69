import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { SavedView } from '../api/bodies.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormEnd, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Button, Problem } from '../ui/parts.tsx'
import { useToast } from '../ui/toast.tsx'
import { addressOf, toFilter, useRemoveView, useSaveView, useViews } from './views.ts'
import './views.css'

const NAME_LENGTH_MAX = 60

/** The saved views of a list, above it, and a button that saves its filter. Absent while there is neither a view nor a filter. */
export function ViewsBar({ path }: { path: string }) {
  const query = toFilter(path, useSearch())
  const { data } = useViews()
  const remove = useRemoveView()
  const [isSaving, setSaving] = useState(false)
  const views = data?.data.filter((view) => view.path === path) ?? []
  const isSaved = views.some((view) => isSame(view.query, query))
  if (views.length === 0 && query === '') return null
  return (
    <div className="views-bar">
      {views.length > 0 && (
        <ul aria-label="Saved views">
          {views.map((view) => (
            <li key={view.id}>
              <Link href={addressOf(view)} aria-current={isSame(view.query, query) ? 'true' : undefined}>
                {view.name}
              </Link>
              <button type="button" aria-label={`Remove the view ${view.name}`} onClick={() => remove.mutate(view)}>
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {query !== '' && !isSaved && data && (
        <Button look="quiet" small onClick={() => setSaving(true)}>
          Save this view
        </Button>
      )}
      {isSaving && <SaveDialog path={path} query={query} views={views} onClose={() => setSaving(false)} />}
    </div>
  )
}

/** True for the same filter, in whatever order. */
function isSame(one: string, other: string): boolean {
  const sorted = (query: string) =>
    [...new URLSearchParams(query)]
      .map((pair) => pair.join('='))
      .sort()
      .join('&')
  return sorted(one) === sorted(other)
}

function SaveDialog(props: { path: string; query: string; views: SavedView[]; onClose: () => void }) {
  const { path, query, views, onClose } = props
  const [name, setName] = useState('')
  const showToast = useToast()
  const save = useSaveView((view) => {
    showToast(`The view “${view.name}” is saved.`)
    onClose()
  })
  const isTaken = views.some((view) => view.name === name.trim())
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <Form
        className="stack"
        onSubmit={() => {
          if (name.trim() !== '') save.mutate({ name: name.trim(), path, query })
        }}
      >
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={NAME_LENGTH_MAX}
          placeholder="Names without numbers"
          hint={
            isTaken
              ? 'This replaces the view of the same name.'
              : 'The list with its filter, above it and in “Find anything”.'
          }
        />
        {save.isError && <Problem error={save.error} />}
        <FormEnd busy={save.isPending} disabled={name.trim() === ''} onCancel={onClose}>
          {isTaken ? 'Replace it' : 'Save'}
        </FormEnd>
      </Form>
    </Dialog>
  )
}
