/**
 * One company as the register knows it. Category, status and accounts are kept in the words of the bulk product,
 * because those are the finer ones: the API's values follow from them and not the other way round.
 */
import { addDaysToDate, addMonthsToDate } from '../../src/lib/clock.ts'
import { firstAccountsDueOn, firstPeriodEnd } from './deadlines.ts'
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
  /** Most recent first; `changedOn` is the day the name was given up. */
  previousNames: { name: string; changedOn: string }[]
  partners: { general: number; limited: number }
  /** Charges that the bulk product counts and nobody described; they are written out when first asked for. */
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

/** What a made-up company must say; the rest follows by the rules of company law. */
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
