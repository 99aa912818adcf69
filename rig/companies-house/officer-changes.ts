/** Officers come, change and go. */
import type { Dated } from './company-changes.ts'
import { appointmentForm, changeForm, terminationForm } from './officer-forms.ts'
import type { Register } from './register.ts'
import { idOf, type Officer } from './resources.ts'

export type NewOfficer = { name: string; officer_role?: string; appointed_on?: string } & Partial<
  Omit<Officer, 'links' | 'etag'>
>

/** Answers the id of the appointment. */
export function appointOfficer(
  register: Register,
  number: string,
  facts: NewOfficer,
  { on = register.today() }: Dated = {},
): string {
  const company = register.edit(number)
  const appointmentId = register.ids.recordId()
  const officer: Officer = {
    officer_role: 'director',
    appointed_on: on,
    nationality: 'British',
    occupation: 'Director',
    country_of_residence: 'England',
    date_of_birth: { month: 6, year: 1980 },
    address: { ...company.address },
    ...facts,
    etag: register.ids.etag(),
    links: {
      self: `/company/${number}/appointments/${appointmentId}`,
      officer: { appointments: `/officers/${register.ids.recordId()}/appointments` },
    },
  }
  withoutPrivateMembers(officer)
  company.officers.push(officer)
  register.file(company, { ...appointmentForm(officer), on })
  register.announceOfficer(officer)
  register.announceProfile(company)
  return appointmentId
}

export function resignOfficer(
  register: Register,
  number: string,
  appointmentId: string,
  { on = register.today() }: Dated = {},
): void {
  const company = register.edit(number)
  const officer = getOfficer(company.officers, appointmentId)
  Object.assign(officer, { resigned_on: on, etag: register.ids.etag() })
  register.file(company, { ...terminationForm(officer), on })
  register.announceOfficer(officer)
  register.announceProfile(company)
}

export function changeOfficer(
  register: Register,
  number: string,
  appointmentId: string,
  change: Dated & Partial<Omit<Officer, 'links' | 'etag'>>,
): void {
  const { on = register.today(), ...members } = change
  const company = register.edit(number)
  const officer = getOfficer(company.officers, appointmentId)
  Object.assign(officer, members, { etag: register.ids.etag() })
  register.file(company, { ...changeForm(officer, on), on })
  register.announceOfficer(officer)
  register.announceProfile(company)
}

/** Removes the record itself, as after a filing by mistake; nothing of it is left but the event. */
export function deleteOfficer(register: Register, number: string, appointmentId: string): void {
  const company = register.edit(number)
  const officer = getOfficer(company.officers, appointmentId)
  company.officers = company.officers.filter((each) => each !== officer)
  register.announceOfficer(officer, 'deleted')
}

function getOfficer(officers: Officer[], appointmentId: string): Officer {
  const officer = officers.find((each) => idOf(each) === appointmentId)
  if (!officer) throw new Error(`no officer has the appointment ${appointmentId}`)
  return officer
}

/** Secretaries and companies have no date of birth on the register. */
function withoutPrivateMembers(officer: Officer): void {
  if (!/secretary|corporate/.test(officer.officer_role)) return
  for (const member of ['date_of_birth', 'nationality', 'occupation', 'country_of_residence']) delete officer[member]
}
