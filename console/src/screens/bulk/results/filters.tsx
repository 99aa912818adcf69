import { TextField } from '../../../ui/fields.tsx'
import { Button } from '../../../ui/parts.tsx'
import { useTyped } from '../../../ui/typed.ts'
import { plural, showNumber } from '../../../ui/words.ts'
import { type AddressPart, isFiltered, isRepeatable, NO_FILTER, type RowFilter, WITHOUT } from './row-filter.ts'

interface FiltersProps {
  filter: RowFilter
  total: number | null
  all: number
  /** Whether the job has rows that repeat others. */
  hasDuplicates: boolean
  change: (part: AddressPart) => void
  onColumns: () => void
  /** Null where the job has no match. */
  onWatch: (() => void) | null
  onExport: () => void
}

/** Search and bounds of the confidence, with the number of rows that fit. The outcomes above the table filter, too. */
export function Filters({ filter, total, all, hasDuplicates, change, onColumns, onWatch, onExport }: FiltersProps) {
  return (
    <div className="result-filters">
      <Typed
        label="Search rows"
        type="search"
        value={filter.q}
        onSettled={(q) => change({ q: q.trim() })}
        placeholder="company, number, or your own cells"
        maxLength={160}
        wide
      />
      <Typed label="Confidence from, %" value={filter.from} onSettled={(from) => change({ from })} {...PERCENT} />
      <Typed label="to, %" value={filter.to} onSettled={(to) => change({ to })} {...PERCENT} />
      <div className="row">
        <Button look="quiet" onClick={onColumns}>
          Columns
        </Button>
        <Button onClick={onExport}>Export</Button>
        {onWatch && (
          <Button look="quiet" onClick={onWatch}>
            Add matches to a watchlist
          </Button>
        )}
      </div>
      <p className="shown small soft" role="status">
        {isFiltered(filter) && total !== null ? (
          <>
            {showNumber(total)} of {plural(all, 'row')} shown
            <Button small look="plain" onClick={() => change(NO_FILTER)}>
              Clear filters
            </Button>
            {hasDuplicates && isRepeatable(filter.states) && (
              <label className="row tight">
                <input
                  type="checkbox"
                  checked={filter.withDuplicates}
                  onChange={({ target }) => change({ duplicates: target.checked ? '' : WITHOUT })}
                />
                With their duplicates
              </label>
            )}
          </>
        ) : (
          plural(all, 'row')
        )}
      </p>
    </div>
  )
}

const PERCENT = { inputMode: 'decimal', pattern: '\\d{1,3}(\\.\\d)?', placeholder: '–', maxLength: 5 } as const

interface TypedProps {
  label: string
  value: string
  onSettled: (text: string) => void
  placeholder: string
  maxLength: number
  type?: 'search'
  inputMode?: 'decimal'
  pattern?: string
  wide?: true
}

/** A field that acts when typing pauses. */
function Typed({ label, value, onSettled, wide, ...input }: TypedProps) {
  const { typed, setTyped, settle } = useTyped(value, onSettled)
  return (
    <div className={wide ? 'search' : 'bound'}>
      <TextField
        {...input}
        label={label}
        value={typed}
        onChange={setTyped}
        onBlur={settle}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  )
}
