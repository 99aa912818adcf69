import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { OUTCOME_LOOKS } from '../../../../src/lib/design/outcomes.ts'
import type { HistoryEntry } from '../../api/bodies.ts'
import { useAddressFilter } from '../../ui/address-filter.ts'
import { Choice, PeriodFields, TextField } from '../../ui/fields.tsx'
import { Paged } from '../../ui/paged.tsx'
import { Badge, Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { toneOfOutcome, wordOfOutcome } from '../../ui/tones.ts'
import { showMoment, showShare } from '../../ui/words.ts'
import { FILTERS, type HistoryFilter, ORIGIN_WORDS, useHistory } from './history.ts'
import './resolutions.css'

const OUTCOMES = ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'] as const

/** Lists every answer that the account got. */
export function ResolutionsScreen() {
  const { filter, setFilter } = useAddressFilter('/resolutions', FILTERS)
  const isBackwards = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to
  const history = useHistory(filter, !isBackwards)
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div className="stack">
      <ScreenHead title="History">
        Every answer that your account got, with the evidence as it was. Open one to compare it with an earlier reading,
        or to have the site read again.
      </ScreenHead>
      <Card>
        <Filters filter={filter} isBackwards={isBackwards} onChange={setFilter} />
        {!isBackwards && (
          <Paged query={history} what="your history" more="Show more">
            {(entries) =>
              entries.length > 0 ? (
                <Entries entries={entries} />
              ) : isFiltered ? (
                <NoneFits onClear={() => setFilter(null)} />
              ) : (
                <NoneYet />
              )
            }
          </Paged>
        )}
      </Card>
    </div>
  )
}

const RARER = ['outcome', 'origin', 'from', 'to'] as const

/** On a phone the rarer filters are closed, so that the list is in view. */
function Filters(props: { filter: HistoryFilter; isBackwards: boolean; onChange: (part: HistoryFilter) => void }) {
  const { filter, isBackwards, onChange } = props
  const [isWide] = useState(() => window.matchMedia('(min-width: 48.01rem)').matches)
  const [isUsed] = useState(() => RARER.some((name) => filter[name] !== undefined))
  return (
    <div className="history-filters">
      <SearchField
        label="Domain begins with"
        value={filter.domain ?? ''}
        onSettle={(domain) => onChange({ domain })}
        placeholder="example.co"
      />
      <SearchField
        label="Company begins with"
        value={filter.company ?? ''}
        onSettle={(company) => onChange({ company })}
        placeholder="name or number"
      />
      <details className="more" open={isWide || isUsed}>
        <summary>More filters</summary>
        <div className="more-fields">
          <Choice
            label="Outcome"
            value={filter.outcome ?? ''}
            onChange={(outcome) => onChange({ outcome })}
            options={[['', 'All outcomes'], ...OUTCOMES.map((one) => [one, OUTCOME_LOOKS[one].word] as const)]}
          />
          <Choice
            label="Asked by"
            value={filter.origin ?? ''}
            onChange={(origin) => onChange({ origin })}
            options={[['', 'All ways'], ...Object.entries(ORIGIN_WORDS)]}
          />
          <PeriodFields period={filter} isBackwards={isBackwards} onChange={onChange} />
        </div>
      </details>
    </div>
  )
}

const SETTLE_MS = 250

/** A search begins when typing pauses. */
function SearchField(props: { label: string; value: string; onSettle: (text: string) => void; placeholder: string }) {
  const { label, value, onSettle, placeholder } = props
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const { pathname } = window.location
    // A person who opened an answer meanwhile stays there, also while its screen is still loading.
    const timer = setTimeout(() => window.location.pathname === pathname && onSettle(typed.trim()), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSettle])
  return (
    <TextField
      label={label}
      type="search"
      value={typed}
      onChange={setTyped}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      maxLength={160}
    />
  )
}

function NoneFits({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      title="No answers fit these filters"
      action={
        <Button look="quiet" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search finds the beginning of a domain, of a company’s name, or of its number.
    </Empty>
  )
}

function NoneYet() {
  return (
    <Empty
      title="No answers yet"
      action={
        <Link className="button" href="/">
          Find a company
        </Link>
      }
    >
      Each answer that you get here, by the API, by a connected program or in a bulk job appears in this list and stays
      for six years.
    </Empty>
  )
}

function Entries({ entries }: { entries: HistoryEntry[] }) {
  return (
    <table className="history">
      <thead>
        <tr>
          <th scope="col">Domain</th>
          <th scope="col">Answer</th>
          <th scope="col">Company</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.resolution_id} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ entry }: { entry: HistoryEntry }) {
  const { outcome, company_name: name, company_number: number, confidence } = entry
  return (
    <tr>
      <td className="domain">
        <Link href={`/resolutions/${entry.resolution_id}`}>{entry.domain}</Link>
      </td>
      <td className="outcome">
        <Badge tone={toneOfOutcome(outcome)}>{wordOfOutcome(outcome)}</Badge>
        {entry.decided_by !== null && <Badge tone="info">Your decision</Badge>}
        {entry.refunded && <Badge tone="warn">Refunded</Badge>}
      </td>
      <td className="company">
        {name ?? number ?? <span className="soft">–</span>}
        {number !== null && (
          <span className="soft small">
            <span className="mono">{number}</span>
            {confidence !== null && ` · ${showShare(confidence)}`}
          </span>
        )}
      </td>
      <td className="when">
        {showMoment(entry.answered_at)}
        <span className="soft small">{ORIGIN_WORDS[entry.origin]}</span>
      </td>
    </tr>
  )
}
