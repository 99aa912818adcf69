/** The parts of the accuracy report that keep it honest: strangers apart, shapes, intervals, explanations, first runs. */
import { expect, test } from 'vitest'
import type { Label } from '../rig/labels.ts'
import type { Resolution } from '../src/resolver/resolution.ts'
import type { Answer, ResolvedSite } from '../tools/accuracy/answer.ts'
import { findLargestGap, measureGap } from '../tools/accuracy/explanation-gap.ts'
import { toFirstRunsTable } from '../tools/accuracy/figure-tables.ts'
import { FIRST_RUNS } from '../tools/accuracy/first-runs.ts'
import { classifyNaming, type NamedWorld, scoreNamings } from '../tools/accuracy/naming.ts'
import { type ScoredAnswer, scoreAnswer, toFigures } from '../tools/accuracy/scoring.ts'
import { bootstrap, scoreShapes } from '../tools/accuracy/shapes.ts'
import { describeCues } from '../tools/accuracy/wording.ts'

const OURS = '00000001'
const OTHER = '00000002'

function scored(
  { outcome = 'matched', accept = [], ...label }: Partial<Label>,
  answered: Answer['outcome'],
  candidates: string[] = [OURS],
): ScoredAnswer {
  const expected = { domain: 'a.co.uk', companyNumbers: [OURS], stratum: 's', note: '', ...label, outcome, accept }
  const companyNumber = answered === 'matched' ? (candidates[0] ?? null) : null
  const answer = { domain: expected.domain, outcome: answered, confidence: null, companyNumber, candidates }
  return scoreAnswer(answer, expected)
}

test('recall where only a match is right leaves out labels that accept a review', () => {
  const figures = toFigures([
    scored({}, 'matched'),
    scored({}, 'no_match'),
    scored({}, 'matched', [OTHER]),
    scored({ accept: ['needs_review'] }, 'needs_review'),
    scored({ accept: ['no_match'] }, 'matched'),
    scored({ outcome: 'needs_review', accept: ['matched'] }, 'matched'),
  ])
  expect(figures).toMatchObject({ recall: 2 / 5, recallOnlyMatch: 2 / 4 })
  expect(toFigures([scored({ accept: ['needs_review'] }, 'matched')]).recallOnlyMatch).toBeNull()
})

function world(domain: string, brands: string[], names: Record<string, string[]>): NamedWorld {
  const identity = {
    domain,
    label: domain.split('.')[0] ?? '',
    askedLabel: null,
    brands: brands.map((name) => ({ name, key: name.toUpperCase() })),
  }
  const companies = Object.entries(names).map(([number, [name = '', ...former]]) => {
    return [number, { name, previousNames: former.map((one) => ({ name: one, ceased_on: null })) }] as const
  })
  const isRare = (word: string) => word === 'QUILLBROOK'
  return { identities: new Map([['a.co.uk', identity]]), companies: new Map(companies), isRare }
}

test.each<[string, Partial<Label>, string[], NamedWorld, string]>([
  ['own by the domain', {}, [], world('quillbrook.co.uk', [], { [OURS]: ['QUILLBROOK LIMITED'] }), 'own_name'],
  [
    'own by a brand',
    {},
    [],
    world('qb1.co.uk', ['Mill Lane Joinery'], { [OURS]: ['MILL LANE JOINERY LTD'] }),
    'own_name',
  ],
  [
    'own by a former name',
    {},
    [],
    world('quillbrook.co.uk', [], { [OURS]: ['ZED LIMITED', 'QUILLBROOK LIMITED'] }),
    'own_name',
  ],
  [
    'a stranger',
    {},
    [],
    world('quillbrook.co.uk', ['Quillbrook'], { [OURS]: ['SAXONMERE TRADING LIMITED'] }),
    'stranger',
  ],
  [
    'a stranger that shares one rare word',
    {},
    [],
    world('finequillbrookpets.co.uk', [], { [OURS]: ['QUILLBROOK CARPENTERS LIMITED'] }),
    'stranger',
  ],
  [
    'own if one of several companies to offer has the name',
    { outcome: 'needs_review', companyNumbers: [OURS, OTHER] },
    [],
    world('quillbrook.co.uk', [], { [OURS]: ['SAXONMERE LIMITED'], [OTHER]: ['QUILLBROOK HOLDINGS LIMITED'] }),
    'own_name',
  ],
  [
    'the label’s company and not the candidate',
    {},
    [OTHER],
    world('quillbrook.co.uk', [], { [OURS]: ['SAXONMERE LIMITED'], [OTHER]: ['QUILLBROOK LIMITED'] }),
    'stranger',
  ],
  [
    'the best candidate where the label has no company',
    { outcome: 'no_match', companyNumbers: [] },
    [OTHER, OURS],
    world('quillbrook.co.uk', [], { [OURS]: ['SAXONMERE LIMITED'], [OTHER]: ['QUILLBROOK LIMITED'] }),
    'own_name',
  ],
  [
    'neither without any company',
    { outcome: 'no_match', companyNumbers: [] },
    [],
    world('quillbrook.co.uk', [], {}),
    'no_company',
  ],
])('own name or stranger: %s', (_, label, candidates, named, naming) => {
  expect(classifyNaming(scored(label, 'needs_review', candidates), named)).toBe(naming)
})

