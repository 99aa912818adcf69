/**
 * People whose record comes, or changes, when the day they had to verify by was swept already: an owner who is filed after the
 * window, a corrected date, a file that brings what a stream missed.
 */
import { toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { type LooseRecord, toRecord } from '../../lib/text/loose-json.ts'
import {
  deriveIdentity,
  findCompanies,
  isDirector,
  isInOffice,
  isOffRegister,
  parseOfficer,
  parsePsc,
  type RegisterChange,
} from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import { readId } from './detected-signal.ts'
import { detectLateDirectors, detectLateOwners, QUIET_FOR_IDENTITY } from './identity.ts'
import { isQuietDay } from './sweep-days.ts'
import { findSweptOn } from './swept-on.ts'

/** Someone who is late by a change, and was not before it. */
export interface Arrived {
  change: RegisterChange
  id: string
  dueOn: string
  record: LooseRecord
}

/**
 * Returns the signals of these people, by the keys of the sweep: whichever sees someone first reports them. Days after the one
 * that is swept next are left to the sweep, which may be past this company on that one.
 */
export async function detectArrivedLate(tx: Tx, changes: readonly RegisterChange[], at: Date): Promise<NewSignal[]> {
  const today = toLondonDate(at)
  if (isQuietDay(QUIET_FOR_IDENTITY, today)) return []
  const arrived = findArrivedLate(changes, today)
  const sweptOn = arrived.length > 0 ? await findSweptOn(tx, 'identity') : null
  const missed = arrived.filter(({ dueOn }) => sweptOn !== null && dueOn <= sweptOn)
  if (missed.length === 0) return []
  const companies = await findCompanies(
    tx,
    missed.map(({ change }) => change.companyNumber),
  )
  const live = new Map(companies.filter(({ status }) => !isOffRegister(status)).map((each) => [each.number, each.name]))
  return missed.flatMap((each) => {
    const name = live.get(each.change.companyNumber)
    if (name === undefined) return []
    const source = { sourceKind: each.change.source, sourceReference: each.change.reference }
    return toSignals(each, name, today).map((signal) => ({ ...signal, ...source }))
  })
}

/** Returns those who are late by the last of their changes in a batch. */
export function findArrivedLate(changes: readonly RegisterChange[], today: string): Arrived[] {
  const arrived = new Map<string, Arrived>()
  for (const change of changes) {
    const record = toRecord(change.after ?? change.before)
    const id = readId(record)
    if (!isAboutPerson(change) || id === null) continue
    const key = `${change.companyNumber}/${change.kind}/${id}`
    const dueOn = change.after === null ? null : findLateSince(change.kind, record, today)
    if (dueOn === null) arrived.delete(key)
    else if (isNewlyLate(change, today) || arrived.has(key)) arrived.set(key, { change, id, dueOn, record })
  }
  return [...arrived.values()]
}

const isAboutPerson = ({ kind }: RegisterChange) => kind === 'officer' || kind === 'psc'

/** A record that is new to us is news only where all of the company's were known: else we may read it for the first time. */
function isNewlyLate({ kind, before, areOwnersKnown, areOfficersKnown }: RegisterChange, today: string): boolean {
  if (before === null) return kind === 'psc' ? areOwnersKnown : areOfficersKnown
  return findLateSince(kind, toRecord(before), today) === null
}

/** Returns the day by which a person had to verify who is late; null for another. */
function findLateSince(kind: string, record: LooseRecord, today: string): string | null {
  const identity = kind === 'psc' ? stateOfOwner(record, today) : stateOfDirector(record, today)
  return identity?.state === 'overdue' ? identity.due_on : null
}

function stateOfOwner(record: LooseRecord, today: string) {
  const { identity, is_ceased: isCeased } = parsePsc(record)
  return deriveIdentity(identity, !isCeased, today)
}

function stateOfDirector(record: LooseRecord, today: string) {
  const officer = parseOfficer(record)
  return deriveIdentity(officer.identity, isDirector(officer) && isInOffice(officer, today), today)
}

function toSignals({ change, id, dueOn, record }: Arrived, name: string, today: string): NewSignal[] {
  const company = { number: change.companyNumber, name }
  const due = { dueOn, today }
  if (change.kind === 'officer') {
    return detectLateDirectors({ ...company, officers: [{ ...parseOfficer(record), id }], isWhole: false }, due)
  }
  const owner = parsePsc(record)
  return detectLateOwners({ ...company, owners: [{ ...owner, id, isCeased: owner.is_ceased }] }, due)
}
