/** The figures of the accuracy report, held against numbers that were worked out by hand. */
import { expect, test } from 'vitest'
import { type Label, parseLabels, parseWebsites } from '../rig/labels.ts'
import type { Outcome, Resolution } from '../src/resolver/resolution.ts'
import type { Answer } from '../tools/accuracy/answer.ts'
import { expectedCalibrationError, toClaim, toReliability } from '../tools/accuracy/calibration.ts'
import { foldOf, scoreFolds } from '../tools/accuracy/folds.ts'
import { wilsonLowerBound } from '../tools/accuracy/proportion.ts'
import { resolveSites } from '../tools/accuracy/resolve-sites.ts'
import { scoreAnswer, scoreAnswers } from '../tools/accuracy/scoring.ts'
import { scoreWebsites } from '../tools/accuracy/websites.ts'

const OURS = '00000001'
const OTHER = '00000002'

function label(outcome: Outcome, numbers: string[] = [], more: Partial<Label> = {}): Label {
  return { domain: 'a.co.uk', outcome, companyNumbers: numbers, accept: [], stratum: 's', note: '', ...more }
}

function answer(outcome: Answer['outcome'], candidates: string[] = [], more: Partial<Answer> = {}): Answer {
  const companyNumber = outcome === 'matched' ? (candidates[0] ?? null) : null
  return { domain: 'a.co.uk', outcome, confidence: null, companyNumber, candidates, ...more }
}

test.each([
  [0, 10, 0],
  [8, 10, 0.4901625],
  // n / (n + z²) where all are right
  [30, 30, 30 / 33.8414588],
  [300, 300, 300 / 303.8414588],
  [1, 1, 0.2065493],
])('the lower bound of %i right of %i is %f', (right, all, bound) => {
  expect(wilsonLowerBound(right, all)).toBeCloseTo(bound, 6)
})

test('a bound of nothing is not known', () => {
  expect(wilsonLowerBound(0, 0)).toBeNull()
})

test.each<[string, Label, Answer, { isRight: boolean; isWrongMatch: boolean }]>([
  ['the label’s company', label('matched', [OURS]), answer('matched', [OURS]), { isRight: true, isWrongMatch: false }],
  [
    'another company',
    label('matched', [OURS]),
    answer('matched', [OTHER, OURS]),
    { isRight: false, isWrongMatch: true },
  ],
  ['a match where none exists', label('no_match'), answer('matched', [OTHER]), { isRight: false, isWrongMatch: true }],
  [
    'a match of the candidate that had to be left for review',
    label('needs_review', [OURS]),
    answer('matched', [OURS]),
    { isRight: false, isWrongMatch: true },
  ],
  [
    'a match that the label accepts',
    label('needs_review', [OURS], { accept: ['matched'] }),
    answer('matched', [OURS]),
    { isRight: true, isWrongMatch: false },
  ],
  [
    'another match where the label accepts one',
    label('needs_review', [OURS], { accept: ['matched'] }),
    answer('matched', [OTHER]),
    { isRight: false, isWrongMatch: true },
  ],
  [
    'a review that is accepted',
    label('matched', [OURS], { accept: ['needs_review'] }),
    answer('needs_review', [OTHER]),
    { isRight: true, isWrongMatch: false },
  ],
  [
    'a review that is not',
    label('matched', [OURS]),
    answer('needs_review', [OURS]),
    { isRight: false, isWrongMatch: false },
  ],
  ['an error', label('scrape_failed'), answer('error'), { isRight: false, isWrongMatch: false }],
])('scores %s', (_, expected, given, scoredAnswer) => {
  expect(scoreAnswer(given, expected)).toMatchObject(scoredAnswer)
})

test('a review names what had to be offered and was not', () => {
  const missing = (given: Answer) => scoreAnswer(given, label('needs_review', [OURS, OTHER])).missingCandidates
  expect(missing(answer('needs_review', [OTHER, '3']))).toEqual([OURS])
  expect(missing(answer('no_match'))).toEqual([])
})

test.each<[string, Label, Answer, number | null]>([
  ['1 for the right company', label('matched', [OURS]), answer('matched', [OURS], { confidence: 0.9 }), 1],
  ['1 also when left for review', label('matched', [OURS]), answer('needs_review', [OURS], { confidence: 0.5 }), 1],
  [
    '0 when only the second is right',
    label('matched', [OURS]),
    answer('needs_review', [OTHER, OURS], { confidence: 0.5 }),
    0,
  ],
  [
    'a half for one of two',
    label('needs_review', [OURS, OTHER]),
    answer('needs_review', [OTHER], { confidence: 0.5 }),
    0.5,
  ],
  ['0 where there is no company', label('no_match'), answer('no_match', [OURS], { confidence: 0.1 }), 0],
  ['nothing without a best candidate', label('no_match'), answer('no_match'), null],
])('a claim counts %s', (_, expected, given, correct) => {
  expect(toClaim(given, expected)?.correct ?? null).toBe(correct)
})

test('the calibration error weighs each bin’s distance by its answers', () => {
  const bins = toReliability([
    { confidence: 0.95, correct: 1 },
    { confidence: 0.85, correct: 0 },
    { confidence: 0.82, correct: 1 },
    { confidence: 0.1, correct: 0 },
  ])
  expect(bins.map((bin) => bin.answers)).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 2, 1])
  expect(bins[8]).toMatchObject({ confidence: expect.closeTo(0.835), correct: 0.5 })
  // (1 × 0.05 + 2 × 0.335 + 1 × 0.10) / 4
  expect(expectedCalibrationError(bins)).toBeCloseTo(0.205, 10)
})

