import { addVeto, type EvidenceItem, RIVAL, UNMEASURED } from '../../resolver/index.ts'
import type { KnownResolution, ResolutionRecord, StoredEvidence } from '../answers/known.ts'
import { type Claimant, type Contest, isKnownFor, isNamed, type StoredClaim, tieOf } from './rivals.ts'

interface Named {
  name: string
  number: string
}

/** Returns an answer that was believed until now, as it goes to a person. */
export function contestKnown(known: KnownResolution, company: Named, why: ContestWords, at: Date): ResolutionRecord {
  const { findings } = known
  const evidence = why.evidence ? [toStored(why.evidence)] : []
  return {
    domain: known.domain,
    outcome: 'needs_review',
    situation: 'contested',
    confidence: UNMEASURED,
    companyNumber: null,
    reason: why.reason,
    findings: {
      ...findings,
      registered: null,
      explanation: addVeto(findings.explanation, why.reason),
      evidence: [...findings.evidence, ...evidence],
      candidates: findings.candidates.map((candidate) =>
        candidate.companyNumber === company.number
          ? {
              ...candidate,
              confidence: UNMEASURED,
              reasons: [why.reason, ...candidate.reasons],
              ...(candidate.against ? { against: [why.reason, ...candidate.against] } : {}),
            }
          : candidate,
      ),
    },
    modelVersion: known.modelVersion,
    isSecondReaderDue: false,
    resolvedAt: at,
  }
}

interface ContestWords {
  reason: string
  evidence: EvidenceItem | null
}

/** Why a site goes to a person: which other site claims the company, and what speaks for that one. */
export function describeContest(
  loser: Claimant,
  { rival, isClear }: Contest,
  company: Named,
  proof: EvidenceItem | null,
  at: Date,
): ContestWords {
  const both = `Another site claims this company: ${rival.domain} prints ${company.name} (${company.number}) too`
  const reason = isClear
    ? `${both} and fits better, because ${listReasons(rival, loser, at).join(', and ')}.`
    : `${both}. No link connects the two sites, and nothing shows which one is the company’s.`
  const says = isClear
    ? `Another site, ${rival.domain}, prints the same company and fits it better.`
    : `Another site, ${rival.domain}, prints the same company.`
  return { reason, evidence: proof && { ...proof, ...RIVAL, says, supports: company.number } }
}

/** Shown with the answer of the site that prevailed. */
export function describeOutdone(rival: Claimant, company: Named, proof: EvidenceItem | null): EvidenceItem | null {
  const says = `Another site, ${rival.domain}, prints the same company, but fits it worse.`
  return proof && { ...proof, ...RIVAL, says, supports: company.number }
}

function listReasons(winner: Claimant, loser: Claimant, at: Date): string[] {
  const tie = tieOf(loser, winner)
  const reasons = [
    winner.isCertified && !loser.isCertified && 'its certificate names the company',
    tie === 'address' && `the pages of ${loser.site} give it as their own address`,
    tie === 'link' && `${loser.site} links to it`,
    tie === 'mail' && `${loser.site} gives mail addresses there`,
    isNamed(winner) && !isNamed(loser) && 'its domain is the company’s name',
    winner.isImported && !loser.isImported && 'an imported list gives it for the company',
    winner.isVerified && 'it is the verified site of the company',
    winner.state === 'held' &&
      isKnownFor(1, winner.firstSeenAt, at) &&
      winner.firstSeenAt < loser.firstSeenAt &&
      `we have known it since ${winner.firstSeenAt.toISOString().slice(0, 10)}`,
  ].filter((reason) => reason !== false)
  return reasons.length > 0 ? reasons : ['more connects it with the company']
}

/** The quotation of a stored claim, for the evidence of another answer. */
export function proofOf({ proof }: StoredClaim): EvidenceItem | null {
  return proof && { ...proof, strength: 'against', fetchedAt: new Date(proof.fetchedAt) }
}

function toStored(item: EvidenceItem): StoredEvidence {
  return { ...item, fetchedAt: item.fetchedAt.toISOString() }
}
