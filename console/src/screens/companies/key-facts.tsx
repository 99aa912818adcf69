import type { ReactNode } from 'react'
import type { CompanyProfile, RegisteredAddress } from '../../api/bodies.ts'
import { Badge, Card, Facts } from '../../ui/parts.tsx'
import { plural, showDay, showNumber } from '../../ui/words.ts'

const NOT_KNOWN = <span className="soft">Not known</span>

export function KeyFacts({ profile }: { profile: CompanyProfile }) {
  const { facts, previous_names: names } = profile
  return (
    <Card title="Key facts">
      <Facts
        rows
        facts={[
          ['Registered office', showAddress(profile.registered_address)],
          ['Incorporated', showDay(profile.incorporated_on)],
          ...(profile.dissolved_on ? [['Dissolved', showDay(profile.dissolved_on)] as const] : []),
          ['Accounts due', showDue(facts.accounts_next_due, facts.accounts_days_until_due)],
          [nameStatement(profile), showDue(facts.confirmation_next_due, facts.confirmation_days_until_due)],
          ['Last accounts', facts.accounts_type_text],
          ['Insolvency', showInsolvency(profile)],
          ['Charges', showCharges(profile)],
          ['Directors', showDirectors(profile)],
          ['Trade', showTrade(profile)],
          ...(names.length > 0 ? [['Previous names', showNames(names)] as const] : []),
          ...(profile.country_of_origin ? [['Country of origin', profile.country_of_origin] as const] : []),
        ]}
      />
    </Card>
  )
}

/** Overseas entities file an update where companies confirm their statement. */
function nameStatement({ company_number: number }: CompanyProfile): string {
  return number.startsWith('OE') ? 'Yearly update due' : 'Confirmation due'
}

/** Shows each sector by its name, with its code. */
function showTrade({ sic_codes: codes, sic_codes_text: names }: CompanyProfile): ReactNode {
  if (codes.length === 0) return null
  return (
    <ul className="trade">
      {codes.map((code, index) => (
        <li key={code}>
          {names[index] ?? 'Unknown code'} <span className="soft">{code}</span>
        </li>
      ))}
    </ul>
  )
}

function showAddress(address: RegisteredAddress): string | null {
  const { care_of: careOf, po_box: box, line_1: first, line_2: second, town, county, country, postcode } = address
  const parts = [careOf && `c/o ${careOf}`, box && `PO Box ${box}`, first, second, town, county, country, postcode]
  return parts.filter(Boolean).join(', ') || null
}

function showDue(on: string | null, days: number | null): ReactNode {
  if (on === null || days === null) return NOT_KNOWN
  return (
    <span className="row tight">
      {showDay(on)}
      {days < 0 ? (
        <Badge tone="bad">{formatDays(-days)} overdue</Badge>
      ) : (
        <span className="soft">{days === 0 ? 'today' : `in ${formatDays(days)}`}</span>
      )}
    </span>
  )
}

const YEAR_DAYS = 365

function formatDays(days: number): string {
  return days < 2 * YEAR_DAYS ? plural(days, 'day') : plural(Math.floor(days / YEAR_DAYS), 'year')
}

function showInsolvency({ facts }: CompanyProfile): ReactNode {
  if (facts.current_insolvency_status) return <Badge tone="bad">{facts.current_insolvency_status_text}</Badge>
  if (facts.has_insolvency_history === null) return NOT_KNOWN
  return facts.has_insolvency_history ? <Badge tone="warn">In the past</Badge> : 'None on record'
}

function showCharges({ facts }: CompanyProfile): ReactNode {
  if (facts.has_active_charges === null) return NOT_KNOWN
  if (!facts.has_active_charges) return 'None outstanding'
  return (
    <span className="row tight">
      <Badge tone="warn">Outstanding</Badge>
      {facts.last_charge_date && <span className="soft">last {showDay(facts.last_charge_date)}</span>}
    </span>
  )
}

function showDirectors({ facts }: CompanyProfile): ReactNode {
  if (facts.recent_director_resignation === null) return NOT_KNOWN
  const count = facts.recent_resignations.length
  if (count > 0) {
    return (
      <span className="row tight">
        <Badge tone="warn">{showNumber(count)} resigned</Badge>
        <span className="soft">in 12 months</span>
      </span>
    )
  }
  return facts.last_director_change_date
    ? `Last change ${showDay(facts.last_director_change_date)}`
    : 'No change on record'
}

function showNames(names: CompanyProfile['previous_names']): string {
  return names.map(({ name, ceased_on: until }) => (until ? `${name} (until ${showDay(until)})` : name)).join(', ')
}
