import {
  type Criteria,
  hasFilters,
  hasMoreFilters,
  isBackwards,
  isInOrder,
  NO_CRITERIA,
} from '../../register/company-search.ts'
import { Choice, TextField } from '../../ui/fields.tsx'
import { Button } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'

/** The register's own codes and words. */
const STATUSES = [
  ['active', 'Active'],
  ['dissolved', 'Dissolved'],
  ['liquidation', 'Liquidation'],
  ['administration', 'In Administration'],
  ['receivership', 'Receiver Action'],
  ['voluntary-arrangement', 'Voluntary Arrangement'],
  ['insolvency-proceedings', 'Insolvency Proceedings'],
  ['converted-closed', 'Converted / Closed'],
  ['open', 'Open'],
  ['closed', 'Closed'],
] as const

export function Filters({ criteria, onChange }: FiltersProps) {
  const postcode = useTyped(criteria.postcode, (text) => onChange({ postcode: text }))
  return (
    <div className="filters">
      <TextField
        label="Postcode"
        value={postcode.typed}
        onChange={postcode.setTyped}
        placeholder="EC1V"
        autoComplete="off"
        maxLength={10}
      />
      <Choice
        label="Status"
        value={criteria.status}
        onChange={(status) => onChange({ status })}
        options={[['', 'Any'], ...STATUSES]}
      />
      <TextField label="Incorporated from" type="date" value={criteria.from} onChange={(from) => onChange({ from })} />
      <TextField
        label="Incorporated to"
        problem={isBackwards(criteria) ? 'This date is before the start date.' : undefined}
        type="date"
        value={criteria.to}
        onChange={(to) => onChange({ to })}
      />
      <details className="more" open={hasMoreFilters(criteria) || undefined}>
        <summary>More filters</summary>
        <MoreFilters criteria={criteria} onChange={onChange} />
      </details>
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

/** By postcode area of the registered office. */
const REGIONS = [
  ['', 'Any'],
  ['north-east', 'North East'],
  ['north-west', 'North West'],
  ['yorkshire-and-the-humber', 'Yorkshire and the Humber'],
  ['east-midlands', 'East Midlands'],
  ['west-midlands', 'West Midlands'],
  ['east-of-england', 'East of England'],
  ['london', 'London'],
  ['south-east', 'South East'],
  ['south-west', 'South West'],
  ['wales', 'Wales'],
  ['scotland', 'Scotland'],
  ['northern-ireland', 'Northern Ireland'],
] as const

const SECTIONS = [
  ['', 'Any'],
  ['A', 'A · Agriculture, forestry, fishing'],
  ['B', 'B · Mining'],
  ['C', 'C · Manufacturing'],
  ['D', 'D · Electricity and gas'],
  ['E', 'E · Water and waste'],
  ['F', 'F · Construction'],
  ['G', 'G · Wholesale and retail'],
  ['H', 'H · Transport and storage'],
  ['I', 'I · Hotels and food'],
  ['J', 'J · Information and communication'],
  ['K', 'K · Finance and insurance'],
  ['L', 'L · Real estate'],
  ['M', 'M · Professional and scientific'],
  ['N', 'N · Administration and support'],
  ['O', 'O · Public administration'],
  ['P', 'P · Education'],
  ['Q', 'Q · Health and social work'],
  ['R', 'R · Arts and recreation'],
  ['S', 'S · Other services'],
  ['T', 'T · Households'],
  ['U', 'U · International bodies'],
] as const

function MoreFilters({ criteria, onChange }: FiltersProps) {
  return (
    <div className="filters">
      <Choice
        label="Region"
        hint="By postcode area"
        value={criteria.region}
        onChange={(region) => onChange({ region })}
        options={REGIONS}
      />
      <Choice
        label="Section of SIC 2007"
        value={criteria.section}
        onChange={(section) => onChange({ section })}
        options={SECTIONS}
      />
      <NumberFilter label="Employees from" field="employeesFrom" criteria={criteria} onChange={onChange} />
      <NumberFilter
        label="Employees to"
        field="employeesTo"
        from="employeesFrom"
        criteria={criteria}
        onChange={onChange}
      />
      <NumberFilter label="Net assets from (£)" field="assetsFrom" criteria={criteria} onChange={onChange} />
      <NumberFilter
        label="Net assets to (£)"
        field="assetsTo"
        from="assetsFrom"
        criteria={criteria}
        onChange={onChange}
      />
      <NumberFilter label="Age from (years)" field="ageFrom" criteria={criteria} onChange={onChange} />
      <NumberFilter label="Age to (years)" field="ageTo" from="ageFrom" criteria={criteria} onChange={onChange} />
      <p className="small soft clear">
        Employees and net assets are from the newest accounts filed electronically. Companies without them are left out:
        about 84 % of these accounts state employees, and large companies often file on paper.
      </p>
    </div>
  )
}

type NumberField = 'employeesFrom' | 'employeesTo' | 'assetsFrom' | 'assetsTo' | 'ageFrom' | 'ageTo'

interface NumberFilterProps extends FiltersProps {
  label: string
  field: NumberField
  /** The start of the range that this field ends. */
  from?: NumberField
}

function NumberFilter({ label, field, from, criteria, onChange }: NumberFilterProps) {
  const number = useTyped(criteria[field], (text) => onChange({ [field]: text }))
  const isWrong = from !== undefined && !isInOrder(criteria, [from, field])
  return (
    <TextField
      label={label}
      problem={isWrong ? 'This is less than the start.' : undefined}
      type="number"
      step={1}
      min={field.startsWith('assets') ? undefined : 0}
      value={number.typed}
      onChange={number.setTyped}
      autoComplete="off"
    />
  )
}