test('full confidence is in the last bin, and no answers have no calibration', () => {
  expect(toReliability([{ confidence: 1, correct: 1 }])[9]?.answers).toBe(1)
  expect(expectedCalibrationError(toReliability([]))).toBeNull()
})

const WORLD = `domain,outcome,company_number,accept,stratum,note
a.co.uk,matched,00000001,,plain,
b.co.uk,matched,00000002,needs_review,plain,"a note, with a comma"
c.co.uk,matched,00000003,,plain,
d.co.uk,needs_review,00000004|00000005,matched,unclear,
e.co.uk,no_match,,,hobby,
f.de,non_uk_entity,,,foreign,
`

test('the figures of a whole set', () => {
  const score = scoreAnswers(
    [
      answer('matched', ['00000001'], { domain: 'a.co.uk', confidence: 0.97 }),
      answer('needs_review', ['00000002'], { domain: 'b.co.uk', confidence: 0.65 }),
      answer('matched', ['00000009'], { domain: 'c.co.uk', confidence: 0.93 }),
      answer('matched', ['00000005'], { domain: 'd.co.uk', confidence: 0.91 }),
      answer('error', [], { domain: 'e.co.uk' }),
      answer('non_uk_entity', [], { domain: 'f.de' }),
    ],
    parseLabels(WORLD),
  )
  expect(score.figures).toEqual({
    sites: 6,
    right: 4,
    wrongMatches: 1,
    precision: 2 / 3,
    precisionLower: expect.closeTo(0.2076597, 6),
    // d.co.uk is a right match, but not one of the three that had to be found.
    recall: 1 / 3,
    // b.co.uk accepts a review.
    recallOnlyMatch: 1 / 2,
    outcomeAccuracy: 4 / 6,
    reviewRate: 1 / 6,
    // 0.9–1: three answers claim 2.81 and 1 + 0 + ½ are right; 0.6–0.7: one claims 0.65 and is right.
    ece: expect.closeTo((1.31 + 0.35) / 4, 10),
  })
  expect([...score.strata.keys()]).toEqual(['foreign', 'hobby', 'plain', 'unclear'])
  expect(score.strata.get('plain')).toMatchObject({ sites: 3, right: 2, wrongMatches: 1, recall: 1 / 3 })
  expect(score.strata.get('hobby')).toMatchObject({ sites: 1, right: 0, precision: null, recall: null })
  expect(score.confusion.get('no_match')).toEqual(new Map([['error', 1]]))
  expect(score.confusion.get('matched')).toEqual(
    new Map([
      ['matched', 2],
      ['needs_review', 1],
    ]),
  )
})

test('a label without an answer is a mistake of the run, not of the resolver', () => {
  expect(() => scoreAnswers([], parseLabels(WORLD))).toThrow('no answer for a.co.uk')
})

test.each([
  ['domain,outcome,company_number,accept,stratum\na.uk,maybe,,,s\n', 'line 2: "maybe"'],
  ['domain,outcome,company_number,accept,stratum\na.uk,matched,,,s\n', 'needs one company number'],
  ['domain,outcome\na.uk,no_match\n', 'lacks the columns company_number, accept, stratum'],
])('labels that cannot be read are refused: %j', (text, message) => {
  expect(() => parseLabels(text)).toThrow(message)
})

test('a company’s domains are in one fold, and each site is in exactly one', () => {
  const labels = Array.from({ length: 200 }, (_, at) => label('no_match', [], { domain: `site-${at}.co.uk` }))
  const folds = labels.map((each) => foldOf(each, 5))
  expect(new Set(folds)).toEqual(new Set([0, 1, 2, 3, 4]))
  expect(foldOf(label('matched', [OURS], { domain: 'x.com' }), 97)).toBe(
    foldOf(label('matched', [OURS], { domain: 'y.com' }), 97),
  )
  const right = (each: Label) => foldOf(each, 5) === 3
  const scoredAnswers = labels.map((each) => scoreAnswer(answer(right(each) ? 'no_match' : 'scrape_failed'), each))
  const scored = scoreFolds(scoredAnswers, 5)
  expect(scored.folds.reduce((sum, fold) => sum + fold.sites, 0)).toBe(200)
  expect(scored.folds.map((fold) => fold.outcomeAccuracy)).toEqual([0, 0, 0, 1, 0])
  expect(scored.worstDifference).toMatchObject({ outcomeAccuracy: 1, reviewRate: 0, recall: null })
})

test('a company’s site is right on the registrable domain, and wrong where there is none to be found', () => {
  const websites = parseWebsites(
    'company_number,status,domain,stratum,note\n1,verified,a.co.uk,,\n2,verified,b.co.uk,,\n3,verified,c.co.uk,,\n4,not_found,,,\n5,not_found,,,\n',
  )
  const answers = new Map([
    ['1', 'www.a.co.uk'],
    ['2', 'other.co.uk'],
    ['4', 'd.co.uk'],
  ])
  expect(scoreWebsites(answers, websites)).toMatchObject({ companies: 5, precision: 1 / 3, recall: 1 / 3, wrong: 2 })
})

test('a crash in one domain is its answer, the others go on, and no more run at once than allowed', async () => {
  let [running, most] = [0, 0]
  const sites = await resolveSites(['a', 'b', 'c', 'd', 'e'], {
    resolve: async (domain) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((done) => setTimeout(done, 5))
      running -= 1
      if (domain === 'b') throw new Error('broken by b')
      return { domain } as Resolution
    },
    concurrency: 2,
    onSite: () => undefined,
    signal: new AbortController().signal,
  })
  expect(most).toBe(2)
  expect(sites.map(({ domain }) => domain).sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(sites.filter(({ error }) => error !== null)).toEqual([
    expect.objectContaining({ domain: 'b', resolution: null, error: expect.stringContaining('broken by b') }),
  ])
})
