import type { ResolvedSite } from './answer.ts'
import type { ExplanationGap } from './explanation-gap.ts'
import { FOLD_FIGURES, type Folds } from './folds.ts'
import type { Naming, Part } from './naming.ts'
import type { EmptyQuote } from './quotes.ts'
import { type Figures, RATES, type Rates, type Score, type ScoredAnswer } from './scoring.ts'
import type { ReaderCost, ReaderScore } from './second-reader.ts'
import type { Interval, ShapeScore } from './shapes.ts'
import type { ReverseScore } from './websites.ts'

/** Everything a run found out, from which each form of the report is written. */
export interface Report {
  world: string
  /** The stratum or domain the run was narrowed to. */
  only: string | null
  /** The cues that this world taught and that were switched off; null if all were on. */
  cuesOff: readonly string[] | null
  ranAt: Date
  companies: number
  score: Score
  /** The whole world per shape. */
  shapes: ShapeScore
  namings: ReadonlyMap<ScoredAnswer, Naming>
  parts: ReadonlyMap<Naming, Part>
  /** Null without answers. */
  largestGap: ExplanationGap | null
  /** Quotes that do not contain the words that they are quoted for. */
  emptyQuotes: readonly EmptyQuote[]
  /** The calibration error with weights fitted without this world; null for a world that no weights were fitted with. */
  heldOutError: number | null
  /** Company to domain, with what the run had found out about domains. */
  reverse: ReverseScore
  /** The same by nothing but the companies' names, of those whose domain can be guessed. */
  guessed: ReverseScore
  folds: Folds | null
  /** Null without a second reader. */
  reader: (ReaderScore & { usage: ReaderCost | null; answered: number | null }) | null
  /** The questions to a second reader, a line of JSON each. */
  questions: string
  /** By domain. */
  sites: ReadonlyMap<string, ResolvedSite>
  /** By company number, of every company that an answer or a label names. */
  companyNames: ReadonlyMap<string, string>
  /** From the first question to the last answer. */
  seconds: number
}

/** For programs. The names of the first line of members are a promise; what follows them may grow. */
export function presentReport(report: Report): Record<string, unknown> {
  const { score, reverse, guessed, folds, seconds } = report
  const strata = [...score.strata].map(([name, figures]) => [name, presentStratum(figures)] as const)
  return {
    ...presentFigures(score.figures),
    reverse: { ...presentReverse(reverse), guessed: presentReverse(guessed) },
    strata: Object.fromEntries(strata),
    seconds: rounded(seconds),
    sites_per_second: rounded(score.figures.sites / seconds),
    errors: listErrors(report).length,
    cues_off: report.cuesOff,
    quotes_without_words: report.emptyQuotes.length,
    ece_without_own_weights: rounded(report.heldOutError),
    explanation_gap_max: rounded(report.largestGap?.gap ?? null),
    intervals: presentIntervals(RATES, report.shapes.intervals.sites),
    shapes: presentShapes(report.shapes),
    by_name: Object.fromEntries([...report.parts].map(([naming, part]) => [naming, presentPart(part)])),
    confusion: Object.fromEntries([...score.confusion].map(([outcome, row]) => [outcome, Object.fromEntries(row)])),
    reliability: score.reliability.map((bin) => ({
      ...bin,
      confidence: rounded(bin.confidence),
      correct: rounded(bin.correct),
    })),
    ...(folds ? { folds: presentFolds(folds) } : {}),
    ...(report.reader ? { second_reader: { ...report.reader, without: presentFigures(report.reader.without) } } : {}),
  }
}

function presentReverse({ precision, recall, wrong }: ReverseScore): Record<string, number | null> {
  return { precision: rounded(precision), recall: rounded(recall), wrong }
}

function presentFigures(figures: Figures): Record<string, number | null> {
  return {
    sites: figures.sites,
    wrong_matches: figures.wrongMatches,
    precision: rounded(figures.precision),
    precision_lower: rounded(figures.precisionLower),
    recall: rounded(figures.recall),
    recall_only_match: rounded(figures.recallOnlyMatch),
    outcome_accuracy: rounded(figures.outcomeAccuracy),
    review_rate: rounded(figures.reviewRate),
    ece: rounded(figures.ece),
  }
}

function presentStratum(figures: Figures): Record<string, number | null> {
  return {
    sites: figures.sites,
    right: figures.right,
    wrong_matches: figures.wrongMatches,
    recall: rounded(figures.recall),
    outcome_accuracy: rounded(figures.outcomeAccuracy),
  }
}

function presentPart({ figures, shapes }: Part): object {
  return {
    ...presentFigures(figures),
    intervals: presentIntervals(RATES, shapes.intervals.sites),
    shapes: presentShapes(shapes),
  }
}

function presentShapes({ shapes, right, withWrongMatch, rightShare, means, intervals }: ShapeScore): object {
  return {
    shapes,
    right,
    with_wrong_match: withWrongMatch,
    right_share: rounded(rightShare),
    means: presentRates(means),
    intervals: presentIntervals([...RATES, 'rightShare'], intervals.shapes),
  }
}

function presentRates(rates: Rates): object {
  return Object.fromEntries(RATES.map((rate) => [snakeCase(rate), rounded(rates[rate])]))
}

function presentIntervals<Name extends string>(
  names: readonly Name[],
  intervals: Record<Name, Interval | null>,
): object {
  return Object.fromEntries(names.map((name) => [snakeCase(name), intervals[name]?.map(rounded) ?? null]))
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function presentFolds({ folds, worstDifference }: Folds): object {
  return {
    each: folds.map(presentFigures),
    worst_difference: Object.fromEntries(
      FOLD_FIGURES.map((figure) => [snakeCase(figure), rounded(worstDifference[figure])]),
    ),
  }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(6))
}

/** The answers that are not right: wrong matches first, as they cost most, then by the kind of case. */
export function listMistakes(report: Report): ScoredAnswer[] {
  const weight = (scoredAnswer: ScoredAnswer) =>
    scoredAnswer.isWrongMatch ? 0 : scoredAnswer.answer.outcome === 'error' ? 1 : 2
  return report.score.scoredAnswers
    .filter((scoredAnswer) => !scoredAnswer.isRight)
    .sort(
      (a, b) =>
        weight(a) - weight(b) ||
        a.label.stratum.localeCompare(b.label.stratum) ||
        a.label.domain.localeCompare(b.label.domain),
    )
}

export function listErrors(report: Report): ResolvedSite[] {
  return [...report.sites.values()].filter((site) => site.error !== null)
}

/** Reviews that were rightly asked for, but without a company that had to be offered. */
export function listIncompleteReviews(report: Report): ScoredAnswer[] {
  return report.score.scoredAnswers.filter((scoredAnswer) => scoredAnswer.missingCandidates.length > 0)
}
