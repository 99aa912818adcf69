import { useState } from 'react'
import { Choice, TextField } from '../../ui/fields.tsx'
import { ALL_LISTS, useLists } from '../../watching/lists.ts'
import { SIGNAL_WORDS } from '../../watching/signal-words.ts'

export const FILTERS = ['type', 'severity', 'list', 'tag', 'read', 'from', 'to'] as const
export type SignalFilter = Partial<Record<(typeof FILTERS)[number], string>>

const RARER = ['severity', 'list', 'tag', 'read', 'from', 'to'] as const

/** Returns the filter as the parameters of the API. A value that is no type or severity, from an old address, is left out. */
export function toQuery({ type, severity, list, tag, read, from, to }: SignalFilter) {
  return {
    signal_type: type !== undefined && type in SIGNAL_WORDS ? type : undefined,
    severity: severity !== undefined && severity in SEVERITY_WORDS ? severity : undefined,
    list,
    tag,
    read: read === 'true' || read === 'false' ? read : undefined,
    from,
    to,
  }
}

const SEVERITY_WORDS = { warning: 'Warnings', notice: 'Notices', info: 'Information' }

/** On a phone the rarer filters are closed, so that the feed is in view. */
export function SignalFilters(props: { filter: SignalFilter; onChange: (part: SignalFilter) => void }) {
  const { filter, onChange } = props
  const { data: lists } = useLists()
  const [isWide] = useState(() => window.matchMedia('(min-width: 48.01rem)').matches)
  const [isUsed] = useState(() => RARER.some((name) => filter[name] !== undefined))
  const tags = lists?.tags ?? []
  return (
    <div className="signal-filters">
      <Choice
        label="Show"
        value={filter.type !== undefined && filter.type in SIGNAL_WORDS ? filter.type : ''}
        onChange={(type) => onChange({ type })}
        options={[['', 'Everything'], ...Object.entries(SIGNAL_WORDS)]}
      />
      <details className="more-signal-filters" open={isWide || isUsed}>
        <summary>More filters</summary>
        <div className="signal-fields">
          <Choice
            label="Severity"
            value={filter.severity ?? ''}
            onChange={(severity) => onChange({ severity })}
            options={[['', 'Any severity'], ...Object.entries(SEVERITY_WORDS)]}
          />
          <Choice
            label="Read"
            value={filter.read ?? ''}
            onChange={(read) => onChange({ read })}
            options={[
              ['', 'All'],
              ['false', 'Unread'],
              ['true', 'Read'],
            ]}
          />
          <Choice
            label="List"
            value={filter.list ?? ALL_LISTS}
            onChange={(list) => onChange({ list: list === ALL_LISTS ? '' : list })}
            options={[[ALL_LISTS, 'All companies'], ...(lists?.data.map(({ id, name }) => [id, name] as const) ?? [])]}
          />
          {tags.length > 0 && (
            <Choice
              label="Tag"
              value={filter.tag ?? ''}
              onChange={(tag) => onChange({ tag })}
              options={[['', 'All tags'], ...tags.map(({ tag }) => [tag, tag] as const)]}
            />
          )}
          <TextField label="From" type="date" value={filter.from ?? ''} onChange={(from) => onChange({ from })} />
          <TextField label="To" type="date" value={filter.to ?? ''} onChange={(to) => onChange({ to })} />
        </div>
      </details>
    </div>
  )
}
