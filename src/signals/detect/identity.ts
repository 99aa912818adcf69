/** Directors and owners who did not verify their identity in time: which they are, and the signals of it. */
import { addDaysToDate } from '../../lib/clock.ts'
import { formatDay } from '../../lib/text/wording.ts'
import {
  type CompanyWithLateOfficers,
  type CompanyWithLateOwners,
  deriveIdentity,
  type IdentityDays,
  isCorporateRole,
  isDirector,
  isInOffice,
  mustVerifyIdentity,
  type Officer,
  WITHHELD_NAME,
} from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import type { SignalType } from '../signals.ts'
import { keyOfFact } from './detected-signal.ts'
import type { QuietDays } from './sweep-days.ts'
import { capitalised, formatPerson } from './wording.ts'

/**
 * The year in which existing directors and owners may verify ends on the first of these days; the other is a month later. A
 * confirmation statement that is filed late brings the verification with it, and most who seem late in this month are not.
 * Those who still are afterwards are reported then, whenever in that year and month they were due.
 */
export const QUIET_FOR_IDENTITY: QuietDays = { from: '2026-11-18', until: '2026-12-18', dueSince: '2025-11-18' }

/** A day that was due, and today. */
export interface Due {
  dueOn: string
  today: string
}

/**
 * Returns a signal for each director who was due on the day, and one more when with them all directors of the company are
 * late. What is late is counted on the day after the due day: a sweep of several days sees the last director as the last.
 */
export function detectLateDirectors(company: CompanyWithLateOfficers, { dueOn, today }: Due): NewSignal[] {
  const directors = company.officers.filter((officer) => isDirector(officer) && isInOffice(officer, today))
  const late = directors.filter(({ identity }) => isLate(identity, dueOn))
  const justLate = late.filter(({ identity }) => identity?.due_on === dueOn)
  const signals = justLate.map(({ id, name, role }): NewSignal => {
    const person = name === null ? 'a director' : formatPerson(name, isCorporateRole(role))
    return toSignal(company, dueOn, {
      signalType: 'director_identity_overdue',
      severity: 'notice',
      summary: `${capitalised(person)}, a director of ${company.name}, has not verified their identity, which was due on ${formatDay(dueOn)}.`,
      dedupe: keyOfFact(dueOn, id),
    })
  })
  const all = justLate.length > 0 ? detectAllLate(company, addDaysToDate(dueOn, 1)) : null
  return all ? [...signals, all] : signals
}

/** Returns the signal of a company of which all directors who must verify are late on a day, with its last due day as its key. */
export function detectAllLate(
  company: Pick<CompanyWithLateOfficers, 'number' | 'name' | 'isWhole'> & { officers: readonly Officer[] },
  today: string,
): NewSignal | null {
  const mustVerify = company.officers.filter((officer) => mustVerifyIdentity(officer) && isInOffice(officer, today))
  const dueDays = mustVerify.flatMap(({ identity }) =>
    deriveIdentity(identity, true, today)?.state === 'overdue' ? (identity?.due_on ?? []) : [],
  )
  const dueOn = dueDays.toSorted().at(-1)
  if (dueOn === undefined || !company.isWhole || dueDays.length < mustVerify.length) return null
  return toSignal(company, dueOn, {
    signalType: 'all_directors_overdue',
    severity: 'warning',
    summary: `No director of ${company.name} has verified their identity. The last was due on ${formatDay(dueOn)}.`,
    dedupe: keyOfFact(dueOn),
  })
}

/** Returns a signal for each owner who was due on the day. */
export function detectLateOwners(company: CompanyWithLateOwners, { dueOn }: Pick<Due, 'dueOn'>): NewSignal[] {
  const late = company.owners.filter(
    ({ identity, isCeased }) => !isCeased && identity?.due_on === dueOn && isLate(identity, dueOn),
  )
  return late.map(({ id, name }) =>
    toSignal(company, dueOn, {
      signalType: 'psc_identity_overdue',
      severity: 'notice',
      summary: `${name ?? capitalised(WITHHELD_NAME)}, a person with significant control of ${company.name}, has not verified their identity, which was due on ${formatDay(dueOn)}.`,
      dedupe: keyOfFact(dueOn, id),
    }),
  )
}

function isLate(identity: IdentityDays | null, dueOn: string): boolean {
  return deriveIdentity(identity, true, addDaysToDate(dueOn, 1))?.state === 'overdue'
}

function toSignal(
  company: { number: string; name: string },
  dueOn: string,
  signal: Pick<NewSignal, 'severity' | 'summary' | 'dedupe'> & { signalType: SignalType },
): NewSignal {
  return {
    ...signal,
    companyNumber: company.number,
    companyName: company.name,
    occurredOn: addDaysToDate(dueOn, 1),
    changes: [{ field: signal.signalType, from: false, to: true }],
    sourceKind: 'sweep',
    sourceReference: dueOn,
  }
}
