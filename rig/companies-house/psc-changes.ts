/** Persons with significant control are notified, change and cease. */
import type { Company } from './company.ts'
import type { Dated } from './company-changes.ts'
import type { FormCode } from './forms.ts'
import type { Register } from './register.ts'
import { idOf, type Psc, type PscKind } from './resources.ts'

export type NewPsc = { name: string; kind?: PscKind } & Partial<Omit<Psc, 'links' | 'etag' | 'kind'>>

const NOTIFICATION_FORMS: Record<PscKind, FormCode> = {
  individual: 'PSC01',
  'corporate-entity': 'PSC02',
  'legal-person': 'PSC03',
  'super-secure': 'PSC01',
}

/** Answers the id of the PSC. */
export function notifyPsc(
  register: Register,
  number: string,
  facts: NewPsc,
  { on = register.today() }: Dated = {},
): string {
  const { kind = 'individual', ...members } = facts
  const company = register.edit(number)
  const pscId = register.ids.recordId()
  const psc: Psc = {
    natures_of_control: ['ownership-of-shares-75-to-100-percent'],
    notified_on: on,
    address: { ...company.address },
    ...members,
    kind: `${kind}-person-with-significant-control`,
    etag: register.ids.etag(),
    links: { self: `/company/${number}/persons-with-significant-control/${kind}/${pscId}` },
  }
  company.pscs.push(psc)
  const values = { psc_name: facts.name, notification_date: psc.notified_on }
  register.file(company, { form: NOTIFICATION_FORMS[kind], on, actionOn: psc.notified_on, values })
  announce(register, company, psc)
  return pscId
}

export function changePsc(
  register: Register,
  number: string,
  pscId: string,
  change: Dated & Partial<Omit<Psc, 'links' | 'etag' | 'kind'>>,
): void {
  const { on = register.today(), ...members } = change
  const company = register.edit(number)
  const psc = getPsc(company, pscId)
  Object.assign(psc, members, { etag: register.ids.etag() })
  const form: FormCode = psc.kind.startsWith('individual') ? 'PSC04' : 'PSC05'
  register.file(company, { form, on, actionOn: on, values: { psc_name: psc.name, change_date: on } })
  announce(register, company, psc)
}

export function ceasePsc(
  register: Register,
  number: string,
  pscId: string,
  { on = register.today() }: Dated = {},
): void {
  const company = register.edit(number)
  const psc = getPsc(company, pscId)
  Object.assign(psc, { ceased_on: on, etag: register.ids.etag() })
  register.file(company, { form: 'PSC07', on, actionOn: on, values: { psc_name: psc.name, cessation_date: on } })
  announce(register, company, psc)
}

function getPsc(company: Company, pscId: string): Psc {
  const psc = company.pscs.find((each) => idOf(each) === pscId)
  if (!psc) throw new Error(`company ${company.number} has no PSC ${pscId}`)
  return psc
}

function announce(register: Register, company: Company, psc: Psc): void {
  register.announcePsc(psc)
  register.announceProfile(company)
}
