/** Changes of a company's parts: its officers, charges, persons with significant control and insolvency. */
import { addDaysToDate } from '../../src/lib/clock.ts'
import type { Company } from './company.ts'
import { appointmentForm, type FormCode, terminationForm } from './forms.ts'
import { toCharge } from './history.ts'
import type { Register } from './register.ts'
import { idOf, type Officer, type Practitioner, type Psc, type PscKind } from './resources.ts'

/** Appoints a director. Returns the id of the appointment. */
export function appointOfficer(register: Register, number: string, name: string, on = register.today()): string {
  const company = register.edit(number)
  const appointmentId = register.ids.recordId()
  const officer: Officer = {
    name,
    officer_role: 'director',
    appointed_on: on,
    nationality: 'British',
    occupation: 'Director',
    country_of_residence: 'England',
    date_of_birth: { month: 6, year: 1980 },
    address: { ...company.address },
    etag: register.ids.etag(),
    links: {
      self: `/company/${number}/appointments/${appointmentId}`,
      officer: { appointments: `/officers/${register.ids.recordId()}/appointments` },
    },
  }
  company.officers.push(officer)
  register.file(company, { ...appointmentForm(officer), on })
  register.announceOfficer(officer)
  register.announceProfile(company)
  return appointmentId
}

export function resignOfficer(register: Register, number: string, appointmentId: string, on = register.today()): void {
  const company = register.edit(number)
  const officer = getPart(company.officers, appointmentId)
  Object.assign(officer, { resigned_on: on, etag: register.ids.etag() })
  register.file(company, { ...terminationForm(officer), on })
  register.announceOfficer(officer)
  register.announceProfile(company)
}

/** Returns the charge id. */
export function registerCharge(
  register: Register,
  number: string,
  { on = register.today(), createdOn = addDaysToDate(on, -7) }: { on?: string; createdOn?: string } = {},
): string {
  const company = register.edit(number)
  const charges = register.chargesOf(company)
  const ordinal = Math.max(0, ...charges.map((charge) => charge.charge_number)) + 1
  const charge = toCharge(number, ordinal, { createdOn, deliveredOn: on }, register.ids)
  const values = { charge_number: charge.charge_code, charge_creation_date: createdOn }
  const { links } = register.file(company, { form: 'MR01', on, actionOn: createdOn, values })
  const filed = { filing_type: 'create-charge-with-deed', delivered_on: on, links: { filing: links.self } }
  charge.transactions = [filed]
  charges.push(charge)
  register.announceCharge(charge)
  register.announceProfile(company)
  return idOf(charge)
}

export function satisfyCharge(register: Register, number: string, chargeId: string, on = register.today()): void {
  const company = register.edit(number)
  const charge = getPart(register.chargesOf(company), chargeId)
  const filing = register.file(company, { form: 'MR04', on, values: { charge_number: charge.charge_code } })
  const satisfied = { filing_type: 'charge-satisfaction', delivered_on: on, links: { filing: filing.links.self } }
  charge.status = 'fully-satisfied'
  charge.satisfied_on = on
  charge.etag = register.ids.etag()
  charge.transactions = [...(charge.transactions ?? []), satisfied]
  register.announceCharge(charge)
  register.announceProfile(company)
}

const NOTIFICATION_FORMS: Record<PscKind, FormCode> = {
  individual: 'PSC01',
  'corporate-entity': 'PSC02',
  'legal-person': 'PSC03',
  'super-secure': 'PSC01',
}

/** Returns the id of the PSC. */
export function notifyPsc(
  register: Register,
  number: string,
  { name, kind = 'individual', ...members }: { name: string; kind?: PscKind; [member: string]: unknown },
  on = register.today(),
): string {
  const company = register.edit(number)
  const pscId = register.ids.recordId()
  const psc: Psc = {
    name,
    natures_of_control: ['ownership-of-shares-75-to-100-percent'],
    notified_on: on,
    address: { ...company.address },
    kind: `${kind}-person-with-significant-control`,
    etag: register.ids.etag(),
    links: { self: `/company/${number}/persons-with-significant-control/${kind}/${pscId}` },
    ...members,
  }
  company.pscs.push(psc)
  const values = { psc_name: name, notification_date: on }
  register.file(company, { form: NOTIFICATION_FORMS[kind], on, actionOn: on, values })
  register.announcePsc(psc)
  register.announceProfile(company)
  return pscId
}

