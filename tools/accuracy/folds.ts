/** The same figures on parts of the sites: what was tuned on some must hold on the others. */
import { createHash } from 'node:crypto'
import type { Label } from '../../rig/labels.ts'
import { type Figures, type Score, toFigures } from './scoring.ts'

export interface Folds {
  folds: Figures[]
  /** The largest distance between two folds, for each figure that has one. */
  worstDifference: Record<FoldFigure, number | null>
}

export const FOLD_FIGURES = ['precision', 'recall', 'outcomeAccuracy', 'reviewRate', 'ece'] as const
export type FoldFigure = (typeof FOLD_FIGURES)[number]

/**
 * Which fold a site belongs to: always the same one, in any world and any order. The company decides where there is
 * one, so that two domains of a company are never on both sides.
 */
export function foldOf(label: Pick<Label, 'domain' | 'companyNumbers'>, folds: number): number {
  const key = label.companyNumbers[0] ?? label.domain
  return createHash('sha256').update(key).digest().readUInt32BE(0) % folds
}

export function scoreFolds(scoredAnswers: Score['scoredAnswers'], count: number): Folds {
  const folds = Array.from({ length: count }, (_, fold) =>
    toFigures(scoredAnswers.filter(({ label }) => foldOf(label, count) === fold)),
  )
  const difference = (figure: FoldFigure) => {
    const values = folds.map((fold) => fold[figure]).filter((value) => value !== null)
    return values.length === 0 ? null : Math.max(...values) - Math.min(...values)
  }
  const worstDifference = Object.fromEntries(FOLD_FIGURES.map((figure) => [figure, difference(figure)]))
  return { folds, worstDifference: worstDifference as Folds['worstDifference'] }
}
