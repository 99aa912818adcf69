/** Directors and owners who did not verify their identity in time: which they are, and the signals of it. */
import { addDaysToDate } from '../../lib/clock.ts'
import { formatDay } from '../../lib/text/wording.ts'
import {
  type CompanyWithLateOfficers,
  type CompanyWithLateOwners,
  deriveIdentity,
  type IdentityDays,
  isDirector,
  isDirectorToVerify,
  isInOffice,
  WITHHELD_NAME,
} from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import type { SignalType } from '../signals.ts'
import { keyOfFact } from './detected-signal.ts'
import { capitalised, formatPerson } from './wording.ts'

/** The year in which existing directors and owners may verify ends on the first of these days; the other is a month later. */
const QUIET_FROM = '2026-11-18'
const QUIET_UNTIL = '2026-12-18'

/**
 * True in the first month after 18 November 2026, both ends included: a confirmation statement that is filed late brings the
 * verification with it, and most who seem late then are not. Those who still are afterwards are reported then.
 */
export function isQuietForIdentity(today: string): boolean {
  return today >= QUIET_FROM && today <= QUIET_UNTIL
}

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
    const person = name === null ? 'a director' : formatPerson(name, role?.startsWith('corporate-') ?? false)
    return toSignal(company, dueOn, {
      signalType: 'director_identity_overdue',
      severity: 'notice',
      summary: `${capitalised(person)}, a director of ${company.name}, has not verified their identity, which was due on ${formatDay(dueOn)}.`,
      dedupe: keyOfFact(dueOn, id),
    })
  })
  const isAll = directors.filter(isDirectorToVerify).every((director) => late.includes(director))
  if (justLate.length === 0 || !company.isWhole || !isAll) return signals
  const all = toSignal(company, dueOn, {
    signalType: 'all_directors_overdue',
    severity: 'warning',
    summary: `No director of ${company.name} has verified their identity. The last was due on ${formatDay(dueOn)}.`,
    dedupe: keyOfFact(dueOn),
  })
  return [...signals, all]
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
