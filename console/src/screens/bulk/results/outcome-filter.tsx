import type { Bulk } from '../../../api/bodies.ts'
import { plural, showNumber } from '../../../ui/words.ts'
import { backgroundOfState, doneOf, type RowState, STATES, wordOfState } from '../bulk-words.ts'

interface OutcomeFilterProps {
  bulk: Bulk
  chosen: readonly RowState[]
  onChoose: (states: RowState[]) => void
}

/** All rows as one bar, and the number of rows in each state. A piece of the bar and its number show only those rows. */
export function OutcomeFilter({ bulk, chosen, onChoose }: OutcomeFilterProps) {
  const { counts } = bulk
  const parts = STATES.filter((state) => counts[state] > 0 || chosen.includes(state))
  const choose = (state: RowState) =>
    onChoose(chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state])
  return (
    <div className="outcome-filter">
      <div className="outcome-bar">
        {parts.map((state) => (
          // The number below has the same effect, a name and a focus.
          <button
            key={state}
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            data-faded={chosen.length > 0 && !chosen.includes(state)}
            title={`${wordOfState(state)}: ${showNumber(counts[state])}`}
            style={{ flexGrow: counts[state], background: backgroundOfState(state) }}
            onClick={() => choose(state)}
          />
        ))}
      </div>
      <ul className="outcome-choices" aria-label="Show only rows that are">
        {parts.map((state) => (
          <li key={state}>
            <button type="button" aria-pressed={chosen.includes(state)} onClick={() => choose(state)}>
              <span className="outcome-key" style={{ background: backgroundOfState(state) }} aria-hidden="true" />
              {wordOfState(state)} <strong>{showNumber(counts[state])}</strong>
            </button>
          </li>
        ))}
        <li>
          <button type="button" aria-pressed={chosen.length === 0} onClick={() => onChoose([])}>
            All rows <strong>{showNumber(counts.total)}</strong>
          </button>
        </li>
      </ul>
      <p className="visually-hidden">
        {showNumber(doneOf(bulk))} of {plural(counts.total, 'row')} done
      </p>
    </div>
  )
}
