/**
 * Identity verification of directors and owners, compulsory since 18 November 2025 with a year's transition. The register
 * gives days; whether someone is late depends on today and is never stored.
 */
import { toDate, toRecord } from '../../lib/text/loose-json.ts'

/** The days on a record; null where it says nothing of verification. */
export interface IdentityDays {
  due_on: string | null
  start_on: string | null
  end_on: string | null
  verified_on: string | null
}

export const IDENTITY_STATES = ['verified', 'due', 'overdue', 'ended'] as const

export interface IdentityState {
  state: (typeof IDENTITY_STATES)[number]
  /** By when the person must verify. */
  due_on: string | null
  /** Only service providers publish the day of the check. */
  verified_on: string | null
}

export function parseIdentity(value: unknown): IdentityDays | null {
  const data = toRecord(value)
  const days = {
    due_on: toDate(data['appointment_verification_statement_due_on']),
    start_on: toDate(data['appointment_verification_start_on']),
    end_on: toDate(data['appointment_verification_end_on']),
    verified_on: toDate(data['identity_verified_on']),
  }
  return days.due_on === null && days.start_on === null ? null : days
}

/** Null for someone who has left the role, for a company off the register, and where the record says nothing. */
export function deriveIdentity(days: IdentityDays | null, isInRole: boolean, today: string): IdentityState | null {
  if (days === null || !isInRole) return null
  const { due_on, start_on, end_on, verified_on } = days
  if (start_on !== null) return { state: end_on === null || end_on > today ? 'verified' : 'ended', due_on, verified_on }
  return { state: due_on !== null && due_on < today ? 'overdue' : 'due', due_on, verified_on: null }
}
