import { addDaysToDate } from '../../lib/clock.ts'
import type { FieldChange, Severity, SignalType } from '../signal-type.ts'
import type { DedupeKey } from './dedupe.ts'

/** Around a change: whose it is and when it came. */
export interface Occasion {
  /** What sentences call the company. */
  company: string
  incorporatedOn: string | null
  /** The London day the change came. */
  day: string
}

/** What a detector says: a signal without the company and the source, which are the change's. */
export interface Finding {
  signalType: SignalType
  severity: Severity
  summary: string
  occurredOn: string
  changes: FieldChange[]
  dedupe: DedupeKey
}

const NEWS_DAYS = 90

/**
 * Something we did not know may be old: an officer of ten years who is merely corrected, or a part of a company that is
 * read for the first time. Only a fact of the last 90 days is told then. One without a date cannot show that it is new.
 */
export function isNews(date: string | null, { day }: Occasion): date is string {
  return date !== null && date >= addDaysToDate(day, -NEWS_DAYS)
}

/** Who is there from the first day belongs to the incorporation, which is the first sight of a company: silent. */
export function isFounding(date: string, { incorporatedOn }: Occasion): boolean {
  return incorporatedOn !== null && date <= incorporatedOn
}
