import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkFile, BulkPreflight } from '../../api/bodies.ts'
import { newIdempotencyKey } from '../../api/client.ts'
import { Form, TextField } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { useToast } from '../../ui/toast.tsx'
import { plural, showNumber } from '../../ui/words.ts'
import { type BulkStart, type MappedFile, usePreflight, useStartBulk } from './bulk-jobs.ts'
import type { Mapping } from './file-in/mapping.ts'

const NAME_LENGTH_MAX = 200

/** Shows the check of the rows, the maximum cost and the start button. */
export function PreflightCheck({ file, mapping }: { file: BulkFile; mapping: Mapping }) {
  const mapped: MappedFile = {
    file_id: file.id,
    sheet: file.sheet,
    header_rows: file.header_rows,
    columns: mapping,
  }
  const preflight = usePreflight(mapped)
  return (
    <Loaded query={preflight} what="the check of your rows">
      {(checked) => (
        <div className="columns">
          <PreflightRows preflight={checked} />
          <div className="stack">
            <Cost preflight={checked} />
            <Start name={jobNameOf(file)} mapped={mapped} preflight={checked} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function jobNameOf({ name, sheet, sheets }: BulkFile): string {
  const plain = (name ?? '').replace(/\.[^.]+$/, '')
  return sheets.length > 1 ? `${plain} – ${sheet}` : plain
}

function Cost({ preflight }: { preflight: BulkPreflight }) {
  const { credits_max: most, credits_available: available, enough_credits: isEnough } = preflight
  const has = `you have ${showNumber(available)} available`
  if (most === 0) {
    return (
      <div className="note good">
        <strong>This file is free</strong>
        <p>{whyFree(preflight)}</p>
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

function whyFree({ unique_domains: domains, numbers, names }: BulkPreflight): string {
  if (domains > 0) return 'You have already paid for every domain in it.'
  return numbers + names > 0
    ? 'We find companies by number and by name in the register, which costs nothing.'
    : 'The file has nothing to resolve.'
}

function Start(props: { name: string; mapped: MappedFile; preflight: BulkPreflight }) {
  const { name, mapped, preflight } = props
  const [options, setOptions] = useState<BulkStart>(() => toStart(name))
  const [, go] = useLocation()
  const showToast = useToast()
  const start = useStartBulk(mapped, ({ id, counts }) => {
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
            onChange={(typed) => setOptions(toStart(typed))}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
          />
        </div>
        <Button type="submit" busy={start.isPending} disabled={cannotPay}>
          Start {plural(toDoOf(preflight), 'row')}
        </Button>
      </div>
      {start.isError && <Problem error={start.error} />}
    </Form>
  )
}

const toDoOf = ({ unique_domains: domains, numbers, names }: BulkPreflight) => domains + numbers + names

function toStart(name: string): BulkStart {
  return { name: name.slice(0, NAME_LENGTH_MAX), key: newIdempotencyKey() }
}

/** Shows how many rows are valid, and which domains already have an answer. The lines add up to the rows of the file. */
function PreflightRows({ preflight }: { preflight: BulkPreflight }) {
  const { already_known: known, already_paid: paid, unique_domains: domains, numbers, names } = preflight
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
          <Line count={domains} word="Domains to resolve" note={noteOf(known, paid)} always={numbers + names === 0} />
          <Line count={numbers} word="Company numbers" note="looked up in the register, free" />
          <Line count={names} word="Company names" note="compared with the register, free" />
          <Line count={preflight.duplicates} word="Duplicates" note="resolved once" always />
          <Line count={preflight.invalid} word="Invalid rows" note="skipped, but kept in your results" always />
          <Line
            count={preflight.free_mail}
            word="Free e-mail addresses"
            note="skipped: not a company’s own domain"
            always
          />
          <Line count={preflight.empty} word="Rows with nothing to use" note="skipped, but kept in your results" />
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="number">{showNumber(preflight.rows)}</td>
          </tr>
        </tfoot>
      </table>
      <Examples title="that cannot be used" count={preflight.invalid} examples={preflight.examples.invalid} />
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

/** A line with no rows is left out, unless people look for it. */
function Line(props: { count: number; word: string; note: string; always?: boolean }) {
  const { count, word, note, always } = props
  if (count === 0 && !always) return null
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
