/**
 * `node tools/fit-calibration.ts <answers.jsonl> …`: measures, over the answers of `npm run accuracy -- <world> --dump`,
 * how often the best candidate was right in each situation, and writes src/resolver/match/calibration.json. The error on
 * parts it was not fitted on is printed: five folds, split by company.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Label } from '../rig/labels.ts'
import { rateKey } from '../src/resolver/match/calibration.ts'
import type { Situation } from '../src/resolver/resolution.ts'
import type { Answer } from './accuracy/answer.ts'
import { type Claim, expectedCalibrationError, toClaim, toReliability } from './accuracy/calibration.ts'
import { foldOf } from './accuracy/folds.ts'

const FOLDS = 5
/** The precision on the latest worlds that the rules had not seen when they were first run on them: 198 of 201 matches. */
const CAP = 0.985
/** As if one had been right and one wrong before anything was measured: few answers prove little. */
const PRIOR = { right: 1, of: 2 }

interface Line {
  label: Label
  answer: Answer
  resolution: { situation: Situation; candidates: unknown[] }
}

interface Sample {
  key: string
  fold: number
  label: Label
  answer: Answer
  right: number
}

const files = process.argv.slice(2)
if (files.length === 0 || files.includes('--help')) {
  console.error('Usage: node tools/fit-calibration.ts <answers.jsonl> …')
  process.exit(2)
}
const samples = files.flatMap(readSamples)
const rates = fit(samples)
const heldOut = Array.from({ length: FOLDS }, (_, fold) => {
  const fitted = fit(samples.filter((sample) => sample.fold !== fold))
  return claimsWith(
    fitted,
    samples.filter((sample) => sample.fold === fold),
  )
})
const calibration = { version: new Date().toISOString().slice(0, 10), answers: samples.length, cap: CAP, rates }
writeFileSync(
  join(import.meta.dirname, '../src/resolver/match/calibration.json'),
  `${JSON.stringify(calibration, null, 2)}\n`,
)
console.log(
  JSON.stringify(
    {
      ...calibration,
      error: errorOf(claimsWith(rates, samples)),
      held_out_error: errorOf(heldOut.flat()),
      held_out_by_fold: heldOut.map(errorOf),
    },
    null,
    2,
  ),
)

function readSamples(file: string): Sample[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((text): Sample[] => {
      const { label, answer, resolution } = JSON.parse(text) as Line
      const claim = toClaim(answer, label)
      if (claim === null) return []
      const key = rateKey({ situation: resolution.situation, candidates: resolution.candidates.length })
      return [{ key, fold: foldOf(label, FOLDS), label, answer, right: claim.correct }]
    })
}

function fit(from: Sample[]): Record<string, number> {
  const counts = new Map<string, { right: number; of: number }>()
  for (const { key, right } of from) {
    const count = counts.get(key) ?? { ...PRIOR }
    counts.set(key, { right: count.right + right, of: count.of + 1 })
  }
  return Object.fromEntries(
    [...counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([key, { right, of }]) => [key, Math.round((right / of) * 1_000) / 1_000]),
  )
}

function claimsWith(fitted: Record<string, number>, tested: Sample[]): Claim[] {
  return tested.map(({ key, right }) => ({ confidence: Math.min(CAP, fitted[key] ?? 0.5), correct: right }))
}

function errorOf(claims: Claim[]): number {
  return Math.round((expectedCalibrationError(toReliability(claims)) ?? 0) * 10_000) / 10_000
}
