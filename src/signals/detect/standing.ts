import type { CompanyFacts } from '../../register/index.ts'
import type { FieldChange, Severity } from '../signal-type.ts'
import type { ChangeContext, DetectedSignal } from './change-context.ts'
import { keyOfStep } from './dedupe.ts'
import { formatOn, formatTerm } from './wording.ts'

const STRIKE_OFF = 'active-proposal-to-strike-off'

/** The register leaves the status out for some entities; its absence is no event. */
const UNKNOWN = 'unknown'

const ENDED = new Set(['dissolved', 'closed', 'converted-closed', 'removed'])
const INSOLVENT = new Set([
  'liquidation',
  'receivership',
  'administration',
  'voluntary-arrangement',
  'insolvency-proceedings',
])

/** The status, and the proposal to strike the company off, which the register keeps as a detail of an active one. */
export function detectStanding(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal[] {
  if (before.status === UNKNOWN || after.status === UNKNOWN) return []
  if (standingOf(before) === standingOf(after)) return []
  const wasProposed = before.statusDetail === STRIKE_OFF
  const isProposed = after.statusDetail === STRIKE_OFF
  const isSameStatus = before.status === after.status
  const signals: DetectedSignal[] = []
  if (!isSameStatus || !(wasProposed || isProposed)) signals.push(statusChanged(before, after, context))
  if (isProposed && !wasProposed) signals.push(strikeOffProposed(before, after, context))
  // A company that is dissolved or wound up was not spared: its new status is the signal.
  if (wasProposed && !isProposed && isSameStatus) signals.push(strikeOffDiscontinued(before, after, context))
  return signals
}

function statusChanged(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal {
  const endedOn = ENDED.has(after.status) ? after.dissolvedOn : null
  return {
    signalType: 'status_changed',
    severity: severityOf(after.status),
    summary: describeStatusChange(before, after, context, endedOn),
    occurredOn: endedOn ?? context.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStanding(before, after),
  }
}

function describeStatusChange(
  before: CompanyFacts,
  after: CompanyFacts,
  context: ChangeContext,
  endedOn: string | null,
): string {
  if (before.status === after.status) {
    const format = ({ statusDetail }: CompanyFacts) => (statusDetail ? formatTerm(statusDetail) : 'none')
    return `${context.company} is still ${formatTerm(after.status)}, and the detail of its status changed from ${format(before)} to ${format(after)}.`
  }
  if (after.status === 'dissolved') return `${context.company} was dissolved${formatOn(endedOn)}.`
  return `${context.company} changed status from ${formatTerm(before.status)} to ${formatTerm(after.status)}${formatOn(endedOn)}.`
}

function strikeOffProposed(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal {
  return {
    signalType: 'strike_off_proposed',
    severity: 'warning',
    summary: `A proposal to strike ${context.company} off the register was published.`,
    occurredOn: context.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStanding(before, after),
  }
}

function strikeOffDiscontinued(before: CompanyFacts, after: CompanyFacts, context: ChangeContext): DetectedSignal {
  return {
    signalType: 'strike_off_discontinued',
    severity: 'notice',
    summary: `The proposal to strike ${context.company} off the register was discontinued, and the company stays ${formatTerm(after.status)}.`,
    occurredOn: context.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStanding(before, after),
  }
}

function severityOf(status: string): Severity {
  return ENDED.has(status) || INSOLVENT.has(status) ? 'warning' : 'notice'
}

function standingChanges(before: CompanyFacts, after: CompanyFacts): FieldChange[] {
  const changes: FieldChange[] = []
  if (before.status !== after.status) changes.push({ field: 'company_status', from: before.status, to: after.status })
  if (before.statusDetail !== after.statusDetail) {
    changes.push({ field: 'company_status_detail', from: before.statusDetail, to: after.statusDetail })
  }
  return changes
}

/** One subject for all three types: a proposal may end in a new status, and the next proposal is another one then. */
function keyOfStanding(before: CompanyFacts, after: CompanyFacts) {
  return keyOfStep('standing', standingOf(before), standingOf(after))
}

function standingOf({ status, statusDetail }: CompanyFacts): string {
  return statusDetail ? `${status}/${statusDetail}` : status
}
