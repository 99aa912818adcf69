import type { FieldChange, Severity } from '../signal-type.ts'
import type { Finding, Occasion } from './change-context.ts'
import type { CompanyFacts } from './company-facts.ts'
import { keyOfStep } from './dedupe.ts'
import { sayOn, sayWords } from './wording.ts'

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
export function detectStanding(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding[] {
  if (before.status === UNKNOWN || after.status === UNKNOWN) return []
  if (standingOf(before) === standingOf(after)) return []
  const wasProposed = before.statusDetail === STRIKE_OFF
  const isProposed = after.statusDetail === STRIKE_OFF
  const isSameStatus = before.status === after.status
  const findings: Finding[] = []
  if (!isSameStatus || !(wasProposed || isProposed)) findings.push(statusChanged(before, after, on))
  if (isProposed && !wasProposed) findings.push(strikeOffProposed(before, after, on))
  // A company that is dissolved or wound up does not escape being struck off: its status has told what happened.
  if (wasProposed && !isProposed && isSameStatus) findings.push(strikeOffDiscontinued(before, after, on))
  return findings
}

function statusChanged(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding {
  const endedOn = ENDED.has(after.status) ? after.dissolvedOn : null
  return {
    signalType: 'status_changed',
    severity: severityOf(after.status),
    summary: formatStatus(before, after, on, endedOn),
    occurredOn: endedOn ?? on.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStanding(before, after),
  }
}

function formatStatus(before: CompanyFacts, after: CompanyFacts, on: Occasion, endedOn: string | null): string {
  if (before.status === after.status) {
    const say = ({ statusDetail }: CompanyFacts) => (statusDetail ? sayWords(statusDetail) : 'none')
    return `${on.company} is still ${sayWords(after.status)}, and the detail of its status changed from ${say(before)} to ${say(after)}.`
  }
  if (after.status === 'dissolved') return `${on.company} was dissolved${sayOn(endedOn)}.`
  return `${on.company} changed status from ${sayWords(before.status)} to ${sayWords(after.status)}${sayOn(endedOn)}.`
}

function strikeOffProposed(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding {
  return {
    signalType: 'strike_off_proposed',
    severity: 'warning',
    summary: `A proposal to strike ${on.company} off the register was published.`,
    occurredOn: on.day,
    changes: standingChanges(before, after),
    dedupe: keyOfStanding(before, after),
  }
}

function strikeOffDiscontinued(before: CompanyFacts, after: CompanyFacts, on: Occasion): Finding {
  return {
    signalType: 'strike_off_discontinued',
    severity: 'notice',
    summary: `The proposal to strike ${on.company} off the register was discontinued, and the company stays ${sayWords(after.status)}.`,
    occurredOn: on.day,
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
