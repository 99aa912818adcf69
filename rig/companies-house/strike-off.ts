/** The way off the register and back on to it. */
import type { Company } from './company.ts'
import type { Dated } from './company-changes.ts'
import type { FormCode } from './forms.ts'
import type { Register } from './register.ts'

/** Voluntary when its directors ask for it, compulsory when the registrar acts on overdue filings. */
export interface StrikeOff extends Dated {
  voluntary?: boolean
}

const PROPOSED = 'Active - Proposal to Strike off'

export function proposeStrikeOff(register: Register, number: string, proposal: StrikeOff = {}): void {
  const { on = register.today(), voluntary = false } = proposal
  const company = register.edit(number)
  company.status = PROPOSED
  if (voluntary) register.file(company, { form: 'DS01', on })
  register.file(company, { form: voluntary ? 'GAZ1(A)' : 'GAZ1', on })
  register.announceProfile(company)
}

/** An objection holds the strike-off up; the status stays as it is. */
export function suspendStrikeOff(register: Register, number: string, { on = register.today() }: Dated = {}): void {
  const company = register.edit(number)
  register.file(company, { form: isVoluntary(company) ? 'SOAS(A)' : 'DISS16(SOAS)', on })
  register.announceProfile(company)
}

export function discontinueStrikeOff(register: Register, number: string, { on = register.today() }: Dated = {}): void {
  const company = register.edit(number)
  register.file(company, { form: isVoluntary(company) ? 'DS02' : 'DISS40', on })
  company.status = 'Active'
  register.announceProfile(company)
}

export interface Dissolution extends Dated {
  how?: 'compulsory' | 'voluntary' | 'liquidation'
}

/** Officers stay in post: a dissolved company's officers look active for ever. */
export function dissolve(register: Register, number: string, dissolution: Dissolution = {}): void {
  const { on = register.today() } = dissolution
  const company = register.edit(number)
  const how = dissolution.how ?? defaultEnd(company)
  const form: FormCode = how === 'voluntary' ? 'GAZ2(A)' : 'GAZ2'
  register.file(company, { form, on, description: `gazette-dissolved-${how}` })
  company.status = 'Dissolved'
  company.dissolvedOn = on
  if (how === 'liquidation') addDissolvedDate(register, company, on)
  register.announceProfile(company)
}

export function restore(
  register: Register,
  number: string,
  { on = register.today(), byCourt = false }: Dated & { byCourt?: boolean } = {},
): void {
  const company = register.edit(number)
  company.status = 'Active'
  company.dissolvedOn = null
  register.file(company, { form: byCourt ? 'AC92' : 'RT01', on })
  register.announceProfile(company)
}

function defaultEnd(company: Company): 'compulsory' | 'voluntary' | 'liquidation' {
  if (company.status === 'Liquidation') return 'liquidation'
  return isVoluntary(company) ? 'voluntary' : 'compulsory'
}

/** Only the filings tell which of the two it is. */
function isVoluntary(company: Company): boolean {
  const notice = company.filings?.find(({ type }) => type.startsWith('GAZ1'))
  return notice?.type === 'GAZ1(A)'
}

function addDissolvedDate(register: Register, company: Company, on: string): void {
  const latest = company.insolvency?.cases.at(-1)
  if (!company.insolvency || !latest) return
  latest.dates.push({ type: 'dissolved-on', date: on })
  company.insolvency = { cases: company.insolvency.cases, etag: register.ids.etag() }
  register.announceInsolvency(company)
}
