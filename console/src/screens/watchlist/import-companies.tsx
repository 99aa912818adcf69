import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Bulk, ImportedCompanies } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Choice } from '../../ui/fields.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { ImportOutcome } from '../../watching/import-outcome.tsx'
import { useWatchlistChanged } from '../../watching/watchlist.ts'

/** Puts the companies of a file, or of a bulk job’s matches, on the chosen list. */
export function ImportCompanies({ list }: { list: string }) {
  const [isOpen, setOpen] = useState(false)
  const [bulk, setBulk] = useState('')
  const refresh = useWatchlistChanged()
  const add = useMutation({
    mutationFn: (body: Blob | { bulk_id: string }) =>
      callApi<ImportedCompanies>('POST', `/v1/watchlists/${list}/import`, {
        body,
        isOnce: true,
        ...(body instanceof Blob ? { headers: { 'content-type': 'text/csv' } } : {}),
      }),
    onSuccess: () => refresh(),
  })
  const jobs = useQuery({
    queryKey: ['bulk', 'for-import'],
    enabled: isOpen,
    queryFn: ({ signal }) => callApi<{ data: Bulk[] }>('GET', '/v1/bulk', { query: { limit: 50 }, signal }),
  })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Import from a file or a bulk job</summary>
      <div className="stack-small many">
        <Field
          label="CSV or Excel file"
          hint="With a column of company numbers. Columns named note (up to 2,000 characters) and tags replace what a company has; others are ignored."
        >
          {(field) => (
            <input
              {...field}
              type="file"
              accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
              disabled={add.isPending}
              onChange={(event) => {
                const file = event.target.files?.[0]
                // The service reads what a file is from its bytes, and takes this type only.
                if (file) add.mutate(new Blob([file], { type: 'text/csv' }))
                event.target.value = ''
              }}
            />
          )}
        </Field>
        {jobs.data && jobs.data.data.length > 0 && (
          <div className="row end">
            <div className="grow">
              <Choice
                label="Matches of a bulk job"
                value={bulk}
                onChange={setBulk}
                options={[
                  ['', 'Choose a bulk job'],
                  ...jobs.data.data.map(
                    ({ id, name, counts }) =>
                      [id, `${name ?? id}: ${plural(counts.matched, 'match', 'matches')}`] as const,
                  ),
                ]}
              />
            </div>
            <Button busy={add.isPending} disabled={bulk === ''} onClick={() => add.mutate({ bulk_id: bulk })}>
              Import
            </Button>
          </div>
        )}
        {add.isError && <Problem error={add.error} />}
        {add.data && <ImportOutcome imported={add.data} what="row" />}
      </div>
    </details>
  )
}
