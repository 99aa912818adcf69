import type { KnownResolution } from './known.ts'
import type { OwnDecision } from './own-decision.ts'

/** Returns the answer as this account sees it: its decision, and the evidence without what it disputed. */
export function applyDecision(known: KnownResolution, decision: OwnDecision | null): KnownResolution {
  if (decision === null) return known
  const { companyNumber } = decision
  const candidates = companyNumber === null ? [] : known.findings.candidates
  const evidence = known.findings.evidence.filter(({ supports }) => !isDisputed(decision, supports))
  return {
    ...known,
    outcome: companyNumber === null ? 'no_match' : 'matched',
    companyNumber,
    confidence: null,
    reason: describeDecision(decision),
    findings: { ...known.findings, candidates, evidence },
    decision,
  }
}

function isDisputed({ disputedNumber }: OwnDecision, supports: string | null): boolean {
  return disputedNumber !== null && supports === disputedNumber
}

/** Returns one sentence: what, who, when and why. */
export function describeDecision(decision: OwnDecision): string {
  const { reviewer, decidedAt, reason } = decision
  const why = reason === null ? '' : ` “${reason}”`
  return `${describeAction(decision)}: ${reviewer}, ${decidedAt.toISOString().slice(0, 10)}.${why}`
}

function describeAction({ action, companyNumber, disputedNumber }: OwnDecision): string {
  if (companyNumber === null && disputedNumber !== null) return `This account disputed that it is ${disputedNumber}`
  switch (action) {
    case 'accept':
      return `This account accepted ${companyNumber}`
    case 'reject':
      return 'This account decided that it is none of the candidates'
    case 'reassign':
    case 'dispute':
      return `This account decided that it is ${companyNumber}`
  }
}
