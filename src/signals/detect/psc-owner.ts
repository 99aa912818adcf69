/** The meaning of a changed record of an owner: control, sanctions, protection, country. */
import { type LooseRecord, toRecord, toText, toTexts } from '../../lib/text/loose-json.ts'
import { deriveControl, isSameCountry } from '../../register/index.ts'
import type { FieldChange, Severity, SignalType } from '../signals.ts'
import { type ChangeContext, type DedupeKey, type DetectedSignal, keyOfStep } from './detected-signal.ts'
import { capitalised } from './wording.ts'

/** The owner, and the day and key of the change of its record. */
export interface OwnerChange {
  id: string
  name: string
  occurredOn: string
  dedupe: DedupeKey
}

/** Detects what becomes true of an owner who has not ceased. Before is null for a new owner. */
export function detectOwner(
  before: LooseRecord | null,
  after: LooseRecord,
  owner: OwnerChange,
  { company }: ChangeContext,
): DetectedSignal[] {
  const signals: DetectedSignal[] = []
  const raise = (signalType: SignalType, severity: Severity, summary: string, change: FieldChange) => {
    const { occurredOn, dedupe } = owner
    signals.push({ signalType, severity, summary: capitalised(summary), occurredOn, changes: [change], dedupe })
  }
  const [from, to] = [before && readControl(before), readControl(after)]
  // Where the control before is not known, it may have been the same.
  if (to === 'parent' && from !== 'parent' && (before === null || from !== null)) {
    const change = { field: 'psc_control', from, to }
    raise('majority_owner_added', 'notice', `${owner.name} became a majority owner of ${company}.`, change)
  }
  if (isSanctioned(after) && !(before && isSanctioned(before))) {
    const change = { field: 'psc_is_sanctioned', from: false, to: true }
    raise('owner_sanctioned', 'warning', `${owner.name}, an owner of ${company}, is marked as sanctioned.`, change)
  }
  if (!before) return signals
  if (becameProtected(before, after)) {
    signals.push({
      signalType: 'owner_protected',
      severity: 'notice',
      summary: `Details of an owner of ${company} are now protected and no longer published.`,
      occurredOn: owner.occurredOn,
      changes: protectedChanges(before, after),
      dedupe: keyOfStep(`psc-kind-${owner.id}`, toText(before['kind']) ?? '', toText(after['kind']) ?? ''),
    })
  }
  const [home, abroad] = [readCountry(before), readCountry(after)]
  if (home && abroad && !isSameCountry(home, abroad)) {
    const summary = `${owner.name}, an owner of ${company}, changed the country where it is registered from ${home} to ${abroad}.`
    raise('owner_country_changed', 'notice', summary, { field: 'psc_country_registered', from: home, to: abroad })
  }
  return signals
}

/** True when the register stops to publish a person's details, for their protection. */
export function becameProtected(before: LooseRecord, after: LooseRecord): boolean {
  return isProtected(after) && !isProtected(before)
}

/** Returns the kinds alone: what was published before is no longer to be repeated. */
export function protectedChanges(before: LooseRecord, after: LooseRecord): FieldChange[] {
  return [{ field: 'psc_kind', from: toText(before['kind']), to: toText(after['kind']) }]
}

const isProtected = (psc: LooseRecord): boolean => toText(psc['kind'])?.startsWith('super-secure-') ?? false
const isSanctioned = (psc: LooseRecord): boolean => psc['is_sanctioned'] === true
const readControl = (psc: LooseRecord) => deriveControl(toTexts(psc['natures_of_control']))

/** Only companies are registered in a country. */
function readCountry(psc: LooseRecord): string | null {
  const isCompany = /^(?:corporate-entity|legal-person)-/.test(toText(psc['kind']) ?? '')
  return isCompany ? toText(toRecord(psc['identification'])['country_registered']) : null
}
