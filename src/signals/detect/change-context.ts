import { addDaysToDate } from '../../lib/clock.ts'
import type { FieldChange, Severity, SignalType } from '../signal-type.ts'
import type { DedupeKey } from './dedupe.ts'

/** The company of a change, and the day it came. */
export interface ChangeContext {
  /** The company's name in sentences. */
  company: string
  incorporatedOn: string | null
  /** The London day the change came. */
  day: string
}

/** A detected signal, without the company and the source, which are the change's. */
export interface DetectedSignal {
  signalType: SignalType
  severity: Severity
  summary: string
  occurredOn: string
  changes: FieldChange[]
  dedupe: DedupeKey
}

const NEWS_DAYS = 90

/**
 * True for a fact of the last 90 days. A fact that is new to us may be old: an officer of ten years who is merely
 * corrected, or a part of a company that is read for the first time. A fact without a date may be old too.
 */
export function isNews(date: string | null, { day }: ChangeContext): date is string {
  return date !== null && date >= addDaysToDate(day, -NEWS_DAYS)
}

/** True for a fact of the incorporation, which makes no signal. */
export function isFounding(date: string, { incorporatedOn }: ChangeContext): boolean {
  return incorporatedOn !== null && date <= incorporatedOn
}