test('own names and strangers have figures of their own', () => {
  const parts = scoreNamings(
    new Map([
      [scored({}, 'matched'), 'own_name'],
      [scored({}, 'matched'), 'own_name'],
      [scored({}, 'matched', [OTHER]), 'stranger'],
      [scored({}, 'matched'), 'stranger'],
    ]),
  )
  expect(parts.get('own_name')?.figures).toMatchObject({ sites: 2, wrongMatches: 0, precision: 1, recall: 1 })
  expect(parts.get('stranger')?.figures).toMatchObject({ sites: 2, wrongMatches: 1, precision: 0.5, recall: 0.5 })
  expect(parts.get('no_company')).toMatchObject({
    figures: { sites: 0, recall: null },
    shapes: { shapes: 0, rightShare: null },
  })
})

test('a shape is right only if all its sites are, and each shape counts the same in the mean', () => {
  const common = Array.from({ length: 8 }, () => scored({ stratum: 'common' }, 'matched'))
  const shapes = scoreShapes([
    ...common,
    scored({ stratum: 'rare' }, 'matched', [OTHER]),
    scored({ stratum: 'rare' }, 'matched'),
    scored({ stratum: 'none', outcome: 'no_match', companyNumbers: [] }, 'no_match', []),
  ])
  expect(shapes).toMatchObject({ shapes: 3, right: 2, withWrongMatch: 1, rightShare: 2 / 3 })
  // Per site 9 of 10 are found; per shape 1 and ½. The third has nothing to be found.
  expect(shapes.means).toEqual({ precision: 0.75, recall: 0.75, recallOnlyMatch: 0.75, outcomeAccuracy: 2.5 / 3 })
})

test('an interval comes from whole shapes: many sites of one shape do not narrow it', () => {
  const sites = (copies: number) =>
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((stratum) =>
      Array.from({ length: copies }, () => scored({ stratum }, stratum < 'c' ? 'no_match' : 'matched')),
    )
  const [few, many] = [scoreShapes(sites(1)), scoreShapes(sites(50))]
  expect(few.intervals).toEqual(many.intervals)
  const [low = 1, high = 0] = many.intervals.sites.recall ?? []
  // Of 8 shapes drawn again, 6 are found on average; the standard deviation is 1.2.
  expect(low).toBeGreaterThan(0.3)
  expect(low).toBeLessThan(0.55)
  expect(high).toBe(1)
  expect(many.intervals.shapes.rightShare).toEqual(many.intervals.sites.recall)
})

test('the same items give the same interval, and a figure that is never known has none', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const mean = (sample: readonly number[]) => ({
    mean: sample.reduce((sum, value) => sum + value, 0) / sample.length,
    unknown: null,
  })
  const once = bootstrap(items, mean)
  expect(bootstrap(items, mean)).toEqual(once)
  expect(once.unknown).toBeNull()
  // The mean of ten such numbers is 5.5 with a standard deviation of 0.91.
  expect(once.mean?.[0]).toBeCloseTo(3.7, 0)
  expect(once.mean?.[1]).toBeCloseTo(7.3, 0)
  expect(bootstrap([], () => ({ share: null }))).toEqual({ share: null })
})

function explained(confidence: number | null, weights: number[], total: number): Resolution {
  const features = weights.map((weight) => ({ name: 'f', says: '', weight, found: null, registered: null }))
  const explanation = { prior: -2, features, total, runnerUp: null, margin: null, version: '1' }
  return { confidence, explanation } as Resolution
}

test.each<[string, Resolution, number]>([
  ['nothing if the terms add up to the confidence', explained(0.8, [1, 3], 2), 0],
  ['the distance of the confidence', explained(0.5, [1, 3], 2), 2],
  ['the distance of the total', explained(0.8, [1, 3], 5), 3],
  ['only the total without a confidence', explained(null, [], -2), 0],
  ['a finite distance of certainty', explained(1, [1, 3], 2), 48],
])('the gap of an explanation is %s', (_, resolution, bits) => {
  expect(measureGap(resolution)).toBeCloseTo(bits, 10)
})

test('the report names the answer with the largest gap, and leaves out domains without an answer', () => {
  const site = (domain: string, resolution: Resolution | null): ResolvedSite => {
    return { domain, resolution, error: null, milliseconds: 1 }
  }
  const sites = [site('a.uk', explained(0.8, [4], 2)), site('b.uk', explained(0.5, [4], 2)), site('c.uk', null)]
  expect(findLargestGap(sites)).toEqual({ domain: 'b.uk', gap: 2 })
  expect(findLargestGap([])).toBeNull()
})

test.each([
  [null, ''],
  [[], 'No cue was switched off: this world taught none.'],
  [['run_by', 'issuer'], 'Switched off, as this world taught them: run_by, issuer.'],
])('a run says which cues were off: %j', (cuesOff, words) => {
  expect(describeCues({ cuesOff })).toBe(words)
})

test('every first run lies within its intervals, and the page shows it with them', () => {
  const rates = ['precision', 'recall', 'recall_only_match', 'outcome_accuracy'] as const
  for (const run of FIRST_RUNS) {
    expect(run.wrong_matches, run.world).toBeLessThan(run.sites)
    for (const rate of rates) {
      const [low = 0, high = 1] = run.intervals[rate] ?? []
      expect(run[rate] ?? low, `${run.world}: ${rate}`).toBeGreaterThanOrEqual(low)
      expect(run[rate] ?? low, `${run.world}: ${rate}`).toBeLessThanOrEqual(high)
    }
  }
  const { rows } = toFirstRunsTable(FIRST_RUNS.filter(({ world: name }) => name === 'exam-1'))
  expect(rows).toEqual([
    expect.arrayContaining([1297, 8, '98.7% (97.5–99.4%)', '85.3% (82.5–87.7%)', '89.8% (87.1–91.9%)']),
  ])
})
