/** All directors of a company are late to verify their identity because the last who was not has left. */
import { toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { toRecord } from '../../lib/text/loose-json.ts'
import {
  deriveIdentity,
  isDirectorToVerify,
  isInOffice,
  listWholeBoards,
  parseOfficer,
  type RegisterChange,
} from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import { detectAllLate, QUIET_FOR_IDENTITY } from './identity.ts'
import { isQuietDay } from './sweep-days.ts'

/**
 * Returns the signals of companies that a director who was verified, or not due yet, has left to others who are all late. The
 * company is read as it is now: of several changes in one batch the last counts.
 */
export async function detectLeftByLastOnTime(tx: Tx, changes: readonly RegisterChange[], at: Date) {
  const today = toLondonDate(at)
  if (isQuietDay(QUIET_FOR_IDENTITY, today)) return []
  const leavers = new Map(
    changes.filter((change) => hasLeftOnTime(change, today)).map((change) => [change.companyNumber, change]),
  )
  if (leavers.size === 0) return []
  const companies = await listWholeBoards(tx, [...leavers.keys()], today)
  return companies.flatMap((company): NewSignal[] => {
    const change = leavers.get(company.number)
    const signal = detectAllLate({ ...company, isWhole: true }, today)
    if (!change || !signal) return []
    return [{ ...signal, occurredOn: today, sourceKind: change.source, sourceReference: change.reference }]
  })
}

function hasLeftOnTime({ kind, before, after }: RegisterChange, today: string): boolean {
  if (kind !== 'officer' || before === null) return false
  const was = toOfficer(before)
  const isThere = after !== null && isInOffice(toOfficer(after), today)
  if (!isDirectorToVerify(was) || isThere || !isInOffice(was, today)) return false
  return deriveIdentity(was.identity, true, today)?.state !== 'overdue'
}

const toOfficer = (part: unknown) => parseOfficer(toRecord(part))
