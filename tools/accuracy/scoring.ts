/**
 * The figures of a set of answers, as the worlds define them. Pure, so that whoever fits the resolver's calibration
 * scores with the same words as the report.
 */

import type { Label } from '../../rig/labels.ts'
import type { Answer } from './answer.ts'
import { expectedCalibrationError, type ReliabilityBin, toClaim, toReliability } from './calibration.ts'
import { share, wilsonLowerBound } from './proportion.ts'

export interface Figures {
  sites: number
  /** Answers equal to the label's outcome or to one it accepts, with the right number where matched. */
  right: number
  wrongMatches: number
  precision: number | null
  precisionLower: number | null
  recall: number | null
  outcomeAccuracy: number | null
  reviewRate: number | null
  ece: number | null
}

/** One site held against its label. */
export interface Verdict {
  label: Label
  answer: Answer
  isRight: boolean
  isWrongMatch: boolean
  /** Of a review that was rightly asked for: companies that had to be offered and were not. */
  missingCandidates: string[]
}

export interface Score {
  figures: Figures
  /** By name, in the order of the alphabet. */
  strata: Map<string, Figures>
  /** Label's outcome → answer's outcome → sites. */
  confusion: Map<string, Map<string, number>>
  reliability: ReliabilityBin[]
  verdicts: Verdict[]
}

export function scoreAnswers(answers: readonly Answer[], labels: readonly Label[]): Score {
  const byDomain = new Map(answers.map((answer) => [answer.domain, answer]))
  const verdicts = labels.map((label) => {
    const answer = byDomain.get(label.domain)
    if (!answer) throw new Error(`there is no answer for ${label.domain}`)
    return judge(answer, label)
  })
  const names = [...new Set(labels.map((label) => label.stratum))].sort()
  return {
    figures: toFigures(verdicts),
    strata: new Map(names.map((name) => [name, toFigures(verdicts.filter(({ label }) => label.stratum === name))])),
    confusion: toConfusion(verdicts),
    reliability: toReliability(listClaims(verdicts)),
    verdicts,
  }
}

export function judge(answer: Answer, label: Label): Verdict {
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

export function toFigures(verdicts: readonly Verdict[]): Figures {
  const matches = verdicts.filter(({ answer }) => answer.outcome === 'matched')
  const rightMatches = matches.filter((verdict) => verdict.isRight)
  const toBeMatched = verdicts.filter(({ label }) => label.outcome === 'matched')
  // A label that only accepts a match is not among those to be found, so it cannot make up for one that was missed.
  const found = rightMatches.filter(({ label }) => label.outcome === 'matched')
  const right = verdicts.filter((verdict) => verdict.isRight).length
  const reviews = verdicts.filter(({ answer }) => answer.outcome === 'needs_review').length
  return {
    sites: verdicts.length,
    right,
    wrongMatches: matches.length - rightMatches.length,
    precision: share(rightMatches.length, matches.length),
    precisionLower: wilsonLowerBound(rightMatches.length, matches.length),
    recall: share(found.length, toBeMatched.length),
    outcomeAccuracy: share(right, verdicts.length),
    reviewRate: share(reviews, verdicts.length),
    ece: expectedCalibrationError(toReliability(listClaims(verdicts))),
  }
}

function listClaims(verdicts: readonly Verdict[]) {
  return verdicts.map(({ answer, label }) => toClaim(answer, label)).filter((claim) => claim !== null)
}

function toConfusion(verdicts: readonly Verdict[]): Score['confusion'] {
  const confusion: Score['confusion'] = new Map()
  for (const { label, answer } of verdicts) {
    const row = confusion.get(label.outcome) ?? new Map<string, number>()
    row.set(answer.outcome, (row.get(answer.outcome) ?? 0) + 1)
    confusion.set(label.outcome, row)
  }
  return confusion
}
