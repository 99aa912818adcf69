/** All directors of a company are late to verify their identity because the last who was not has left, or is late now too. */
import { toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { toRecord } from '../../lib/text/loose-json.ts'
import {
  deriveIdentity,
  isInOffice,
  listWholeBoards,
  mustVerifyIdentity,
  parseOfficer,
  type RegisterChange,
} from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import { findArrivedLate } from './arrived-late.ts'
import { detectAllLate, QUIET_FOR_IDENTITY } from './identity.ts'
import { isQuietDay } from './sweep-days.ts'

/**
 * Returns the signals of companies that a director who was verified, or not due yet, has left to others who are all late, and
 * of those where a change made a director late. The company is read as it is now: of several changes in one batch the last
 * counts. Those of quiet days are found by the sweep after them.
 */
export async function detectAllLateByChange(
  tx: Tx,
  changes: readonly RegisterChange[],
  at: Date,
): Promise<NewSignal[]> {
  const today = toLondonDate(at)
  if (isQuietDay(QUIET_FOR_IDENTITY, today)) return []
  const officers = changes.filter(({ kind }) => kind === 'officer')
  const arrived = findArrivedLate(officers, today).map(({ change }) => change)
  const left = officers.filter((change) => hasLeftOnTime(change, today))
  const changeOf = new Map([...arrived, ...left].map((change) => [change.companyNumber, change]))
  if (changeOf.size === 0) return []
  const companies = await listWholeBoards(tx, [...changeOf.keys()], today)
  return companies.flatMap((company): NewSignal[] => {
    const change = changeOf.get(company.number)
    const signal = detectAllLate({ ...company, isWhole: true }, today)
    if (!change || !signal) return []
    return [{ ...signal, occurredOn: today, sourceKind: change.source, sourceReference: change.reference }]
  })
}

function hasLeftOnTime({ before, after }: RegisterChange, today: string): boolean {
  if (before === null) return false
  const was = toOfficer(before)
  const isThere = after !== null && isInOffice(toOfficer(after), today)
  if (!mustVerifyIdentity(was) || isThere || !isInOffice(was, today)) return false
  return deriveIdentity(was.identity, true, today)?.state !== 'overdue'
}

const toOfficer = (part: unknown) => parseOfficer(toRecord(part))
