import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkPreflight } from '../../api/bodies.ts'
import { newIdempotencyKey } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { plural, showNumber } from '../../ui/words.ts'
import { type BulkWish, usePreflight, useStartBulk } from './bulks.ts'
import { PreflightRows } from './preflight-rows.tsx'
import type { Table } from './table.ts'

const NAME_LENGTH_MAX = 200

/** What the list comes to, what it can cost, and the button that starts it. */
export function PreflightCheck({ table }: { table: Table }) {
  const preflight = usePreflight(table)
  return (
    <Loaded query={preflight} what="what the list comes to">
      {(checked) => (
        <div className="stack">
          <PreflightRows preflight={checked} />
          <Cost preflight={checked} />
          <Start table={table} preflight={checked} />
        </div>
      )}
    </Loaded>
  )
}

function Cost({ preflight }: { preflight: BulkPreflight }) {
  const { credits_max: most, credits_available: available, enough_credits: isEnough } = preflight
  const has = `you have ${showNumber(available)} to spend`
  if (most === 0) {
    return (
      <div className="note good">
        <strong>It costs nothing</strong>
        <p>
          {preflight.unique_domains === 0 ? 'There is no domain to ask for.' : 'You have paid for all of it already.'}
        </p>
      </div>
    )
  }
  return (
    <div className={`note ${isEnough ? 'good' : 'warn'}`}>
      <strong>
        It costs at most {plural(most, 'credit')}; {has}
      </strong>
      <p>
        Only matches are charged, so it is usually less.
        {!isEnough &&
          available > 0 &&
          ' If the credits run out it pauses, loses nothing, and goes on when you resume it.'}
        {available === 0 && ' It needs at least one credit to start.'}
      </p>
    </div>
  )
}

function Start({ table, preflight }: { table: Table; preflight: BulkPreflight }) {
  const [wish, setWish] = useState<BulkWish>(() => toWish(table.name))
  const [, go] = useLocation()
  const say = useSay()
  const start = useStartBulk(table, ({ id, counts }) => {
    say(`Started: ${plural(counts.total, 'row')}.`)
    go(`/bulk/${id}`)
  })
  const cannotPay = preflight.credits_max > 0 && preflight.credits_available === 0
  return (
    <form
      className="stack-small"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate(wish)
      }}
    >
      <div className="row end">
        <div className="grow">
          <Field label="Name, to find it again (optional)">
            {(field) => (
              <input
                {...field}
                value={wish.name}
                onChange={(event) => setWish(toWish(event.target.value))}
                maxLength={NAME_LENGTH_MAX}
                autoComplete="off"
              />
            )}
          </Field>
        </div>
        <Button type="submit" busy={start.isPending} disabled={cannotPay}>
          Start {plural(preflight.unique_domains, 'domain')}
        </Button>
      </div>
      {start.isError && <Problem error={start.error} />}
    </form>
  )
}

function toWish(name: string): BulkWish {
  return { name: name.slice(0, NAME_LENGTH_MAX), key: newIdempotencyKey() }
}
