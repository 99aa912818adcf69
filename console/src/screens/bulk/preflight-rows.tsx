import type { BulkPreflight } from '../../api/bodies.ts'
import { plural, showNumber } from '../../ui/words.ts'

/** How the rows divide, and what is known of the domains before anybody is asked. */
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
          <Line count={domains} word="Domains to ask for" note={noteOf(known, paid)} />
          <Line count={preflight.duplicates} word="Same domain as another row" note="asked for once" />
          <Line count={preflight.invalid} word="No domain in it" note="left out" />
          <Line count={preflight.free_mail} word="Free mail addresses" note="left out: they name no company’s domain" />
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Rows in the list</th>
            <td className="number">{showNumber(preflight.rows)}</td>
          </tr>
        </tfoot>
      </table>
      <Examples title="without a domain" count={preflight.invalid} examples={preflight.examples.invalid} />
      <Examples title="with free mail" count={preflight.free_mail} examples={preflight.examples.free_mail} />
    </div>
  )
}

function noteOf(known: number, paid: number): string {
  const notes = [
    ...(known > 0 ? [`${showNumber(known)} of them answered at once`] : []),
    ...(paid > 0 ? [`${showNumber(paid)} paid for already, so free`] : []),
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
