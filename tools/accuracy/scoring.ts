/**
 * Computes the figures of a set of answers, as the worlds define them. Pure, so that fitting the calibration scores in the
 * same way as the report.
 */

import type { Label } from '../../rig/labels.ts'
import type { Answer } from './answer.ts'
import { expectedCalibrationError, type ReliabilityBin, toClaim, toReliability } from './calibration.ts'
import { share, wilsonLowerBound } from './proportion.ts'

export interface Figures {
  sites: number
  /** Number of answers with an accepted outcome and, if matched, the right company number. */
  right: number
  wrongMatches: number
  precision: number | null
  precisionLower: number | null
  recall: number | null
  recallOnlyMatch: number | null
  outcomeAccuracy: number | null
  reviewRate: number | null
  ece: number | null
}

/** The counts that every rate is computed from. Those of several sets of answers can be added. */
export interface Counts {
  sites: number
  right: number
  matches: number
  rightMatches: number
  toBeMatched: number
  found: number
  /** Labels for which only a match is right: `matched`, and a review is not accepted. */
  onlyMatch: number
  onlyMatchFound: number
}

export const RATES = ['precision', 'recall', 'recallOnlyMatch', 'outcomeAccuracy'] as const
export type Rate = (typeof RATES)[number]
export type Rates = Record<Rate, number | null>

/** One answer compared with its label. */
export interface ScoredAnswer {
  label: Label
  answer: Answer
  isRight: boolean
  isWrongMatch: boolean
  /** For a correct review: companies that should be candidates, but are not. */
  missingCandidates: string[]
}

export interface Score {
  figures: Figures
  /** By name, in the order of the alphabet. */
  strata: Map<string, Figures>
  /** Label's outcome → answer's outcome → sites. */
  confusion: Map<string, Map<string, number>>
  reliability: ReliabilityBin[]
  scoredAnswers: ScoredAnswer[]
}

export function scoreAnswers(answers: readonly Answer[], labels: readonly Label[]): Score {
  const byDomain = new Map(answers.map((answer) => [answer.domain, answer]))
  const scoredAnswers = labels.map((label) => {
    const answer = byDomain.get(label.domain)
    if (!answer) throw new Error(`there is no answer for ${label.domain}`)
    return scoreAnswer(answer, label)
  })
  const names = [...new Set(labels.map((label) => label.stratum))].sort()
  return {
    figures: toFigures(scoredAnswers),
    strata: new Map(
      names.map((name) => [name, toFigures(scoredAnswers.filter(({ label }) => label.stratum === name))]),
    ),
    confusion: toConfusion(scoredAnswers),
    reliability: toReliability(listClaims(scoredAnswers)),
    scoredAnswers,
  }
}

export function scoreAnswer(answer: Answer, label: Label): ScoredAnswer {
  const isAllowed = answer.outcome === label.outcome || label.accept.some((outcome) => outcome === answer.outcome)
  const isMatch = answer.outcome === 'matched'
  const isRightNumber = answer.companyNumber !== null && label.companyNumbers.includes(answer.companyNumber)
  const isRight = isAllowed && (!isMatch || isRightNumber)
  const isReview = answer.outcome === 'needs_review' && label.outcome === 'needs_review'
  return {
    label,
    answer,
    isRight,
    isWrongMatch: isMatch && !isRight,
    missingCandidates: isReview ? label.companyNumbers.filter((number) => !answer.candidates.includes(number)) : [],
  }
}

export function countAnswers(scoredAnswers: readonly ScoredAnswer[]): Counts {
  const count = (isCounted: (scoredAnswer: ScoredAnswer) => boolean) => scoredAnswers.filter(isCounted).length
  const isMatch = ({ answer }: ScoredAnswer) => answer.outcome === 'matched'
  const isRightMatch = (scoredAnswer: ScoredAnswer) => isMatch(scoredAnswer) && scoredAnswer.isRight
  // A label that only accepts a match is not among those to be found, so it cannot make up for one that was missed.
  const isToBeMatched = ({ label }: ScoredAnswer) => label.outcome === 'matched'
  const isOnlyMatch = ({ label }: ScoredAnswer) => label.outcome === 'matched' && !label.accept.includes('needs_review')
  return {
    sites: scoredAnswers.length,
    right: count(({ isRight }) => isRight),
    matches: count(isMatch),
    rightMatches: count(isRightMatch),
    toBeMatched: count(isToBeMatched),
    found: count((scoredAnswer) => isToBeMatched(scoredAnswer) && isRightMatch(scoredAnswer)),
    onlyMatch: count(isOnlyMatch),
    onlyMatchFound: count((scoredAnswer) => isOnlyMatch(scoredAnswer) && isRightMatch(scoredAnswer)),
  }
}

export function toRates(counts: Counts): Rates {
  return {
    precision: share(counts.rightMatches, counts.matches),
    recall: share(counts.found, counts.toBeMatched),
    recallOnlyMatch: share(counts.onlyMatchFound, counts.onlyMatch),
    outcomeAccuracy: share(counts.right, counts.sites),
  }
}

export function toFigures(scoredAnswers: readonly ScoredAnswer[]): Figures {
  const counts = countAnswers(scoredAnswers)
  const reviews = scoredAnswers.filter(({ answer }) => answer.outcome === 'needs_review').length
  return {
    sites: counts.sites,
    right: counts.right,
    wrongMatches: counts.matches - counts.rightMatches,
    precisionLower: wilsonLowerBound(counts.rightMatches, counts.matches),
    ...toRates(counts),
    reviewRate: share(reviews, counts.sites),
    ece: expectedCalibrationError(toReliability(listClaims(scoredAnswers))),
  }
}

function listClaims(scoredAnswers: readonly ScoredAnswer[]) {
  return scoredAnswers.map(({ answer, label }) => toClaim(answer, label)).filter((claim) => claim !== null)
}

function toConfusion(scoredAnswers: readonly ScoredAnswer[]): Score['confusion'] {
  const confusion: Score['confusion'] = new Map()
  for (const { label, answer } of scoredAnswers) {
    const row = confusion.get(label.outcome) ?? new Map<string, number>()
    row.set(answer.outcome, (row.get(answer.outcome) ?? 0) + 1)
    confusion.set(label.outcome, row)
  }
  return confusion
}
