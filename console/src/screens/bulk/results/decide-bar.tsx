import { useState } from 'react'
import type { Bulk } from '../../../api/bodies.ts'
import { Button, Problem } from '../../../ui/parts.tsx'
import { plural, showNumber } from '../../../ui/words.ts'
import { DecideAll } from './decide-all.tsx'
import { type Decided, listUndoable, toSelected, useDecideRows } from './decisions.ts'
import { isFiltered, type RowFilter } from './row-filter.ts'
import { collectRows } from './rows.ts'
import type { Selection } from './selection.ts'

const DONE_WORDS: Record<Decided['action'], string> = {
  accept: 'accepted',
  reject: 'rejected',
  reassign: 'decided',
  withdraw: 'returned to review',
  undo: 'put back as before',
}

interface DecideBarProps {
  bulk: Bulk
  filter: RowFilter
  selection: Selection
  last: Decided | null
  onDecided: (decided: Decided | null) => void
}

/** Decides the selected rows together, and can undo the last decision. Shown only where rows need one. */
export function DecideBar({ bulk, filter, selection, last, onDecided }: DecideBarProps) {
  const decide = useDecideRows(bulk.id, (decided) => {
    selection.set(decided.rest && decided.rest.action !== 'undo' ? decided.rest.rows : [])
    onDecided(decided)
  })
  const rows = [...selection.rows.values()]
  const isDeciding = decide.isPending
  if (bulk.counts.needs_review === 0 && rows.length === 0 && !last && !isDeciding) return null
  return (
    <section className="decide-bar" aria-label="Decide rows">
      <div className="row">
        {isDeciding ? (
          <Deciding sent={decide.sent} of={decide.variables?.rows.length ?? 0} onStop={decide.stop} />
        ) : (
          <>
            <span>{rows.length === 0 ? 'Select rows that need review' : `${plural(rows.length, 'row')} selected`}</span>
            <SelectAll bulk={bulk} filter={filter} selection={selection} />
            {rows.length > 0 && (
              <>
                <DecideAll action="accept" rows={rows} onDecide={() => decide.mutate({ action: 'accept', rows })} />
                <DecideAll action="reject" rows={rows} onDecide={() => decide.mutate({ action: 'reject', rows })} />
                <Button small look="plain" onClick={() => selection.set([])}>
                  Clear
                </Button>
              </>
            )}
          </>
        )}
      </div>
      {decide.isError && <Problem error={decide.error} />}
      {last && !isDeciding && (
        <Undo
          last={last}
          onUndo={() => decide.mutate({ action: 'undo', rows: listUndoable(last) })}
          onDismiss={() => onDecided(null)}
        />
      )}
    </section>
  )
}

function Deciding({ sent, of, onStop }: { sent: number; of: number; onStop: () => void }) {
  return (
    <>
      <span role="status">
        {showNumber(sent)} of {plural(of, 'row')} decided
      </span>
      <progress value={sent} max={of} aria-label="Decided rows" />
      {of > 100 && (
        <Button small look="quiet" onClick={onStop}>
          Stop
        </Button>
      )}
    </>
  )
}

/** Selects every row that needs review and fits the filter, whether it is on the screen or not. */
function SelectAll({ bulk, filter, selection }: { bulk: Bulk; filter: RowFilter; selection: Selection }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const count = bulk.counts.needs_review
  if (count === 0) return null
  const isNarrowed = isFiltered({ ...filter, states: [] })
  const select = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const open = { ...filter, states: ['needs_review' as const], withDuplicates: false, sort: 'row' as const }
      const found = await collectRows(bulk.id, open)
      selection.set(found.map((row) => ({ ...toSelected(row), isUnseen: true })))
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button small look="quiet" busy={isBusy} onClick={() => void select()}>
        {isNarrowed
          ? 'Select all that need review and fit the filter'
          : `Select all ${showNumber(count)} that need review`}
      </Button>
      {problem !== null && <Problem error={problem} />}
    </>
  )
}

function Undo({ last, onUndo, onDismiss }: { last: Decided; onUndo: () => void; onDismiss: () => void }) {
  const { action, refused, rest, problem } = last
  return (
    <div className="row" role="status">
      <span>
        {describeDone(last)}
        {rest && `, then ${problem === null ? 'stopped' : 'failed'}: ${plural(rest.rows.length, 'row')} left`}
        {refused.length > 0 && `, ${showNumber(refused.length)} not`}.
      </span>
      {problem !== null && <Problem error={problem} />}
      {listUndoable(last).length > 0 && (
        <Button small look="quiet" onClick={onUndo}>
          {action === 'undo' ? 'Undo the rest' : 'Undo'}
        </Button>
      )}
      <Button small look="plain" onClick={onDismiss}>
        Dismiss
      </Button>
      {refused.length > 0 && (
        <details>
          <summary>Why not</summary>
          <ul className="list small">
            {refused.slice(0, 20).map(({ row, message }) => (
              <li key={row}>
                Row {showNumber(row)}: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** "4 rows accepted, 2 were so before" */
function describeDone({ action, changed, unchanged }: Decided): string {
  const same = unchanged === 0 ? '' : `, ${showNumber(unchanged)} ${unchanged === 1 ? 'was' : 'were'} so before`
  return `${plural(changed.length, 'row')} ${DONE_WORDS[action]}${same}`
}
