import type { Label } from '../../rig/labels.ts'
import type { Answer } from './answer.ts'

/** How often candidates that were given about this confidence turned out to be the right ones. */
export interface ReliabilityBin {
  from: number
  to: number
  answers: number
  /** Means over the bin's answers; null when it is empty. */
  confidence: number | null
  correct: number | null
}

/** A claimed probability, and the truth: 1, 0, or a share if the truth is one of several companies. */
export interface Claim {
  confidence: number
  correct: number
}

const BINS = 10

/**
 * Confidence is the probability that the best candidate runs the site, whatever the outcome. So the best candidate is
 * correct when it is the label's company, also where the answer was left for review. Where a label names n companies,
 * one of them is right and it is unknown which: each then counts 1/n. Where it names none, no candidate is right.
 * Null for an answer without a best candidate, which claims nothing.
 */
export function toClaim(answer: Answer, label: Label): Claim | null {
  if (answer.confidence === null) return null
  const [best] = answer.candidates
  const isNamed = best !== undefined && label.companyNumbers.includes(best)
  return { confidence: answer.confidence, correct: isNamed ? 1 / label.companyNumbers.length : 0 }
}

/** Ten bins of equal width; a bin holds its lower edge, the last one also 1. */
export function toReliability(claims: readonly Claim[]): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, index) => {
    const inside = claims.filter((claim) => binOf(claim.confidence) === index)
    return {
      from: index / BINS,
      to: (index + 1) / BINS,
      answers: inside.length,
      confidence: mean(inside.map((claim) => claim.confidence)),
      correct: mean(inside.map((claim) => claim.correct)),
    }
  })
}

/** Expected calibration error: the distance between claimed and true in each bin, weighted by its answers. */
export function expectedCalibrationError(bins: readonly ReliabilityBin[]): number | null {
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0)
  if (answers === 0) return null
  return (
    bins.reduce((sum, bin) => sum + bin.answers * Math.abs((bin.confidence ?? 0) - (bin.correct ?? 0)), 0) / answers
  )
}

function binOf(confidence: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(confidence * BINS)))
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