/** The company makes a statement in place of naming an owner. Returns its id. */
export function statePsc(register: Register, number: string, statement: string, on = register.today()): string {
  const company = register.edit(number)
  const id = register.ids.recordId()
  const record: Psc = {
    kind: 'persons-with-significant-control-statement',
    statement,
    notified_on: on,
    etag: register.ids.etag(),
    links: { self: `/company/${number}/persons-with-significant-control-statements/${id}` },
  }
  company.pscs.push(record)
  register.announcePsc(record)
  return id
}

export function withdrawStatement(register: Register, number: string, id: string, on = register.today()): void {
  const statement = getPart(register.edit(number).pscs, id)
  Object.assign(statement, { ceased_on: on, etag: register.ids.etag() })
  register.announcePsc(statement)
}

/** The company need not name its owners from a day on, and no longer from another. `type` is the register's word. */
export function exempt(register: Register, number: string, type: string, days: { from: string; to?: string }): void {
  const company = register.edit(number)
  const self = `/company/${number}/exemptions`
  const items = [{ exempt_from: days.from, ...(days.to ? { exempt_to: days.to } : {}) }]
  const record: Psc = {
    kind: 'exemptions',
    exemptions: { [type.replaceAll('-', '_')]: { exemption_type: type, items } },
    etag: register.ids.etag(),
    links: { self },
  }
  company.pscs = [...company.pscs.filter((each) => each.links.self !== self), record]
  register.announcePsc(record)
}

/** The register takes a record away, as it does with what was filed by mistake or by someone else. */
export function removePsc(register: Register, number: string, pscId: string): void {
  const company = register.edit(number)
  const psc = getPart(company.pscs, pscId)
  company.pscs = company.pscs.filter((each) => each !== psc)
  register.withdrawPsc(psc)
}

export function ceasePsc(register: Register, number: string, pscId: string, on = register.today()): void {
  const company = register.edit(number)
  const psc = getPart(company.pscs, pscId)
  Object.assign(psc, { ceased_on: on, etag: register.ids.etag() })
  register.file(company, { form: 'PSC07', on, actionOn: on, values: { psc_name: psc.name, cessation_date: on } })
  register.announcePsc(psc)
  register.announceProfile(company)
}

const LIQUIDATOR: Practitioner = {
  name: 'Marian Copeland',
  address: {
    address_line_1: '12 Exchange Court',
    locality: 'Leeds',
    postal_code: 'LS1 4QX',
    country: 'United Kingdom',
  },
  role: 'practitioner',
}

/** Puts a company into a creditors' voluntary liquidation. Returns the number of the case. */
export function becomeInsolvent(register: Register, number: string, on = register.today()): string {
  const company: Company = register.edit(number)
  const cases = company.insolvency?.cases ?? []
  const caseNumber = String(cases.length + 1)
  cases.push({
    type: 'creditors-voluntary-liquidation',
    number: caseNumber,
    dates: [{ type: 'wound-up-on', date: on }],
    practitioners: [{ ...LIQUIDATOR, appointed_on: on }],
  })
  company.status = 'Liquidation'
  for (const form of ['LIQ02', '600'] as const) register.file(company, { form, on })
  company.insolvency = { etag: register.ids.etag(), cases, status: ['liquidation'] }
  register.announceInsolvency(company)
  register.announceProfile(company)
  return caseNumber
}

function getPart<Part extends { links: { self: string } }>(parts: readonly Part[], id: string): Part {
  const part = parts.find((each) => idOf(each) === id)
  if (!part) throw new Error(`the company has no ${id}`)
  return part
}
