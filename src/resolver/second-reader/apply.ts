import { isOwnName } from '../extract/relate-names.ts'
import type { Case, Verdict } from '../match/case.ts'
import { present } from '../match/present.ts'
import { FITTED, stateAs, UNMEASURED } from '../match/weigh.ts'
import type { Decision } from '../read/messages.ts'
import type { EvidenceItem } from '../resolution.ts'
import type { ReaderCase } from './case.ts'
import type { CheckAnswer, FindAnswer } from './task.ts'
import { type Refusal, type Verified, verifyFound, verifyObjection } from './verify.ts'

/** The decision after a second reader's answer, or why the decision of the rules is kept. */
export type Applied = { decision: Decision } | { refused: Refusal }

type Ruled = { verdict: Verdict; site: Case }

/** Returns a match that the second reader found. */
export function applyFound({ verdict, site }: Ruled, answer: FindAnswer, readerCase: ReaderCase): Applied {
  const verified = verifyFound(answer, site, readerCase)
  if (!verified.holds) return { refused: verified.why }
  const { dossier } = verified
  const others = verdict.candidates.filter((one) => one !== dossier)
  const found: Verdict = {
    outcome: 'matched',
    situation: 'proven',
    reason: `The site names ${dossier.company.name} as its operator: a second reader found the words, and we found them on the page.`,
    candidates: [dossier, ...others],
  }
  const decision = present(found, site)
  const { own_name, named_stranger } = FITTED.caps
  const confidence = isOwnName(dossier.relation) ? own_name : named_stranger
  return { decision: withReading(decision, verified, { answer, confidence, strength: 'strong' }) }
}

/** Returns a match that goes to a person, because the second reader objects to it. */
export function applyObjection({ verdict, site }: Ruled, answer: CheckAnswer): Applied {
  const ruled = present(verdict, site)
  const verified = verifyObjection(answer, site, ruled.company?.number ?? '')
  if (!verified.holds) return { refused: verified.why }
  const reason = `The rules and the second reader disagree. ${toSentence(answer.why)}`
  const objected: Decision = {
    ...ruled,
    outcome: 'needs_review',
    situation: 'objected',
    company: null,
    claim: null,
    reason,
  }
  return { decision: withReading(objected, verified, { answer, confidence: UNMEASURED, strength: 'against' }) }
}

interface Reading {
  answer: FindAnswer | CheckAnswer
  confidence: number
  strength: EvidenceItem['strength']
}

/** Adds the quote to the evidence, and a line to the argument that makes its sum the stated confidence. */
function withReading(decision: Decision, verified: Verified & { holds: true }, reading: Reading): Decision {
  const { dossier, page, quote } = verified
  const { confidence, strength } = reading
  const says = toSentence(reading.answer.why)
  const [best, ...others] = decision.candidates
  return {
    ...decision,
    confidence,
    candidates: best ? [{ ...best, confidence, reasons: [says, ...best.reasons] }, ...others] : [],
    explanation: stateAs(decision.explanation, confidence, {
      kind: strength === 'against' ? 'veto' : 'evidence',
      name: 'second_reader',
      level: strength === 'against' ? 'objects' : 'found',
      says,
      found: quote,
      registered: dossier.company.name,
    }),
    evidence: [
      {
        kind: 'second_reader',
        supports: dossier.company.number,
        strength,
        says,
        quote,
        url: page.url,
        fetchedAt: page.fetchedAt,
        contentSha256: page.sha256,
      },
      ...decision.evidence,
    ],
  }
}

const WHY_MAX = 300

/** The reader's reason as plain text that ends with a full stop. */
function toSentence(why: string): string {
  const words = why
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, WHY_MAX)
  return /[.!?]$/.test(words) ? words : `${words}.`
}
