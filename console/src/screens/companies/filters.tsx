import { type Criteria, hasFilters, isBackwards, NO_CRITERIA } from '../../register/company-search.ts'
import { Button, Field } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'
import { showWord } from '../../ui/words.ts'

/** The register's own words. */
const STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'administration',
  'receivership',
  'voluntary-arrangement',
  'insolvency-proceedings',
  'converted-closed',
  'open',
  'closed',
]

export function Filters({ criteria, onChange }: FiltersProps) {
  const postcode = useTyped(criteria.postcode, (text) => onChange({ postcode: text }))
  return (
    <div className="filters">
      <Field label="Postcode">
        {(field) => (
          <input
            {...field}
            value={postcode.typed}
            onChange={(event) => postcode.setTyped(event.target.value)}
            placeholder="EC1V"
            autoComplete="off"
            maxLength={10}
          />
        )}
      </Field>
      <Field label="Status">
        {(field) => (
          <select {...field} value={criteria.status} onChange={(event) => onChange({ status: event.target.value })}>
            <option value="">Any</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {showWord(status)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Incorporated from">
        {(field) => (
          <input
            {...field}
            type="date"
            value={criteria.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Incorporated to"
        problem={isBackwards(criteria) ? 'This date is before the start date.' : undefined}
      >
        {(field) => (
          <input
            {...field}
            type="date"
            value={criteria.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        )}
      </Field>
      {hasFilters(criteria) && (
        <div className="clear">
          <Button look="plain" small onClick={() => onChange({ ...NO_CRITERIA, name: criteria.name })}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  )
}

interface FiltersProps {
  criteria: Criteria
  onChange: (part: Partial<Criteria>) => void
}
