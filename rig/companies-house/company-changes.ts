/** Changes of a company itself: its name, office, activity and yearly duties. `on` is the day one is registered. */
import { addMonthsToDate } from '../../src/lib/clock.ts'
import {
  accountsDueOn,
  type Company,
  firstPeriodEnd,
  nextPeriodEnd,
  statementDueOn,
  statementMadeUpTo,
} from './company.ts'
import { accountsForm } from './history.ts'
import { accountsLabel } from './labels.ts'
import { presentAddress } from './profile.ts'
import type { Register } from './register.ts'
import type { Address } from './resources.ts'

export function rename(register: Register, number: string, name: string, on = register.today()): void {
  const company = register.edit(number)
  company.previousNames.unshift({ name: company.name, changedOn: on })
  company.name = name.toUpperCase()
  register.file(company, { form: 'CERTNM', on, values: { description: `Company name changed to ${company.name}` } })
  register.announceProfile(company)
}

export function changeRegisteredOffice(register: Register, number: string, address: Address, on = register.today()) {
  const company = register.edit(number)
  const values = { old_address: inOneLine(company.address), new_address: inOneLine(address), change_date: on }
  company.address = { ...address }
  register.file(company, { form: 'AD01', on, actionOn: on, values })
  register.announceProfile(company)
}

/** The registrar replaces an office that is not a proper one. */
export function applyDefaultOffice(register: Register, number: string, on = register.today()): void {
  const company = register.edit(number)
  company.address = {
    po_box: '4385',
    address_line_1: `${number} - Companies House Default Address`,
    locality: 'Cardiff',
    postal_code: 'CF14 8LH',
  }
  const values = { default_address: `PO Box 4385, ${inOneLine(company.address)}`, change_date: on }
  register.file(company, { form: 'RP05', on, actionOn: on, values })
  register.announceProfile(company)
}

/** The registrar replaces the published address of a person: of an officer, or of one who controls the company. */
export function applyDefaultServiceAddress(
  register: Register,
  number: string,
  person: { officer: string } | { psc: string },
  on = register.today(),
): void {
  const company = register.edit(number)
  const address = { company_number: number, default_address: 'PO Box 4385, Cardiff, CF14 8LH', change_date: on }
  const filed =
    'officer' in person
      ? ({ form: 'RP09', values: { ...address, officer_name: person.officer } } as const)
      : ({ form: 'RP10', values: { ...address, psc_name: person.psc } } as const)
  register.file(company, { ...filed, on, actionOn: on })
}

/** A court upholds the registrar's decision about the office. */
export function upholdDefaultOffice(register: Register, number: string, on = register.today()): void {
  register.file(register.edit(number), { form: 'OC-UPHELD', on })
}

/** Replaces the registrar's remarks on the profile. */
export function setRemarks(register: Register, number: string, remarks: Company['remarks']): void {
  const company = register.edit(number)
  company.remarks = remarks
  register.announceProfile(company)
}

/** SIC codes change with a confirmation statement, so one is filed up to the same day. */
export function changeSicCodes(register: Register, number: string, sicCodes: string[], on = register.today()): void {
  const company = register.edit(number)
  company.sicCodes = [...sicCodes]
  fileConfirmationStatement(register, number, { on, madeUpTo: on, hasUpdates: true })
}

interface FiledAccounts {
  on?: string
  /** The end of the period they cover; the one that was due unless said. */
  madeUpTo?: string
  /** As the API calls it, such as `micro-entity`. */
  type?: string
  nextDueOn?: string
}

export function fileAccounts(register: Register, number: string, filed: FiledAccounts = {}): void {
  const { on = register.today() } = filed
  const company = register.edit(number)
  const { accounts } = company
  const madeUpTo =
    filed.madeUpTo ?? accounts.nextMadeUpTo ?? endOfDuePeriod(accounts.lastMadeUpTo, company.incorporatedOn)
  const nextMadeUpTo = nextPeriodEnd(madeUpTo)
  const keptCategory = accounts.category === 'NO ACCOUNTS FILED' ? 'TOTAL EXEMPTION FULL' : accounts.category
  company.accounts = {
    ...accounts,
    lastMadeUpTo: madeUpTo,
    nextMadeUpTo,
    nextDueOn: filed.nextDueOn ?? accountsDueOn(nextMadeUpTo, company.category),
    category: filed.type ? accountsLabel(filed.type) : keptCategory,
  }
  register.file(company, accountsForm(madeUpTo, company.accounts.category, on))
  register.announceProfile(company)
}

function endOfDuePeriod(lastMadeUpTo: string | null, incorporatedOn: string | null): string {
  if (lastMadeUpTo) return nextPeriodEnd(lastMadeUpTo)
  if (incorporatedOn) return firstPeriodEnd(incorporatedOn)
  throw new Error('nothing says which period the accounts are for; pass madeUpTo')
}

interface FiledConfirmationStatement {
  on?: string
  /** The one that was due unless said. */
  madeUpTo?: string
  hasUpdates?: boolean
}

export function fileConfirmationStatement(
  register: Register,
  number: string,
  filed: FiledConfirmationStatement = {},
): void {
  const { on = register.today() } = filed
  const company = register.edit(number)
  const { nextDueOn } = company.confirmationStatement
  const madeUpTo = filed.madeUpTo ?? (nextDueOn ? statementMadeUpTo(nextDueOn) : on)
  company.confirmationStatement = {
    lastMadeUpTo: madeUpTo,
    nextDueOn: statementDueOn(addMonthsToDate(madeUpTo, 12)),
  }
  const description = `confirmation-statement-with-${filed.hasUpdates ? 'updates' : 'no-updates'}`
  register.file(company, { form: 'CS01', on, actionOn: madeUpTo, description, values: { made_up_date: madeUpTo } })
  register.announceProfile(company)
}

/** Announces the company although nothing about it changed, as the register often does. */
export function touch(register: Register, number: string): void {
  register.announceProfile(register.edit(number))
}

/** The registrar proposes it after overdue filings. */
export function proposeStrikeOff(register: Register, number: string, on = register.today()): void {
  const company = register.edit(number)
  company.status = 'Active - Proposal to Strike off'
  register.file(company, { form: 'GAZ1', on })
  register.announceProfile(company)
}

export function discontinueStrikeOff(register: Register, number: string, on = register.today()): void {
  const company = register.edit(number)
  company.status = 'Active'
  register.file(company, { form: 'DISS40', on })
  register.announceProfile(company)
}

function inOneLine(address: Address): string {
  const { address_line_1, address_line_2, locality, region, country, postal_code } = presentAddress(address)
  return [address_line_1, address_line_2, locality, region, country, postal_code].filter(Boolean).join(' ')
}
