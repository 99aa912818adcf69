import type { ExplainedFeature, Explanation } from '../resolution.ts'
import type { Case, Verdict } from './case.ts'
import type { Dossier } from './dossier.ts'
import { type Feature, findVeto, listFeatures } from './features.ts'
import fitted from './weights.json' with { type: 'json' }

/** The weights that tools/fit-weights.ts fits, in bits: the base-2 logarithm of how much likelier a feature makes it. */
export interface Weights {
  /** By name and level of a feature: `disclosure.number_name`. */
  weights: Partial<Record<string, number>>
  /** The log-odds that matches with about this sum had, in bits: both rise. Between two points it is a line. */
  calibration: ReadonlyArray<{ sum: number; bits: number }>
  /** How often the best candidate was right where this veto held. */
  vetoes: Partial<Record<string, number>>
  /** The most that is ever stated: the precision of matches on sites that the rules had not seen. */
  caps: { own_name: number; named_stranger: number; stranger: number }
}

export const FITTED: Weights = fitted
export const WEIGHTS_VERSION: string = fitted.version

/** One company in 5.7 million, before any page is read. */
export const PRIOR = -22.4

/** The least that is stated. Below it, four decimals would not carry the log-odds. */
const LEAST = 0.002

/** For a veto that was never measured: as likely as not. */
export const UNMEASURED = 0.5

export interface Weighed {
  dossier: Dossier
  features: ExplainedFeature[]
  total: number
  confidence: number
}

/** Weighs a company: the prior and the weights of its features are the log-odds of its confidence. */
export function weigh(dossier: Dossier, site: Case, verdict: Verdict): Weighed {
  return { dossier, ...addUp({ features: listFeatures(dossier, site), veto: findVeto(dossier, verdict) }) }
}

interface Argument {
  features: readonly Feature[]
  veto: Feature | null
}

/**
 * Adds up the evidence. A veto takes what is more than its own rate. The last line calibrates: it makes the sum what was
 * measured on labelled sites, for matches with this sum or, under a veto, for best candidates in that situation.
 */
export function addUp({ features, veto }: Argument, fit: Weights = FITTED): Omit<Weighed, 'dossier'> {
  const lines: ExplainedFeature[] = features.map((one) => ({
    ...one,
    weight: fit.weights[`${one.name}.${one.level}`] ?? 0,
  }))
  const sum = lines.reduce((bits, { weight }) => bits + weight, PRIOR)
  const cap = fit.caps[nameKindOf(features)]
  const measured = toProbability(calibrate(sum, fit.calibration))
  const rate = veto ? (fit.vetoes[veto.level] ?? UNMEASURED) : null
  const confidence = roundTo(4, Math.max(LEAST, Math.min(cap, rate ?? measured)))
  const total = toBits(confidence)
  const vetoed = veto ? roundTo(2, Math.min(0, total - sum)) : 0
  if (veto) lines.push({ ...veto, weight: vetoed })
  lines.push({
    ...CALIBRATION,
    says: describeCalibration(rate, measured, cap),
    weight: roundTo(2, total - sum - vetoed),
  })
  return { features: lines, total, confidence }
}

/** `named_stranger`: a company of another name, in a sentence that names this site. */
function nameKindOf(features: ReadonlyArray<Pick<Feature, 'name' | 'level'>>): keyof Weights['caps'] {
  const levelOf = (wanted: string) => features.find(({ name }) => name === wanted)?.level ?? ''
  if (['same', 'contains'].includes(levelOf('site_name'))) return 'own_name'
  return levelOf('role') === 'operator_by_name' ? 'named_stranger' : 'stranger'
}

function describeCalibration(rate: number | null, measured: number, cap: number): string {
  if ((rate ?? measured) > cap)
    return `On sites that the rules had not seen, about ${roundTo(1, cap * 100)}% of such matches were right: we state no more.`
  return rate === null
    ? 'Measured on labelled sites: how often matches with this sum were right.'
    : 'Measured on labelled sites: how often the best candidate was right in such a case.'
}

/** Returns the log-odds measured for a sum. */
function calibrate(sum: number, points: Weights['calibration']): number {
  const after = points.findIndex((point) => point.sum >= sum)
  const [low, high] = [points[after - 1], points[after]]
  if (high === undefined) return points.at(-1)?.bits ?? sum
  if (low === undefined) return high.bits
  return low.bits + ((sum - low.sum) / (high.sum - low.sum)) * (high.bits - low.bits)
}

const CALIBRATION = { kind: 'calibration', name: 'calibration', level: '', found: null, registered: null } as const

/** Adds the veto of another site that claims the company. */
export function addVeto(explanation: Explanation, says: string): Explanation {
  const veto = { kind: 'veto', name: 'veto', level: 'contested', says, found: null, registered: null } as const
  return stateAs(explanation, UNMEASURED, veto)
}

/** Adds a line that makes the sum the log-odds of this confidence. */
export function stateAs(
  explanation: Explanation,
  confidence: number,
  line: Omit<ExplainedFeature, 'weight'>,
): Explanation {
  const total = toBits(confidence)
  const added = { ...line, weight: roundTo(2, total - explanation.total) }
  const margin = explanation.runnerUp && roundTo(2, total - explanation.runnerUp.total)
  return { ...explanation, features: [...explanation.features, added], total, margin }
}

const toProbability = (bits: number) => 1 / (1 + 2 ** -bits)
const toBits = (probability: number) => roundTo(2, Math.log2(probability / (1 - probability)))
export const roundTo = (decimals: number, value: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
