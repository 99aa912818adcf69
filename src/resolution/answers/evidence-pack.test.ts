import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Company } from '../../register/index.ts'
import type { Outcome } from '../../resolver/index.ts'
import { testAnswer, testCompany } from '../test-mode/test-answers.ts'
import { explainWhyNot } from './evidence-pack.ts'
import type { KnownResolution } from './known.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const [OURS, OTHER, UNREGISTERED] = ['07214938', '05820417', '09999999']

const company = (number: string, name: string): Company => ({ ...testCompany(AT), number, name })
const candidate = (companyNumber: string, companyName: string, confidence: number) => ({
  companyNumber,
  companyName,
  confidence,
  reasons: [`The site prints ${companyName}.`],
  against: [],
})
const mention = (companyNumber: string, companyName: string, says: string) => ({
  companyNumber,
  companyName,
  says,
  quote: `the words about ${companyName}`,
  url: 'https://alderfinch.co.uk/legal',
})
const page = { url: 'https://alderfinch.co.uk/', status: 200, fetchedAt: AT.toISOString(), sha256: '0'.repeat(64) }

interface Found extends Partial<KnownResolution['findings']> {
  outcome?: Outcome
  reason?: string
  pages?: number
}

/** An answer; it is the company's own when matched. */
function known({ outcome = 'matched', reason = 'The reason.', pages = 2, ...found }: Found): KnownResolution {
  const answer = testAnswer('no-match.test', AT).known
  const crawl = {
    finding: 'read',
    reason: 'Refused.',
    redirectedTo: null,
    pages: Array.from({ length: pages }, () => page),
    attempts: [],
  }
  return {
    ...answer,
    outcome,
    reason,
    companyNumber: outcome === 'matched' ? OURS : null,
    findings: { ...answer.findings, crawl, ...found },
  }
}

const ALDER = company(OURS, 'ALDERFINCH JOINERY LIMITED')
const BRACKEN = company(OTHER, 'BRACKENMILL TEXTILES LIMITED')
const named = mention(OTHER, BRACKEN.name, 'It names BRACKENMILL TEXTILES LIMITED as another company.')
const matched = known({
  candidates: [candidate(OURS, ALDER.name, 0.99)],
  considered: [mention(OURS, ALDER.name, 'It prints ALDERFINCH JOINERY LIMITED.'), named],
})

describe('why an answer is not some company', () => {
  test.each<[string, KnownResolution, Company, string]>([
    ['the answer is this very company', matched, ALDER, 'It is the answer.'],
    [
      'it is another company on the site',
      matched,
      BRACKEN,
      'The site names BRACKENMILL TEXTILES LIMITED, but not as its own. It names BRACKENMILL TEXTILES LIMITED as another company.',
    ],
    [
      'a person must decide',
      known({ outcome: 'needs_review', candidates: [candidate(OTHER, BRACKEN.name, 0.6049)], considered: [named] }),
      BRACKEN,
      'BRACKENMILL TEXTILES LIMITED is a candidate, at 60.4%. It was not decided, because: The reason.',
    ],
    [
      'its own words are there, but the site is nobody’s',
      known({
        outcome: 'no_match',
        reason: 'The site says that its company is not real: “student project”.',
        considered: [mention(OTHER, BRACKEN.name, 'It prints BRACKENMILL TEXTILES LIMITED with its number.')],
      }),
      BRACKEN,
      'The site names BRACKENMILL TEXTILES LIMITED: It prints BRACKENMILL TEXTILES LIMITED with its number. ' +
        'It is not the answer, because: The site says that its company is not real: “student project”.',
    ],
    [
      'the site does not name it',
      known({ outcome: 'no_match' }),
      BRACKEN,
      'The 2 pages read print neither the number 05820417 nor BRACKENMILL TEXTILES LIMITED as a company’s name.',
    ],
    [
      'the only page does not name it',
      known({ outcome: 'no_match', pages: 1 }),
      BRACKEN,
      'The page that was read prints neither the number 05820417 nor BRACKENMILL TEXTILES LIMITED as a company’s name.',
    ],
    [
      'nothing could be read',
      known({ outcome: 'scrape_failed', pages: 0 }),
      BRACKEN,
      'No page of the site could be read: Refused.',
    ],
  ])('%s', (_, answer, asked, sentence) => {
    expect(explainWhyNot(answer, asked.number, asked)).toMatchObject({
      companyNumber: asked.number,
      companyName: asked.name,
      answer: sentence,
    })
  })

  test('nobody has the number', () => {
    expect(explainWhyNot(matched, UNREGISTERED, null)).toEqual({
      companyNumber: UNREGISTERED,
      companyName: null,
      answer: 'The register has no company 09999999.',
      quote: null,
      url: null,
      reasons: [],
    })
  })

  test('a company that has left the register since is called as the site was compared with it', () => {
    expect(explainWhyNot(matched, OTHER, null)).toMatchObject({ companyName: BRACKEN.name, quote: named.quote })
    const review = known({ outcome: 'needs_review', candidates: [candidate(OTHER, BRACKEN.name, 0.5)] })
    expect(explainWhyNot(review, OTHER, null).answer).toMatch(/^BRACKENMILL TEXTILES LIMITED is a candidate, at 50%/)
  })

  test('the words and reasons are those kept of that company, and of no other', () => {
    const why = explainWhyNot(matched, OURS, ALDER)
    expect(why).toMatchObject({ quote: `the words about ${ALDER.name}`, url: named.url })
    expect(why.reasons).toEqual(['The site prints ALDERFINCH JOINERY LIMITED.'])
  })
})

const numbers = fc.constantFrom(OURS, OTHER, UNREGISTERED, 'SC012345')
const names = fc.constantFrom('A LIMITED', 'B LLP', 'C PLC')
const answers = fc
  .record({
    outcome: fc.constantFrom<Outcome>('matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'),
    pages: fc.nat(3),
    candidates: fc.array(fc.tuple(numbers, names, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 5 }),
    considered: fc.array(fc.tuple(numbers, names, fc.string()), { maxLength: 5 }),
  })
  .map(({ candidates, considered, ...rest }) =>
    known({
      ...rest,
      candidates: candidates.map((one) => candidate(...one)),
      considered: considered.map((one) => mention(...one)),
    }),
  )

test('whatever was found, there is one answer, only the answer is called so, and no other company’s words are quoted', () => {
  fc.assert(
    fc.property(answers, numbers, fc.option(names), (answer, number, name) => {
      const why = explainWhyNot(answer, number, name === null ? null : company(number, name))
      const { candidates, considered } = answer.findings
      const ofIt = <One extends { companyNumber: string }>(all: One[]) =>
        all.filter((one) => one.companyNumber === number)
      expect(why.companyNumber).toBe(number)
      expect(why.answer).not.toBe('')
      expect(why.answer === 'It is the answer.').toBe(answer.companyNumber === number)
      expect(why.quote).toBe(ofIt(considered)[0]?.quote ?? null)
      expect(why.reasons).toEqual(ofIt(candidates)[0]?.reasons ?? [])
      if (name !== null) expect(why.companyName).toBe(name)
      if (name === null) expect(why.companyName === null).toBe(ofIt(considered).length + ofIt(candidates).length === 0)
    }),
  )
})
