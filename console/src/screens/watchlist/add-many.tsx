import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BulkWatched } from '../../api/bodies.ts'
import { callApi, newIdempotencyKey } from '../../api/client.ts'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { plural, showNumber } from '../../ui/words.ts'
import { useWatchlistChanged } from '../../watching/watchlist.ts'
import { ManyOutcome } from './many-outcome.tsx'
import { NUMBERS_MAX, readPasted } from './pasted-numbers.ts'

export function AddMany() {
  const [pasted, setPasted] = useState('')
  const refresh = useWatchlistChanged()
  const add = useMutation({
    mutationFn: (numbers: string[]) =>
      callApi<BulkWatched>('POST', '/v1/watchlist/bulk', {
        body: { company_numbers: numbers },
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: () => {
      setPasted('')
      return refresh()
    },
  })
  const numbers = readPasted(pasted)
  const isTooMany = numbers.length > NUMBERS_MAX
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (numbers.length > 0 && !isTooMany) add.mutate(numbers)
  }
  return (
    <details>
      <summary>Add many at once</summary>
      <form className="stack-small many" onSubmit={submit}>
        <Field
          label="Company numbers"
          hint={`One per line or separated by commas, up to ${showNumber(NUMBERS_MAX)}.`}
          problem={isTooMany ? `The list has ${showNumber(numbers.length)}. Send them in smaller groups.` : undefined}
        >
          {(field) => (
            <textarea
              {...field}
              className="mono"
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
              placeholder={'07214938\nSC123456'}
              spellCheck={false}
              rows={5}
            />
          )}
        </Field>
        <div>
          <Button type="submit" busy={add.isPending} disabled={numbers.length === 0 || isTooMany}>
            {numbers.length === 0 ? 'Watch these' : `Watch ${plural(numbers.length, 'company', 'companies')}`}
          </Button>
        </div>
        {add.isError && <Problem error={add.error} />}
        {add.data && <ManyOutcome answer={add.data} />}
      </form>
    </details>
  )
}
