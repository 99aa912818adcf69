/** When accounts and confirmation statements fall due. */
import { addDaysToDate, addMonthsToDate } from '../../src/lib/clock.ts'

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
