import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type {
  Charge,
  CompanyProfile,
  Filing,
  Insolvency,
  Officer,
  PersonWithSignificantControl,
} from '../../api/bodies.ts'
import { Choice } from '../../ui/fields.tsx'
import { Badge, Card } from '../../ui/parts.tsx'
import { showDay, showMoment, showWord } from '../../ui/words.ts'
import { PART_NAMES, type Part } from './part-names.ts'

/** Shows the register's lists, folded, each with its count. */
export function RegisterParts({ profile }: { profile: CompanyProfile }) {
  const { officers, pscs, charges, insolvency, filings } = profile
  return (
    <Card title="On the register">
      <div className="folds">
        <Fold profile={profile} part="officers" items={officers} show={showOfficer} isOpen />
        <Fold profile={profile} part="pscs" items={pscs} show={showPerson} />
        <Fold profile={profile} part="charges" items={charges} show={showCharge} />
        <Fold profile={profile} part="insolvency" items={insolvency?.cases} show={showCase} />
        <Filings profile={profile} filings={filings} />
      </div>
    </Card>
  )
}

/** The newest filings, of all kinds or of one. */
function Filings({ profile, filings }: { profile: CompanyProfile; filings: Filing[] | null }) {
  const [category, setCategory] = useState('')
  const kinds = new Map(filings?.map((filing) => [filing.category ?? '', filing.category_text ?? 'Other']))
  const shown = filings?.filter((filing) => category === '' || (filing.category ?? '') === category)
  const filter = kinds.size > 1 && (
    <Choice
      label="Kind of filing"
      value={category}
      onChange={setCategory}
      options={[['', 'All kinds'], ...[...kinds].filter(([code]) => code !== '')]}
    />
  )
  return <Fold profile={profile} part="filings" items={shown} show={showFiling} tools={filter} />
}

function Fold<Item>({ profile, part, items, show, tools, isOpen = false }: FoldProps<Item>) {
  const shown = items?.length ?? 0
  const isMissing = profile.missing.some((missed) => missed.part === part)
  const total = profile.totals[part] ?? shown
  const asOf = profile.as_of[part]
  if (isMissing || total === 0) {
    return (
      <p className="fold-none">
        <strong>{PART_NAMES[part]}</strong> <span className="soft">{isMissing ? 'not available' : 'none'}</span>
      </p>
    )
  }
  return (
    <details open={isOpen}>
      <summary>
        {PART_NAMES[part]} <Badge>{total}</Badge>
      </summary>
      {tools}
      <ul className="list">
        {items?.map((item, index) => (
          <li key={index}>{show(item)}</li>
        ))}
      </ul>
      <p className="small soft">
        {shown < total && shown > 0 && `${shown} of ${total}, the newest first. `}
        {asOf && `As of ${showMoment(asOf)}.`}
      </p>
    </details>
  )
}

interface FoldProps<Item> {
  profile: CompanyProfile
  part: Part
  items: Item[] | null | undefined
  show: (item: Item) => ReactNode
  isOpen?: boolean
  /** Shown above the list. */
  tools?: ReactNode
}

function showOfficer(officer: Officer) {
  const { appointed_on: from, resigned_on: until } = officer
  const born = officer.date_of_birth && `born ${officer.date_of_birth.year}`
  const more = [officer.occupation, officer.nationality, officer.country_of_residence, born]
  return (
    <>
      <div className="row spread">
        <strong>{officer.name ?? 'Name not given'}</strong>
        {until ? <Badge>Resigned</Badge> : <Badge tone="good">In office</Badge>}
      </div>
      <p className="small">
        {officer.role_text ?? 'Officer'}
        {from && `, since ${showDay(from)}`}
        {until && `, until ${showDay(until)}`}
      </p>
      <Small parts={[...more, showIdentity(officer.identity)]} />
    </>
  )
}

/** Verification is worth a word in every state. */
function showIdentity(identity: Officer['identity']): string | null {
  if (identity === null) return null
  const due = identity.due_on === null ? '' : ` since ${showDay(identity.due_on)}`
  if (identity.state === 'overdue') return `identity not verified, overdue${due}`
  if (identity.state === 'due')
    return `identity to verify${identity.due_on === null ? '' : ` by ${showDay(identity.due_on)}`}`
  return identity.state === 'verified' ? 'identity verified' : 'identity verification ended'
}

function showPerson(person: PersonWithSignificantControl) {
  const { owner_company: company, control } = person
  const more = [person.nationality, person.country_of_residence, person.country_registered, person.registration_number]
  return (
    <>
      <div className="row spread">
        <span className="row tight">
          <strong>
            {company ? (
              <Link href={`/companies/${company.company_number}`}>{company.company_name}</Link>
            ) : (
              (person.name ?? person.kind_text ?? 'Name not given')
            )}
          </strong>
          {control === 'parent' && company && <Badge tone="info">Parent</Badge>}
          {company && company.company_status_text !== 'Active' && (
            <Badge tone="warn">{company.company_status_text}</Badge>
          )}
        </span>
        {person.ceased_on ? <Badge>Ceased {showDay(person.ceased_on)}</Badge> : <Badge tone="good">In force</Badge>}
      </div>
      {person.natures_of_control.length > 0 && <p className="small">{person.natures_of_control_text.join(' · ')}</p>}
      <Small
        parts={[
          person.notified_on && `notified ${showDay(person.notified_on)}`,
          ...more,
          showIdentity(person.identity),
        ]}
      />
    </>
  )
}

/** A partly satisfied charge is still outstanding. */
const SETTLED = new Set(['satisfied', 'fully-satisfied'])

function showCharge(charge: Charge) {
  const isSettled = charge.status !== null && SETTLED.has(charge.status)
  return (
    <>
      <div className="row spread">
        <strong>{charge.persons_entitled.join(', ') || charge.description || 'Charge'}</strong>
        <Badge tone={isSettled ? 'good' : 'warn'}>{charge.status_text ?? 'Registered'}</Badge>
      </div>
      <Small
        parts={[
          charge.persons_entitled.length > 0 && charge.description,
          charge.charge_code,
          charge.created_on && `created ${showDay(charge.created_on)}`,
          charge.satisfied_on && `satisfied ${showDay(charge.satisfied_on)}`,
        ]}
      />
    </>
  )
}

function showFiling(filing: Filing) {
  return (
    <>
      <p>{filing.description_text}</p>
      {filing.details_text.map((detail, index) => (
        <p className="small" key={index}>
          {detail}
        </p>
      ))}
      <Small parts={[filing.date && showDay(filing.date), filing.category_text, filing.type]} />
    </>
  )
}

function Small({ parts }: { parts: Array<string | false | null | undefined> }) {
  const text = parts.filter(Boolean).join(' · ')
  return text === '' ? null : <p className="small soft">{text}</p>
}

function showCase({ type_text: type, dates, practitioners }: Insolvency['cases'][number]) {
  return (
    <>
      <strong>{type ?? 'Case'}</strong>
      {dates.length > 0 && (
        <p className="small">{dates.map((each) => `${each.type_text} ${showDay(each.date)}`).join(' · ')}</p>
      )}
      {practitioners.map(({ name, role, appointed_on: from, ceased_to_act_on: until }) => (
        <p className="small soft" key={name}>
          {name}
          {role && `, ${showWord(role).toLowerCase()}`}
          {from && `, since ${showDay(from)}`}
          {until && `, until ${showDay(until)}`}
        </p>
      ))}
    </>
  )
}
