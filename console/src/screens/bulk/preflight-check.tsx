import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkPreflight } from '../../api/bodies.ts'
import { newIdempotencyKey } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural, showNumber } from '../../ui/words.ts'
import { type BulkStart, usePreflight, useStartBulk } from './bulk-jobs.ts'
import { PreflightRows } from './preflight-rows.tsx'
import type { Table } from './table.ts'

const NAME_LENGTH_MAX = 200

/** Shows the check of the list, its maximum cost and the start button. */
export function PreflightCheck({ table }: { table: Table }) {
  const preflight = usePreflight(table)
  return (
    <Loaded query={preflight} what="the check of your list">
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
  const has = `you have ${showNumber(available)} available`
  if (most === 0) {
    return (
      <div className="note good">
        <strong>This list is free</strong>
        <p>
          {preflight.unique_domains === 0
            ? 'The list has no domains to resolve.'
            : 'You have already paid for every domain in it.'}
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
        You pay only for matches, so it usually costs less.
        {!isEnough &&
          available > 0 &&
          ' If your credits run out, the job pauses. Nothing is lost, and you can resume it later.'}
        {available === 0 && ' You need at least one credit to start.'}
      </p>
    </div>
  )
}

function Start({ table, preflight }: { table: Table; preflight: BulkPreflight }) {
  const [options, setOptions] = useState<BulkStart>(() => toStart(table.name))
  const [, go] = useLocation()
  const showToast = useToast()
  const start = useStartBulk(table, ({ id, counts }) => {
    showToast(`Started: ${plural(counts.total, 'row')}.`)
    go(`/bulk/${id}`)
  })
  const cannotPay = preflight.credits_max > 0 && preflight.credits_available === 0
  return (
    <form
      className="stack-small"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate(options)
      }}
    >
      <div className="row end">
        <div className="grow">
          <Field label="Job name (optional)">
            {(field) => (
              <input
                {...field}
                value={options.name}
                onChange={(event) => setOptions(toStart(event.target.value))}
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

function toStart(name: string): BulkStart {
  return { name: name.slice(0, NAME_LENGTH_MAX), key: newIdempotencyKey() }
}
