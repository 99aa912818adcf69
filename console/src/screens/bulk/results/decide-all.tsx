import { ConfirmButton } from '../../../ui/confirm.tsx'
import { Button } from '../../../ui/parts.tsx'
import { plural, showNumber } from '../../../ui/words.ts'
import type { Selected } from './decisions.ts'

const LOOKS = {
  accept: { text: 'Accept the best candidate', look: undefined, gets: 'Gets' },
  reject: { text: 'Reject', look: 'quiet', gets: 'Does not get' },
} as const

/** From so many rows on a person says again that all of them are meant. */
const ASKED_FROM = 20
const LISTED_MAX = 100

interface DecideAllProps {
  action: keyof typeof LOOKS
  rows: readonly Selected[]
  onDecide: () => void
}

/** Decides all selected rows. Many of them, and those that were perhaps never on the screen, are listed first in a question. */
export function DecideAll({ action, rows, onDecide }: DecideAllProps) {
  const { text, look } = LOOKS[action]
  const button = look ? { small: true, look } : { small: true }
  if (rows.length < ASKED_FROM && !rows.some(({ isUnseen }) => isUnseen)) {
    return (
      <Button {...button} onClick={onDecide}>
        {text}
      </Button>
    )
  }
  const replaced = rows.filter((row) => isReplaced(action, row)).length
  return (
    <ConfirmButton
      {...button}
      text={text}
      title={`${text}: ${plural(rows.length, 'row')}?`}
      action={`${text} for ${plural(rows.length, 'row')}`}
      change={{ isPending: false, isError: false, error: null, mutate: onDecide }}
    >
      <Listed action={action} rows={rows} />
      <p>
        {replaced > 0 && `This replaces the decisions of ${plural(replaced, 'row')}. `}
        Free. It applies only to your account, and you can undo it.
      </p>
    </ConfirmButton>
  )
}

/** A row without a candidate cannot be accepted, and the same decision again changes nothing. */
function isReplaced(action: keyof typeof LOOKS, { seen, best }: Selected): boolean {
  if (seen === null || (action === 'accept' && !best)) return false
  const number = action === 'accept' ? best?.number : null
  return seen.action !== action || seen.company_number !== number
}

/** The first rows of the question, each with the company that it gets or does not get. */
function Listed({ action, rows }: Pick<DecideAllProps, 'action' | 'rows'>) {
  const inOrder = rows.toSorted((one, other) => one.row - other.row)
  const more = rows.length - LISTED_MAX
  return (
    <div className="decided-rows" tabIndex={0} role="region" aria-label="Rows of this decision">
      <table className="small">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Used</th>
            <th scope="col">{LOOKS[action].gets}</th>
          </tr>
        </thead>
        <tbody>
          {inOrder.slice(0, LISTED_MAX).map(({ row, input, best }) => (
            <tr key={row}>
              <td>{showNumber(row)}</td>
              <td>{input}</td>
              <td>
                {best ? (
                  <>
                    {best.name} <span className="mono soft">{best.number}</span>
                  </>
                ) : (
                  <span className="soft">
                    {action === 'accept' ? 'no candidate: it stays as it is' : 'no candidate'}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="small soft">and {showNumber(more)} more</p>}
    </div>
  )
}
