/** What happens to a company itself: its name, office, activity and yearly duties. */
import { addMonthsToDate } from '../../src/lib/clock.ts'
import { createCompany, type NewCompany } from './company.ts'
import { accountsDueOn, firstPeriodEnd, nextPeriodEnd, statementDueOn, statementMadeUpTo } from './deadlines.ts'
import { accountsForm } from './history.ts'
import { accountsLabel } from './labels.ts'
import { presentAddress } from './profile.ts'
import type { Register } from './register.ts'
import type { Address } from './resources.ts'

/** The day it is registered; today unless said. */
export interface Dated {
  on?: string
}

export function incorporate(register: Register, facts: NewCompany): void {
  const company = createCompany(structuredClone(facts), register.today())
  register.add(company)
  // Filed like any other form, so that the stream tells of it; the history must not imply it a second time.
  company.filings = []
  register.file(company, { form: 'NEWINC', on: company.incorporatedOn ?? register.today() })
  register.announceProfile(company)
  for (const officer of company.officers) register.announceOfficer(officer)
  for (const psc of company.pscs) register.announcePsc(psc)
}

export function rename(register: Register, number: string, name: string, { on = register.today() }: Dated = {}): void {
  const company = register.edit(number)
  company.previousNames.unshift({ name: company.name, changedOn: on })
  company.name = name.toUpperCase()
  register.file(company, { form: 'CERTNM', on, values: { description: `Company name changed to ${company.name}` } })
  register.announceProfile(company)
}

export function changeRegisteredOffice(
  register: Register,
  number: string,
  address: Address,
  { on = register.today() }: Dated = {},
): void {
  const company = register.edit(number)
  const values = { old_address: inOneLine(company.address), new_address: inOneLine(address), change_date: on }
  company.address = { ...address }
  register.file(company, { form: 'AD01', on, actionOn: on, values })
  register.announceProfile(company)
}

/** SIC codes change with a confirmation statement, so one is filed up to the same day. */
export function changeSicCodes(
  register: Register,
  number: string,
  sicCodes: string[],
  { on = register.today() }: Dated = {},
): void {
  const company = register.edit(number)
  company.sicCodes = [...sicCodes]
  fileConfirmationStatement(register, number, { on, madeUpTo: on, hasUpdates: true })
}

export interface FiledAccounts extends Dated {
  /** The end of the period they cover; the one that was due unless said. */
  madeUpTo?: string
  /** As the API calls it, such as `micro-entity`. */
  type?: string
  nextMadeUpTo?: string
  nextDueOn?: string
}

export function fileAccounts(register: Register, number: string, filed: FiledAccounts = {}): void {
  const { on = register.today() } = filed
  const company = register.edit(number)
  const { accounts } = company
  const madeUpTo =
    filed.madeUpTo ?? accounts.nextMadeUpTo ?? endOfDuePeriod(accounts.lastMadeUpTo, company.incorporatedOn)
  const nextMadeUpTo = filed.nextMadeUpTo ?? nextPeriodEnd(madeUpTo)
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

/** Moves the end of the current period and with it the due date, as a longer or shorter first year does. */
export function changeAccountingReferenceDate(
  register: Register,
  number: string,
  moved: Dated & { nextMadeUpTo: string; nextDueOn?: string },
): void {
  const { on = register.today(), nextMadeUpTo } = moved
  const company = register.edit(number)
  const isExtended = nextMadeUpTo > (company.accounts.nextMadeUpTo ?? '')
  company.accounts = {
    ...company.accounts,
    referenceDay: Number(nextMadeUpTo.slice(8)),
    referenceMonth: Number(nextMadeUpTo.slice(5, 7)),
    nextMadeUpTo,
    nextDueOn: moved.nextDueOn ?? accountsDueOn(nextMadeUpTo, company.category),
  }
  const description = `change-account-reference-date-company-current-${isExtended ? 'extended' : 'shortened'}`
  register.file(company, { form: 'AA01', on, description, values: { new_date: nextMadeUpTo } })
  register.announceProfile(company)
}

export interface FiledConfirmationStatement extends Dated {
  /** The one that was due unless said. */
  madeUpTo?: string
  nextDueOn?: string
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
    nextDueOn: filed.nextDueOn ?? statementDueOn(addMonthsToDate(madeUpTo, 12)),
  }
  const description = `confirmation-statement-with-${filed.hasUpdates ? 'updates' : 'no-updates'}`
  register.file(company, { form: 'CS01', on, actionOn: madeUpTo, description, values: { made_up_date: madeUpTo } })
  register.announceProfile(company)
}

/** Announces the company although nothing about it changed, as the register often does. */
export function touch(register: Register, number: string): void {
  register.announceProfile(register.edit(number))
}

/** Takes a filing back, as happens to documents accepted by mistake. */
export function deleteFiling(register: Register, number: string, transactionId: string): void {
  const company = register.edit(number)
  const filing = company.filings?.find((each) => each.transaction_id === transactionId)
  if (!filing) throw new Error(`company ${number} has no filing ${transactionId}`)
  company.filings = company.filings?.filter((each) => each !== filing) ?? []
  register.announceDeletedFiling(filing)
}

function inOneLine(address: Address): string {
  const { address_line_1, address_line_2, locality, region, country, postal_code } = presentAddress(address)
  return [address_line_1, address_line_2, locality, region, country, postal_code].filter(Boolean).join(' ')
}
