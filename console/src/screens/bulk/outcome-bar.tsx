import type { Bulk } from '../../api/bodies.ts'
import { plural, showNumber } from '../../ui/words.ts'
import { backgroundOfState, doneOf, STATES, wordOfState } from './bulk-words.ts'

/** Shows all rows as one bar with a piece for each state. The table beside it names the states. */
export function OutcomeBar({ bulk }: { bulk: Bulk }) {
  const { counts } = bulk
  const parts = STATES.filter((state) => counts[state] > 0)
  const says = parts.map((state) => `${wordOfState(state)} ${showNumber(counts[state])}`).join(', ')
  return (
    <div
      className="outcome-bar"
      role="img"
      aria-label={`${showNumber(doneOf(bulk))} of ${plural(counts.total, 'row')} done: ${says}`}
    >
      {parts.map((state) => (
        <span key={state} style={{ flexGrow: counts[state], background: backgroundOfState(state) }} />
      ))}
    </div>
  )
}
