import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type {
  CompanyProfile,
  Insolvency,
  Officer,
  OwnerStatement,
  PersonWithSignificantControl,
} from '../../api/bodies.ts'
import { OfficeBadge } from '../../register/office-badge.tsx'
import { StatusToNotice } from '../../register/status-badge.tsx'
import { Badge, Card } from '../../ui/parts.tsx'
import { showDay, showMoment, showNumber } from '../../ui/words.ts'
import { showCharge } from './charge.tsx'
import { PART_NAMES, type Part } from './part-names.ts'
import { Small } from './small.tsx'

/** Officers, owners and what the company states about its owners. */
export function PeopleAndOwners({ profile }: { profile: CompanyProfile }) {
  return (
    <div className="stack">
      <PartCard profile={profile} part="officers" items={profile.officers} show={showOfficer} />
      <PartCard
        profile={profile}
        part="pscs"
        items={profile.pscs}
        show={showPerson}
        none={<NoOwners profile={profile} />}
      >
        <Statements statements={profile.psc_statements ?? []} />
      </PartCard>
    </div>
  )
}

/** A company without owners on record often says why. */
function NoOwners({ profile: { psc_statements: statements } }: { profile: CompanyProfile }) {
  const isExplained = statements?.some(({ ceased_on: until }) => until === null)
  return <p className="soft">{isExplained ? 'None. The company states:' : 'None on record.'}</p>
}

function Statements({ statements }: { statements: OwnerStatement[] }) {
  if (statements.length === 0) return null
  return (
    <ul className="list">
      {statements.map((statement, index) => (
        <li key={index}>
          <div className="row spread">
            <span>{statement.statement_text}</span>
            {statement.ceased_on ? <Badge>Withdrawn</Badge> : <Badge tone="info">Statement</Badge>}
          </div>
          <Small
            parts={[
              statement.notified_on && `since ${showDay(statement.notified_on)}`,
              statement.ceased_on && `until ${showDay(statement.ceased_on)}`,
            ]}
          />
        </li>
      ))}
    </ul>
  )
}

export function ChargesAndInsolvency({ profile }: { profile: CompanyProfile }) {
  return (
    <div className="stack">
      <PartCard profile={profile} part="charges" items={profile.charges} show={showCharge} />
      <PartCard profile={profile} part="insolvency" items={profile.insolvency?.cases} show={showCase} />
    </div>
  )
}

function PartCard<Item>({ profile, part, items, show, none, children }: PartCardProps<Item>) {
  const shown = items?.length ?? 0
  const total = profile.totals[part] ?? shown
  return (
    <Card title={<Titled name={PART_NAMES[part]} count={total} />} stacked>
      {shown === 0 ? (
        <None profile={profile} part={part} none={none} />
      ) : (
        <ul className="list">
          {items?.map((item, index) => (
            <li key={index}>{show(item)}</li>
          ))}
        </ul>
      )}
      {children}
      <AsOf shown={shown} total={total} asOf={profile.as_of[part]} />
    </Card>
  )
}

interface PartCardProps<Item> {
  profile: CompanyProfile
  part: Part
  items: Item[] | null | undefined
  show: (item: Item) => ReactNode
  /** Shown where there is none. */
  none?: ReactNode
  children?: ReactNode
}

export function Titled({ name, count }: { name: string; count: number }) {
  return (
    <>
      {name} {count > 0 && <Badge>{count}</Badge>}
    </>
  )
}

/** A missing part must not look like a clean record. */
export function None({ profile, part, none }: { profile: CompanyProfile; part: Part; none?: ReactNode }) {
  const isMissing = profile.missing.some((missed) => missed.part === part)
  return isMissing ? <p className="soft">not available</p> : (none ?? <p className="soft">None on record.</p>)
}

export function AsOf({ shown, total, asOf }: { shown: number; total: number; asOf: string | null }) {
  const isCut = shown < total && shown > 0
  if (!isCut && !asOf) return null
  return (
    <p className="small soft">
      {isCut && `${showNumber(shown)} of ${showNumber(total)}, the newest first. `}
      {asOf && `As of ${showMoment(asOf)}.`}
    </p>
  )
}

function showOfficer(officer: Officer) {
  const { appointed_on: from, resigned_on: until } = officer
  const born = officer.date_of_birth && `born ${officer.date_of_birth.year}`
  const { officer_id: id, name } = officer
  const more = [officer.occupation, born]
  return (
    <>
      <div className="row spread">
        <strong>{id && name ? <Link href={`/officers/${id}`}>{name}</Link> : (name ?? 'Name withheld')}</strong>
        <OfficeBadge until={until} />
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

/** The register keeps back the names of protected people; we withhold others at their request. */
function showNameless({ kind, kind_text: words }: PersonWithSignificantControl): string {
  return kind?.startsWith('individual') ? 'Name withheld' : (words ?? 'Name not given')
}

function showPerson(person: PersonWithSignificantControl) {
  const { owner_company: company, control } = person
  const more = [person.country_registered, person.registration_number]
  return (
    <>
      <div className="row spread">
        <span className="row tight">
          <strong>
            {company ? (
              <Link href={`/companies/${company.company_number}`}>{company.company_name}</Link>
            ) : (
              (person.name ?? showNameless(person))
            )}
          </strong>
          {person.is_sanctioned && <Badge tone="bad">Sanctioned</Badge>}
          {control === 'parent' && company && !person.is_ceased && <Badge tone="info">Parent</Badge>}
          {company && <StatusToNotice company={company} />}
        </span>
        {person.is_ceased ? (
          <Badge>Ceased{person.ceased_on && ` ${showDay(person.ceased_on)}`}</Badge>
        ) : (
          <Badge tone="good">In force</Badge>
        )}
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

function showCase({ type_text: type, dates, practitioners }: Insolvency['cases'][number]) {
  return (
    <>
      <strong>{type ?? 'Case'}</strong>
      {dates.length > 0 && (
        <p className="small">{dates.map((each) => `${each.type_text} ${showDay(each.date)}`).join(' · ')}</p>
      )}
      {practitioners.map(({ name, role_text: role, appointed_on: from, ceased_to_act_on: until }) => (
        <p className="small soft" key={name}>
          {name}
          {role && `, ${role.toLowerCase()}`}
          {from && `, since ${showDay(from)}`}
          {until && `, until ${showDay(until)}`}
        </p>
      ))}
    </>
  )
}
