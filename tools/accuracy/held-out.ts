/** How well calibrated the answers on a world are with weights that were fitted without it. Pure. */
import { addUp, type Weights } from '../../src/resolver/match/weigh.ts'
import type { Explanation } from '../../src/resolver/resolution.ts'
import type { ResolvedSite } from './answer.ts'
import { type Claim, expectedCalibrationError, toClaim, toReliability } from './calibration.ts'
import type { ScoredAnswer } from './scoring.ts'
import fitted from './weights-without.json' with { type: 'json' }

const WEIGHTS_WITHOUT: Partial<Record<string, Weights>> = fitted

/** Returns the calibration error; null for a world that the weights were never fitted with. */
export function measureHeldOutError(
  world: string,
  scoredAnswers: readonly ScoredAnswer[],
  sites: ReadonlyMap<string, ResolvedSite>,
): number | null {
  const weights = WEIGHTS_WITHOUT[world]
  if (!weights) return null
  const claims = scoredAnswers.flatMap(({ answer, label }): Claim[] => {
    const claim = toClaim(answer, label)
    const explanation = sites.get(label.domain)?.resolution?.explanation
    return claim && explanation ? [{ ...claim, confidence: restate(explanation, weights) }] : []
  })
  return expectedCalibrationError(toReliability(claims))
}

/** Returns the confidence that an answer would have had with other weights. */
export function restate({ features: shown }: Pick<Explanation, 'features'>, weights: Weights): number {
  const features = shown.filter(({ kind }) => kind === 'evidence')
  const veto = shown.find(({ kind }) => kind === 'veto') ?? null
  return addUp({ features, veto }, weights).confidence
}
