/**
 * One company as the register knows it. Category, status and accounts are kept in the words of the monthly file,
 * because those are the finer ones: the API's values follow from them and not the other way round.
 */
import { addDaysToDate, addMonthsToDate } from '../../src/lib/clock.ts'
import type { Address, Charge, Filing, Insolvency, Officer, Psc } from './resources.ts'

export interface Company {
  number: string
  name: string
  /** A label of `CompanyCategory`. */
  category: string
  /** A label of `CompanyStatus`, or `Dissolved`. */
  status: string
  countryOfOrigin: string
  address: Address
  incorporatedOn: string | null
  dissolvedOn: string | null
  accounts: Accounts
  confirmationStatement: { nextDueOn: string | null; lastMadeUpTo: string | null }
  annualReturn: { nextDueOn: string | null; lastMadeUpTo: string | null }
  sicCodes: string[]
  /** Remarks of the registrar on the profile: flags, and types of annotations. */
  remarks: { isOfficeInDispute?: boolean; isOfficeUndeliverable?: boolean; annotations?: string[] }
  /** Most recent first; `changedOn` is the day the name was given up. */
  previousNames: { name: string; changedOn: string }[]
  partners: { general: number; limited: number }
  /** Charges that the monthly file counts without describing them. They are written out when first asked for. */
  undescribedCharges: { outstanding: number; partSatisfied: number; satisfied: number }
  officers: Officer[]
  charges: Charge[]
  insolvency: Insolvency | null
  pscs: Psc[]
  /** Null until first asked for: the history then follows from the other facts. */
  filings: Filing[] | null
  etag: string
}

export interface Accounts {
  referenceDay: number | null
  referenceMonth: number | null
  nextDueOn: string | null
  /** When null it is the year after the last accounts. */
  nextMadeUpTo: string | null
  lastMadeUpTo: string | null
  /** A label of `Accounts.AccountCategory`. */
  category: string
}

/** The facts a made-up company must have; the rest follows by the rules of company law. */
export type NewCompany = Partial<Omit<Company, 'etag' | 'filings'>> & Pick<Company, 'number' | 'name'>

export function createCompany(facts: NewCompany, today: string): Company {
  const incorporatedOn = facts.incorporatedOn === undefined ? today : facts.incorporatedOn
  const category = facts.category ?? 'Private Limited Company'
  return {
    category,
    status: 'Active',
    countryOfOrigin: 'United Kingdom',
    address: {},
    dissolvedOn: null,
    accounts: firstAccounts(incorporatedOn, category),
    confirmationStatement: {
      nextDueOn: incorporatedOn ? addDaysToDate(addMonthsToDate(incorporatedOn, 12), 13) : null,
      lastMadeUpTo: null,
    },
    annualReturn: { nextDueOn: null, lastMadeUpTo: null },
    sicCodes: [],
    remarks: {},
    previousNames: [],
    partners: { general: 0, limited: 0 },
    undescribedCharges: { outstanding: 0, partSatisfied: 0, satisfied: 0 },
    officers: [],
    charges: [],
    insolvency: null,
    pscs: [],
    ...facts,
    incorporatedOn,
    filings: null,
    etag: '',
  }
}

function firstAccounts(incorporatedOn: string | null, category: string): Accounts {
  const end = incorporatedOn && firstPeriodEnd(incorporatedOn)
  return {
    referenceDay: end ? Number(end.slice(8)) : null,
    referenceMonth: end ? Number(end.slice(5, 7)) : null,
    nextDueOn: incorporatedOn && firstAccountsDueOn(incorporatedOn, category),
    nextMadeUpTo: end,
    lastMadeUpTo: null,
    category: 'NO ACCOUNTS FILED',
  }
}

/** Dissolved, converted or closed: off the live register. */
export function isGone(company: Company): boolean {
  return company.status === 'Dissolved' || company.status === 'Converted/Closed'
}

/** Counts a company's charges by their status, described or not. */
export function countCharges(company: Company) {
  const counts = { ...company.undescribedCharges }
  for (const charge of company.charges) {
    if (charge.status === 'outstanding') counts.outstanding += 1
    else if (charge.status === 'part-satisfied') counts.partSatisfied += 1
    else counts.satisfied += 1
  }
  return { ...counts, total: counts.outstanding + counts.partSatisfied + counts.satisfied }
}

/** A confirmation statement is due so many days after the date it is made up to. */
const STATEMENT_DAYS = 14

/** The accounting reference date is the last day of the month of incorporation, a year later. */
export function firstPeriodEnd(incorporatedOn: string): string {
  return endOfMonth(addMonthsToDate(incorporatedOn, 12))
}

export function firstAccountsDueOn(incorporatedOn: string, category: string): string {
  return addMonthsToDate(incorporatedOn, isPublic(category) ? 18 : 21)
}

/** A period that ends with its month has until the end of the month nine months on (six for a public company). */
export function accountsDueOn(periodEnd: string, category: string): string {
  const due = addMonthsToDate(periodEnd, isPublic(category) ? 6 : 9)
  return periodEnd === endOfMonth(periodEnd) ? endOfMonth(due) : due
}

export function nextPeriodEnd(periodEnd: string): string {
  const end = addMonthsToDate(periodEnd, 12)
  return periodEnd === endOfMonth(periodEnd) ? endOfMonth(end) : end
}

export function statementDueOn(madeUpTo: string): string {
  return addDaysToDate(madeUpTo, STATEMENT_DAYS)
}

export function statementMadeUpTo(dueOn: string): string {
  return addDaysToDate(dueOn, -STATEMENT_DAYS)
}

function isPublic(category: string): boolean {
  return category === 'Public Limited Company'
}

function endOfMonth(date: string): string {
  const next = addMonthsToDate(`${date.slice(0, 7)}-01`, 1)
  return addDaysToDate(next, -1)
}
