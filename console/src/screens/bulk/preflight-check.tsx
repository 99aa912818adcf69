import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkPreflight } from '../../api/bodies.ts'
import { newIdempotencyKey } from '../../api/client.ts'
import { Form, TextField } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural, showNumber } from '../../ui/words.ts'
import { type BulkStart, usePreflight, useStartBulk } from './bulk-jobs.ts'
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
    <Form className="stack-small" onSubmit={() => start.mutate(options)}>
      <div className="row end">
        <div className="grow">
          <TextField
            label="Job name (optional)"
            value={options.name}
            onChange={(name) => setOptions(toStart(name))}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
          />
        </div>
        <Button type="submit" busy={start.isPending} disabled={cannotPay}>
          Start {plural(preflight.unique_domains, 'domain')}
        </Button>
      </div>
      {start.isError && <Problem error={start.error} />}
    </Form>
  )
}

function toStart(name: string): BulkStart {
  return { name: name.slice(0, NAME_LENGTH_MAX), key: newIdempotencyKey() }
}

/** Shows how many rows are valid, and which domains already have an answer. */
function PreflightRows({ preflight }: { preflight: BulkPreflight }) {
  const { already_known: known, already_paid: paid, unique_domains: domains } = preflight
  return (
    <div className="stack">
      <table className="outcome-counts">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          <Line count={domains} word="Domains to resolve" note={noteOf(known, paid)} />
          <Line count={preflight.duplicates} word="Duplicates" note="resolved once" />
          <Line count={preflight.invalid} word="Invalid rows" note="skipped" />
          <Line count={preflight.free_mail} word="Free e-mail addresses" note="skipped: not a company’s own domain" />
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="number">{showNumber(preflight.rows)}</td>
          </tr>
        </tfoot>
      </table>
      <Examples title="without a valid domain" count={preflight.invalid} examples={preflight.examples.invalid} />
      <Examples
        title="with a free e-mail address"
        count={preflight.free_mail}
        examples={preflight.examples.free_mail}
      />
    </div>
  )
}

function noteOf(known: number, paid: number): string {
  const notes = [
    ...(known > 0 ? [`${showNumber(known)} already have an answer`] : []),
    ...(paid > 0 ? [`${showNumber(paid)} already paid, so free`] : []),
  ]
  return notes.join(', ')
}

function Line({ count, word, note }: { count: number; word: string; note: string }) {
  return (
    <tr>
      <th scope="row">
        {word} {count > 0 && note !== '' && <span className="soft">{note}</span>}
      </th>
      <td className="number">{showNumber(count)}</td>
    </tr>
  )
}

function Examples(props: { title: string; count: number; examples: BulkPreflight['examples']['invalid'] }) {
  const { title, count, examples } = props
  if (count === 0) return null
  return (
    <details>
      <summary>
        {count > examples.length
          ? `The first ${examples.length} of ${plural(count, 'row')} ${title}`
          : `${plural(count, 'row')} ${title}`}
      </summary>
      <ul className="list small">
        {examples.map(({ row, input, message }) => (
          <li key={row}>
            <span className="soft">Row {showNumber(row)}</span> <code>{input === '' ? '(empty)' : input}</code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
    </details>
  )
}
