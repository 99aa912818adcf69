import type { BulkPreflight } from '../../api/bodies.ts'
import { plural, showNumber } from '../../ui/words.ts'

/** Shows how many rows are valid, and which domains already have an answer. */
export function PreflightRows({ preflight }: { preflight: BulkPreflight }) {
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
