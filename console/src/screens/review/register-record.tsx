import { Link } from 'wouter'
import type { CompanyGroup, GroupOwner } from '../../api/bodies.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, Facts } from '../../ui/parts.tsx'
import { plural, showDay } from '../../ui/words.ts'
import { useGroup } from './reviews.ts'
import type { RegisterRecord } from './site-words.tsx'

/** The register's record of the chosen company: where the site differs, then the facts and the group. */
export function RegisterCard({ record }: { record: RegisterRecord }) {
  const { company_number: number, sic_codes: codes, sic_codes_text: texts = [] } = record
  const sectors = codes.map((code, at) => (texts[at] ? `${texts[at]} (${code})` : code))
  return (
    <Card title="The register has" aside={<Link href={`/companies/${number}`}>Company details</Link>}>
      <div className="stack">
        <div>
          <p className="row tight">
            <strong>{record.company_name}</strong>
            <StatusBadge company={record} />
          </p>
          <p className="mono soft">{number}</p>
        </div>
        <Differences record={record} />
        <Facts
          rows
          facts={[
            ['Registered office', record.registered_office],
            ['What it does', sectors.length > 0 ? sectors.join('; ') : null],
            ['Incorporated', showDay(record.incorporated_on)],
            ...(record.dissolved_on ? [['Dissolved', showDay(record.dissolved_on)] as const] : []),
            ...(record.previous_names.length > 0
              ? [['Earlier names', record.previous_names.map(({ name }) => name).join('; ')] as const]
              : []),
            ['Group', <Group key="group" companyNumber={number} />],
          ]}
        />
      </div>
    </Card>
  )
}

/** Says only of what was compared that it agrees. */
function Differences({ record: { compared = [], differences } }: { record: RegisterRecord }) {
  return (
    <>
      {compared.length === 0 && (
        <p className="note">The site has no words about this company that we can compare with the register.</p>
      )}
      {compared.length > 0 && differences.length === 0 && (
        <p className="note good">{listParts(compared)} on the site agree with the register.</p>
      )}
      {differences.length > 0 && (
        <section className="note warn" aria-label="Differences">
          <strong>{plural(differences.length, 'difference')}</strong>
          <ul className="differences">
            {differences.map(({ kind, says, register }) => (
              <li key={`${kind} ${register}`}>
                <Icon name="x" />
                <span>{says}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** "Name, number and postcode" */
function listParts(parts: readonly string[]): string {
  const text = new Intl.ListFormat('en-GB').format(parts)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The parent, the last owner above it, and how many companies are beside and below. */
function Group({ companyNumber }: { companyNumber: string }) {
  const group = useGroup(companyNumber)
  if (group.isPending) return <span className="soft">Loading …</span>
  if (group.data === undefined) return <span className="soft">The group could not be loaded.</span>
  return <GroupWords group={group.data} />
}

function GroupWords({ group }: { group: CompanyGroup }) {
  const [parent] = group.ancestors
  const top = group.ancestors.at(-1)
  const others = [
    group.siblings && group.siblings.total > 0 && plural(group.siblings.total, 'sister company', 'sister companies'),
    group.children && group.children.total > 0 && plural(group.children.total, 'company below', 'companies below'),
  ].filter(Boolean)
  return (
    <>
      {parent && (
        <span className="record-line">
          Parent: <OwnerLink owner={parent} />
        </span>
      )}
      {top && top !== parent && (
        <span className="record-line">
          At the top: <OwnerLink owner={top} />
        </span>
      )}
      {others.length > 0 && <span className="record-line">{others.join(', ')}</span>}
      <span className="record-line soft">{group.top_text}</span>
    </>
  )
}

function OwnerLink({ owner: { name, company_number: number } }: { owner: GroupOwner }) {
  const words = name ?? 'name withheld'
  return number ? <Link href={`/companies/${number}`}>{words}</Link> : words
}
