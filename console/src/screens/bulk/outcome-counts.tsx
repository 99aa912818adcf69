import { Link } from 'wouter'
import type { Bulk } from '../../api/bodies.ts'
import { showNumber } from '../../ui/words.ts'
import { type RowState, STATES, wordOfState } from './bulk-words.ts'

const NOTES: Partial<Record<RowState, string>> = {
  matched: 'one credit each, unless already paid',
  failed: 'resume the job to try them again',
  invalid: 'the results file gives the reason',
  duplicate: 'the results file names the row',
  cancelled: 'resume the job to resolve them',
}

/** Shows the number of rows in each state and their total. */
export function OutcomeCounts({ counts }: { counts: Bulk['counts'] }) {
  const shown = STATES.filter((state) => counts[state] > 0)
  const sum = shown.reduce((total, state) => total + counts[state], 0)
  return (
    <table className="outcome-counts">
      <thead className="visually-hidden">
        <tr>
          <th scope="col">State</th>
          <th scope="col">Rows</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((state) => (
          <tr key={state}>
            <th scope="row">
              <span className="outcome-key" data-state={state} aria-hidden="true" />
              {wordOfState(state)} <StateNote state={state} />
            </th>
            <td className="number">{showNumber(counts[state])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td className="number">{showNumber(sum)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function StateNote({ state }: { state: RowState }) {
  if (state === 'needs_review') return <Link href="/review">Review them</Link>
  return NOTES[state] ? <span className="soft">{NOTES[state]}</span> : null
}
