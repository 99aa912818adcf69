import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { useAccount } from '../../../account.ts'
import type { Bulk, CompanyList, CompanyLists, ImportedCompanies } from '../../../api/bodies.ts'
import { callApi } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Choice, Form, FormEnd, TextField } from '../../../ui/fields.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Button, Problem } from '../../../ui/parts.tsx'
import { plural, showNumber } from '../../../ui/words.ts'
import { ImportOutcome } from '../../../watching/import-outcome.tsx'
import { DEFAULT_LIST, useDeleteList, useLists } from '../../../watching/lists.ts'
import { useWatchlistChanged } from '../../../watching/watchlist.ts'
import { isActive } from '../bulk-jobs.ts'

/** The choice of a list that is not made yet. */
const NEW_LIST = 'new'
const NAME_CHARS_MAX = 80

interface Added {
  list: CompanyList
  /** Made for these companies, so that an undo deletes it. */
  isNew: boolean
  imported: ImportedCompanies
}

/** Puts the companies of a job's matches on a list, and shows what was added. */
export function WatchMatches({ bulk, onClose }: { bulk: Bulk; onClose: () => void }) {
  const lists = useLists()
  const add = useAddMatches(bulk)
  return (
    <Dialog title="Add matches to a watchlist" onClose={onClose}>
      {add.data ? (
        <Done added={add.data} onClose={onClose} />
      ) : (
        <Loaded query={lists} what="your lists">
          {(loaded) => <Chooser bulk={bulk} lists={loaded} add={add} onClose={onClose} />}
        </Loaded>
      )}
    </Dialog>
  )
}

function Chooser(props: {
  bulk: Bulk
  lists: CompanyLists
  add: ReturnType<typeof useAddMatches>
  onClose: () => void
}) {
  const { bulk, lists, add, onClose } = props
  const [chosen, setChosen] = useState(DEFAULT_LIST)
  const [name, setName] = useState((bulk.name ?? '').slice(0, NAME_CHARS_MAX))
  const isNew = chosen === NEW_LIST
  const list = lists.data.find(({ id }) => id === chosen)
  return (
    <Form className="stack" onSubmit={() => add.mutate(list ?? name.trim())}>
      <p>
        Adds the companies of {plural(bulk.counts.matched, 'matched row')}, each once, whatever the table shows now.
        Watching is free.
      </p>
      <Room />
      <Choice
        label="List"
        value={chosen}
        onChange={setChosen}
        options={[
          ...lists.data.map(({ id, name: word, companies }) => [id, `${word} (${showNumber(companies)})`] as const),
          [NEW_LIST, 'A new list'],
        ]}
      />
      {isNew && (
        <TextField
          label="Name of the new list"
          value={name}
          onChange={setName}
          maxLength={NAME_CHARS_MAX}
          placeholder="Key customers"
        />
      )}
      {isActive(bulk) && (
        <p className="small soft">The job still runs. Matches that come later are not added: do this again then.</p>
      )}
      {add.isError && <Problem error={add.error} />}
      <FormEnd busy={add.isPending} disabled={isNew && name.trim() === ''} onCancel={onClose}>
        Add the companies
      </FormEnd>
    </Form>
  )
}

function Room() {
  const { data } = useAccount()
  if (!data) return null
  const { used, limit } = data.watchlist
  return (
    <p className="small soft">
      You watch {showNumber(used)} of the {plural(limit, 'company', 'companies')} of your plan.
    </p>
  )
}

function Done({ added: { list, isNew, imported }, onClose }: { added: Added; onClose: () => void }) {
  const undo = useDeleteList(list, onClose)
  const { counts, limit } = imported
  return (
    <>
      <ImportOutcome imported={imported} what="match" />
      {counts.limit_reached > 0 && (
        <p className="small">
          Your plan has room for {plural(limit, 'company', 'companies')}. Remove some, or ask for a larger plan.
        </p>
      )}
      {undo.isError && <Problem error={undo.error} />}
      <div className="row">
        <Link className="button" href={`/watchlist?list=${encodeURIComponent(list.id)}`}>
          Open “{list.name}”
        </Link>
        <Button look="quiet" onClick={onClose}>
          Done
        </Button>
        {isNew && (
          <Button look="plain" busy={undo.isPending} onClick={() => undo.mutate()}>
            Undo: delete this list
          </Button>
        )}
      </div>
    </>
  )
}

/** Takes a list, or the name of one to make first. */
function useAddMatches(bulk: Bulk) {
  const refresh = useWatchlistChanged()
  // A second try after a failure uses the list that the first one made.
  const made = useRef<CompanyList | null>(null)
  return useMutation({
    mutationFn: async (target: CompanyList | string): Promise<Added> => {
      const isNew = typeof target === 'string'
      const list = isNew ? await makeOnce(target) : target
      const path = `/v1/watchlists/${encodeURIComponent(list.id)}/import`
      const body = { bulk_id: bulk.id }
      return { list, isNew, imported: await callApi<ImportedCompanies>('POST', path, { body, isOnce: true }) }
    },
    onSettled: () => refresh(),
  })

  async function makeOnce(name: string): Promise<CompanyList> {
    if (made.current?.name === name) return made.current
    made.current = await callApi<CompanyList>('POST', '/v1/watchlists', { body: { name }, isOnce: true })
    return made.current
  }
}
