/** The company profile, as REST shows it and as the stream does. */
import { addDaysToDate } from '../../src/lib/clock.ts'
import { type Company, countCharges, firstPeriodEnd, nextPeriodEnd, statementMadeUpTo } from './company.ts'
import { accountsType, statusMeaning, typeOf } from './labels.ts'
import type { Address } from './resources.ts'

type Json = Record<string, unknown>

export function presentProfile(company: Company, today: string): Json {
  const { status, detail, insolvency } = statusMeaning(company)
  const type = typeOf(company)
  const isCommunityInterest = company.category === 'Community Interest Company'
  return {
    company_name: company.name,
    company_number: company.number,
    company_status: status,
    company_status_detail: detail,
    type,
    subtype: isCommunityInterest ? 'community-interest-company' : undefined,
    is_community_interest_company: isCommunityInterest || undefined,
    date_of_creation: company.incorporatedOn ?? undefined,
    date_of_cessation: company.dissolvedOn ?? undefined,
    etag: company.etag,
    has_been_liquidated: hasBeenLiquidated(company),
    has_insolvency_history: company.insolvency !== null || insolvency !== undefined,
    has_charges: countCharges(company).total > 0,
    registered_office_address: presentAddress(company.address),
    sic_codes: company.sicCodes.length > 0 ? company.sicCodes : undefined,
    previous_company_names: presentPreviousNames(company),
    foreign_company_details:
      company.countryOfOrigin && company.countryOfOrigin !== 'United Kingdom'
        ? { originating_registry: { country: company.countryOfOrigin } }
        : undefined,
    accounts: presentAccounts(company, today),
    confirmation_statement: presentStatement(company, today),
    registered_office_is_in_dispute: company.remarks.isOfficeInDispute ?? false,
    undeliverable_registered_office_address: company.remarks.isOfficeUndeliverable ?? false,
    corporate_annotation: company.remarks.annotations?.map((type) => ({ type, created_on: today })),
    links: presentLinks(company),
  }
}

/** A false flag is left out of the stream, and the address has the name it is stored under. */
export function presentStreamedProfile(company: Company, today: string): Json {
  const profile = withoutFalse(presentProfile(company, today))
  const { care_of, ...address } = presentAddress(company.address)
  profile['registered_office_address'] = care_of ? { ...address, care_of_name: care_of } : address
  return profile
}

function withoutFalse(value: Json): Json {
  const kept = Object.entries(value).filter(([, member]) => member !== false && member !== undefined)
  return Object.fromEntries(kept.map(([name, member]) => [name, isPlainObject(member) ? withoutFalse(member) : member]))
}

function isPlainObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The API shows an address as it was filed, the monthly file in capitals; capitals are all that a world knows. */
export function presentAddress(address: Address): Address {
  const shown: Address = {}
  for (const [member, text] of Object.entries(address) as [keyof Address, string][]) {
    shown[member] = member === 'postal_code' ? text : inTitleCase(text)
  }
  return shown
}

function inTitleCase(text: string): string {
  if (/[a-z]/.test(text)) return text
  return text
    .toLowerCase()
    .replaceAll(/(^|[\s\-(/])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** Both flags say "ever": a case that ended years ago still sets them. */
function hasBeenLiquidated(company: Company): boolean {
  const cases = company.insolvency?.cases ?? []
  return company.status === 'Liquidation' || cases.some(({ type }) => type.endsWith('liquidation'))
}

function presentPreviousNames(company: Company): Json[] | undefined {
  const names = company.previousNames
  if (names.length === 0) return undefined
  return names.map(({ name, changedOn }, index) => ({
    name,
    effective_from: names[index + 1]?.changedOn ?? company.incorporatedOn ?? undefined,
    ceased_on: changedOn,
  }))
}

function presentAccounts(company: Company, today: string): Json | undefined {
  const { accounts } = company
  const type = accountsType(accounts.category)
  if (accounts.referenceDay === null && !accounts.nextDueOn && !type) return undefined
  const next = presentNextAccounts(company, today)
  return {
    accounting_reference_date:
      accounts.referenceDay !== null && accounts.referenceMonth !== null
        ? { day: twoDigits(accounts.referenceDay), month: twoDigits(accounts.referenceMonth) }
        : undefined,
    last_accounts: type
      ? {
          type,
          period_end_on: accounts.lastMadeUpTo ?? undefined,
          made_up_to: accounts.lastMadeUpTo ?? undefined,
        }
      : undefined,
    next_accounts: next,
    next_due: next?.['due_on'],
    next_made_up_to: next?.['period_end_on'],
    overdue: next?.['overdue'],
  }
}

function presentNextAccounts(company: Company, today: string): Json | undefined {
  const { lastMadeUpTo, nextMadeUpTo, nextDueOn } = company.accounts
  if (!nextDueOn) return undefined
  const { incorporatedOn } = company
  const derivedEnd = lastMadeUpTo ? nextPeriodEnd(lastMadeUpTo) : incorporatedOn && firstPeriodEnd(incorporatedOn)
  return {
    due_on: nextDueOn,
    period_start_on: (lastMadeUpTo ? addDaysToDate(lastMadeUpTo, 1) : incorporatedOn) ?? undefined,
    period_end_on: nextMadeUpTo ?? derivedEnd ?? undefined,
    overdue: nextDueOn < today,
  }
}

function presentStatement(company: Company, today: string): Json | undefined {
  const { nextDueOn, lastMadeUpTo } = company.confirmationStatement
  if (!nextDueOn) return undefined
  return {
    next_due: nextDueOn,
    next_made_up_to: statementMadeUpTo(nextDueOn),
    last_made_up_to: lastMadeUpTo ?? undefined,
    overdue: nextDueOn < today,
  }
}

function presentLinks(company: Company): Json {
  const self = `/company/${company.number}`
  const link = (exists: boolean, path: string) => (exists ? `${self}/${path}` : undefined)
  return {
    self,
    filing_history: link(hasFilingHistory(company.number), 'filing-history'),
    officers: link(company.officers.length > 0, 'officers'),
    persons_with_significant_control: link(company.pscs.length > 0, 'persons-with-significant-control'),
    charges: link(countCharges(company).total > 0, 'charges'),
    insolvency: link(company.insolvency !== null, 'insolvency'),
  }
}

/** Other registrars keep the filings of funds, societies, chartered bodies and assurance companies. */
const WITHOUT_FILINGS = /^(?:IC|SI|NV|IP|SP|NP|NO|RC|SR|NR|PC|SA|NA)/

export function hasFilingHistory(number: string): boolean {
  return !WITHOUT_FILINGS.test(number)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
