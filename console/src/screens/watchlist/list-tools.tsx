import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CompanyList, CompanyLists } from '../../api/bodies.ts'
import { fetchFile } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Form, FormEnd, TextField } from '../../ui/fields.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showNumber } from '../../ui/words.ts'
import { ALL_LISTS, useDeleteList, useMakeList, useRenameList } from '../../watching/lists.ts'

export const FILTERS = ['list', 'tag', 'q'] as const
export type ListFilter = Partial<Record<(typeof FILTERS)[number], string>>

interface Props {
  lists: CompanyLists | undefined
  filter: ListFilter
  onChange: (part: ListFilter | null) => void
}

/** Chooses the list and narrows it. */
export function ListTools({ lists, filter, onChange }: Props) {
  const list = lists?.data.find(({ id }) => id === filter.list)
  return (
    <div className="list-tools">
      <Choice
        label="List"
        value={filter.list ?? ALL_LISTS}
        onChange={(id) => onChange({ list: id === ALL_LISTS ? '' : id })}
        options={[
          [ALL_LISTS, 'All companies'],
          ...(lists?.data.map(({ id, name, companies }) => [id, `${name} (${showNumber(companies)})`] as const) ?? []),
        ]}
      />
      {lists && lists.tags.length > 0 && (
        <Choice
          label="Tag"
          value={filter.tag ?? ''}
          onChange={(tag) => onChange({ tag })}
          options={[
            ['', 'All tags'],
            ...lists.tags.map(({ tag, companies }) => [tag, `${tag} (${companies})`] as const),
          ]}
        />
      )}
      <FindField value={filter.q ?? ''} onSettle={(q) => onChange({ q })} />
      <div className="list-buttons row tight">
        <Download filter={filter} />
        <NewList onMade={(id) => onChange({ list: id, tag: '', q: '' })} />
        {list && <Rename key={list.id} list={list} />}
        {list && !list.is_default && <Delete list={list} onDone={() => onChange({ list: '' })} />}
      </div>
    </div>
  )
}

const SETTLE_MS = 350

/** The list is asked once the person stops typing. */
function FindField({ value, onSettle }: { value: string; onSettle: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onSettle(typed.trim()), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSettle])
  return <TextField label="Find" value={typed} onChange={setTyped} placeholder="name, number or note" />
}

/** Saves the companies that the screen shows, with their notes and tags. */
function Download({ filter: { list = ALL_LISTS, ...query } }: { filter: ListFilter }) {
  const save = useMutation({
    mutationFn: () => fetchFile(`/v1/watchlists/${encodeURIComponent(list)}/export`, { query }),
    onSuccess: (file) => saveFile(file, 'companies.csv'),
  })
  return (
    <>
      <Button look="quiet" small busy={save.isPending} onClick={() => save.mutate()}>
        Download CSV
      </Button>
      {save.isError && <Problem error={save.error} />}
    </>
  )
}

function NewList({ onMade }: { onMade: (id: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const make = useMakeList((id) => {
    setOpen(false)
    onMade(id)
  })
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        New list
      </Button>
      {isOpen && (
        <NameDialog title="New list" action="Make the list" name="" change={make} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function Rename({ list }: { list: CompanyList }) {
  const [isOpen, setOpen] = useState(false)
  const rename = useRenameList(list, () => setOpen(false))
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        Rename
      </Button>
      {isOpen && (
        <NameDialog
          title={`Rename “${list.name}”`}
          action="Rename"
          name={list.name}
          change={rename}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function NameDialog(props: {
  title: string
  action: string
  name: string
  change: { mutate: (name: string) => void; isPending: boolean; isError: boolean; error: unknown }
  onClose: () => void
}) {
  const { title, action, change, onClose } = props
  const [name, setName] = useState(props.name)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className="stack-small" onSubmit={() => change.mutate(name.trim())}>
        <TextField label="Name" value={name} onChange={setName} maxLength={80} placeholder="Key customers" />
        {change.isError && <Problem error={change.error} />}
        <FormEnd busy={change.isPending} disabled={name.trim() === ''} onCancel={onClose}>
          {action}
        </FormEnd>
      </Form>
    </Dialog>
  )
}

function Delete({ list, onDone }: { list: CompanyList; onDone: () => void }) {
  return (
    <ConfirmButton
      text="Delete list"
      look="quiet"
      small
      title={`Delete “${list.name}”?`}
      action="Delete the list"
      isFinal
      change={useDeleteList(list, onDone)}
    >
      <p>
        You stop watching the companies that are on no other list. Their notes and signals go with them, and so do the
        destinations for this list in Slack, Teams or elsewhere.
      </p>
    </ConfirmButton>
  )
}
