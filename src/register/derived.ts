import { addMonthsToDate } from '../lib/clock.ts'
import type { Company } from './company.ts'
import type { CompanyParts, Part } from './details/details.ts'
import type { Officer } from './details/part-items.ts'
import { isDirector } from './officer-roles.ts'
import {
  describeCode,
  describeInsolvency,
  isInsolvent,
  isOffRegister,
  presentStatusDetail,
  UNKNOWN_STATUS,
} from './vocabulary.ts'

export type DerivedFacts = ReturnType<typeof deriveCompanyFacts>

export interface Resignation {
  name: string | null
  role: string | null
  role_text: string | null
  resigned_on: string
  appointed_on: string | null
}

const RECENT_MONTHS = 12

/**
 * Returns the facts of the contract's company result that come from the register, as of `today`, the date in London:
 * nothing that depends on it is ever stored. Null is "not known", or that there is no such date; a part that is missing
 * makes nulls and never a `false`. Only `recent_resignations` is empty then: the contract has no null there.
 */
export function deriveCompanyFacts(
  company: Company,
  details: Pick<CompanyParts, 'officers' | 'charges' | 'insolvency'>,
  today: string,
) {
  const accounts = deriveDeadline(company, company.accountsNextDue, today)
  const confirmation = deriveDeadline(company, company.confirmationNextDue, today)
  return {
    company_name: company.name,
    company_number: company.number,
    company_status: company.status === UNKNOWN_STATUS ? null : company.status,
    ...presentStatusDetail(company),
    registered_postcode: company.address.postcode,
    incorporated_on: company.incorporatedOn,
    accounts_type: company.accountsType,
    accounts_type_text: company.accountsType && describeCode('account_type', company.accountsType),
    accounts_next_due: accounts.nextDue,
    accounts_overdue: accounts.isOverdue,
    accounts_days_until_due: accounts.daysUntilDue,
    confirmation_next_due: confirmation.nextDue,
    confirmation_overdue: confirmation.isOverdue,
    confirmation_days_until_due: confirmation.daysUntilDue,
    ...deriveInsolvency(company, details.insolvency),
    ...deriveCharges(company, details.charges, today),
    ...deriveDirectors(details.officers, today),
  }
}

function deriveDeadline(company: Company, nextDue: string | null, today: string) {
  if (isOffRegister(company.status)) return { nextDue: null, isOverdue: false, daysUntilDue: null }
  if (nextDue === null) return { nextDue: null, isOverdue: null, daysUntilDue: null }
  // The day itself is still in time.
  return { nextDue, isOverdue: nextDue < today, daysUntilDue: daysBetween(today, nextDue) }
}

function deriveInsolvency(company: Company, { items }: CompanyParts['insolvency']) {
  const isInsolventNow = isInsolvent(company.status)
  const statuses = currentInsolvency(company, items?.[0]?.status ?? [])
  const hasRecord = items?.some(({ cases, status }) => cases.length > 0 || status.length > 0) ?? null
  return {
    // The company's own status proves a history even where the cases are missing.
    has_insolvency_history: isInsolventNow || hasRecord,
    current_insolvency_status: statuses.join(', ') || null,
    current_insolvency_status_text: statuses.map(describeInsolvency).join(', ') || null,
  }
}

/** The cases are more exact than the company's status, which comes from another stream. */
function currentInsolvency(company: Company, statuses: readonly string[]): readonly string[] {
  if (isOffRegister(company.status)) return []
  if (statuses.length > 0) return statuses
  return isInsolvent(company.status) ? [company.status] : []
}

const SATISFIED: ReadonlySet<string | null> = new Set(['satisfied', 'fully-satisfied'])

function deriveCharges(company: Company, { items, total }: CompanyParts['charges'], today: string) {
  const dates = (items ?? []).flatMap((charge) => charge.created_on ?? charge.delivered_on ?? [])
  const lastDate = latest(dates, today)
  const hasActive = items?.some(({ status }) => !SATISFIED.has(status)) ?? null
  return {
    // The first pages show the newest charges; older ones beyond them may be outstanding still.
    has_active_charges: hasActive || (hasActive === false && total === null) ? hasActive : hasActiveByCount(company),
    last_charge_date: lastDate,
    days_since_last_charge: lastDate === null ? null : daysBetween(lastDate, today),
  }
}

/** Only the snapshot counts charges, so zero in a row that never was in a snapshot means nothing. */
function hasActiveByCount({ charges, source }: Company): boolean | null {
  if (charges.total === 0 && source !== 'snapshot') return null
  return charges.outstanding + charges.partSatisfied > 0
}

function deriveDirectors({ items, total }: Part<Officer>, today: string) {
  const directors = items?.filter(isDirector) ?? []
  const resignations = listRecentResignations(directors, today)
  const changes = directors.flatMap((director) => [director.appointed_on ?? [], director.resigned_on ?? []].flat())
  const lastChange = latest(changes, today)
  const isComplete = items !== null && total === null
  return {
    recent_director_resignation: resignations.length > 0 || (isComplete ? false : null),
    last_director_change_date: lastChange,
    days_since_last_director_change: lastChange === null ? null : daysBetween(lastChange, today),
    /** The last 12 months, newest first. */
    recent_resignations: resignations,
  }
}

function listRecentResignations(directors: readonly Officer[], today: string): Resignation[] {
  const since = addMonthsToDate(today, -RECENT_MONTHS)
  return directors
    .flatMap(({ name, role, role_text, resigned_on, appointed_on }) =>
      resigned_on !== null && resigned_on >= since && resigned_on <= today
        ? [{ name, role, role_text, resigned_on, appointed_on }]
        : [],
    )
    .toSorted((a, b) => b.resigned_on.localeCompare(a.resigned_on))
}

/** Resignations may be filed ahead of their day; what lies in the future has not happened. */
function latest(dates: readonly string[], today: string): string | null {
  return (
    dates
      .filter((date) => date <= today)
      .toSorted()
      .at(-1) ?? null
  )
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}
