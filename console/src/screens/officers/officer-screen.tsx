import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import type { Appointment, OfficerAppointments } from '../../api/bodies.ts'
import { ApiProblem, callApi } from '../../api/client.ts'
import { OfficeBadge } from '../../register/office-badge.tsx'
import { StatusBadge } from '../../register/status-badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { plural, showDay, showMoment } from '../../ui/words.ts'
import { MISSING_REASONS } from '../companies/part-names.ts'
import { DisqualificationCard } from './disqualification.tsx'

/** One officer of the register: the appointments in all companies, and whether orders forbid the person to be a director. */
export function OfficerScreen() {
  const { id } = useParams<{ id: string }>()
  return <Officer key={id} id={id} />
}

function Officer({ id }: { id: string }) {
  const officer = useQuery({
    queryKey: ['officer', id],
    queryFn: ({ signal }) => callApi<OfficerAppointments>('GET', `/v1/officers/${encodeURIComponent(id)}`, { signal }),
  })
  const { error } = officer
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) {
    return <NoSuchOfficer says={error.status === 404 ? error.message : null} />
  }
  return (
    <div className="stack">
      {officer.data ? <Head officer={officer.data} /> : <ScreenHead title="Officer" />}
      <Loaded query={officer} what="the appointments">
        {(body) => <Record officer={body} onRetry={() => void officer.refetch()} isFetching={officer.isFetching} />}
      </Loaded>
    </div>
  )
}

function NoSuchOfficer({ says }: { says: string | null }) {
  return (
    <div className="stack">
      <ScreenHead title="Officer" />
      <Empty title="No officer to show" action={<Link href="/companies">Search for a company</Link>}>
        {says ?? 'This is not an id of the register.'} Officers are opened from the people of their company: find the
        company, choose People and owners, and follow a name.
      </Empty>
    </div>
  )
}

function Head({ officer }: { officer: OfficerAppointments }) {
  const name = officer.name ?? 'Officer'
  useEffect(() => {
    document.title = `${name} · Nameplate`
    return () => {
      document.title = 'Companies · Nameplate'
    }
  }, [name])
  return (
    <div className="stack-small">
      <ScreenHead title={name} />
      <div className="row">
        {officer.is_company && <Badge>Company or firm</Badge>}
        {officer.date_of_birth && <span className="soft">Born {showBirth(officer.date_of_birth)}</span>}
        <a href={officer.register_url} target="_blank" rel="noreferrer">
          Companies House
        </a>
      </div>
    </div>
  )
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })

function showBirth({ month, year }: NonNullable<OfficerAppointments['date_of_birth']>): string {
  return month === null ? String(year) : `${MONTH.format(Date.UTC(2000, month - 1, 1))} ${year}`
}

function Record({ officer, onRetry, isFetching }: RecordProps) {
  const { appointments, missing } = officer
  const isPerson = appointments !== null && !officer.is_company
  return (
    <>
      {missing.length > 0 && <Missing missing={missing} onRetry={onRetry} isFetching={isFetching} />}
      {isPerson && (
        <div className="note">
          <p>{officer.identity_note}</p>
        </div>
      )}
      {appointments && <Appointments officer={officer} appointments={appointments} />}
      {isPerson && <DisqualificationCard officerId={officer.officer_id} />}
    </>
  )
}

interface RecordProps {
  officer: OfficerAppointments
  onRetry: () => void
  isFetching: boolean
}

/** A list that is missing must not look like an officer without appointments. */
function Missing({
  missing,
  onRetry,
  isFetching,
}: Omit<RecordProps, 'officer'> & Pick<OfficerAppointments, 'missing'>) {
  return (
    <div className="note warn">
      <strong>Appointments are missing</strong>
      {missing.map(({ reason, retry_at: at }) => (
        <p key={reason}>
          We fetch them from the register when you open this page, and {MISSING_REASONS[reason]}.
          {at && ` Try again after ${showMoment(at)}.`}
        </p>
      ))}
      {missing.some(({ reason }) => reason !== 'not_configured') && (
        <div>
          <Button look="quiet" small busy={isFetching} onClick={onRetry}>
            Try the register again
          </Button>
        </div>
      )}
    </div>
  )
}

function Appointments({ officer, appointments }: { officer: OfficerAppointments; appointments: Appointment[] }) {
  const total = officer.appointments_total ?? appointments.length
  const title = (
    <>
      Appointments <Badge>{total}</Badge>
    </>
  )
  return (
    <Card title={title} stacked>
      {appointments.length === 0 ? (
        <p className="soft">The register lists no appointments in this record.</p>
      ) : (
        <ul className="list">
          {appointments.map((appointment, index) => (
            <li key={index}>
              <AppointmentLine appointment={appointment} />
            </li>
          ))}
        </ul>
      )}
      <p className="small soft">
        {appointments.length < total &&
          `${plural(appointments.length, 'appointment')} of ${total}; Companies House has the others. `}
        {officer.as_of && `As of ${showMoment(officer.as_of)}.`}
      </p>
    </Card>
  )
}

function AppointmentLine({ appointment }: { appointment: Appointment }) {
  const { company_number: number, company_name: name, appointed_on: from, appointed_before: before } = appointment
  const until = appointment.resigned_on
  return (
    <>
      <div className="row spread">
        <span className="row tight">
          <strong>{number ? <Link href={`/companies/${number}`}>{name ?? number}</Link> : name}</strong>
          {number && <span className="mono soft">{number}</span>}
          {appointment.company_status !== 'active' && <StatusBadge company={appointment} />}
        </span>
        <OfficeBadge until={until} />
      </div>
      <p className="small">
        {appointment.role_text ?? 'Officer'}
        {from ? `, since ${showDay(from)}` : before && `, since before ${showDay(before)}`}
        {until && `, until ${showDay(until)}`}
      </p>
    </>
  )
}
