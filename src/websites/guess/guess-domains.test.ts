/** From a company's names to the domains it may have: the likely ones are there, and every one could exist. */
import fc from 'fast-check'
import { getDomain } from 'tldts'
import { describe, expect, test } from 'vitest'
import commonWords from './common-words.json' with { type: 'json' }
import { ENDINGS, guessDomains } from './guess-domains.ts'
import weights from './guess-weights.json' with { type: 'json' }

const HOSTNAME = /^(?=.{4,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z]+){1,2}$/

function guess(name: string, limit = 50, previousNames: string[] = []) {
  return guessDomains({ name, previousNames }, limit)
}

function domainsOf(name: string, limit = 50, previousNames: string[] = []): string[] {
  return guess(name, limit, previousNames).map(({ domain }) => domain)
}

describe('the domain that a company of this name would choose is among the first twenty', () => {
  test.each([
    ['WOBBLETHORPE LIMITED', 'wobblethorpe.co.uk', 'whole name'],
    ['Wobblethorpe Ltd', 'wobblethorpe.com', 'whole name'],
    ['THE WOBBLETHORPE TEAPOT COMPANY LIMITED', 'wobblethorpeteapot.co.uk', 'first 2 words'],
    ['WOBBLETHORPE SERVICES (UK) LIMITED', 'wobblethorpe.com', 'first word'],
    ['WOBBLETHORPE HOLDINGS PLC', 'wobblethorpegroup.com', 'first word, with "group"'],
    ['WOBBLETHORPE TEAPOTS LLP', 'wobblethorpe-teapots.co.uk', 'whole name, with hyphens'],
    ['FIZZLE & WOBBLETHORPE LIMITED', 'fizzlewobblethorpe.co.uk', 'whole name'],
    ['FIZZLE + WOBBLETHORPE LIMITED', 'fizzleandwobblethorpe.co.uk', 'whole name'],
    ["WOBBLETHORPE'S TEAPOTS LIMITED", 'wobblethorpes.co.uk', 'first word'],
    ['CAFÉ ZÜRBØRG LIMITED', 'cafezurborg.co.uk', 'whole name'],
    ['J. C. WOBBLETHORPE & SONS LIMITED', 'jcwobblethorpe.co.uk', 'first 2 words'],
    ['NATIONAL ASSOCIATION OF TEAPOT WELDERS', 'natw.org.uk', 'initials'],
    ['WOBBLETHORPE MULTI ACADEMY TRUST', 'wobblethorpe.org.uk', 'first word'],
    ['UNIVERSITY OF WOBBLETHORPE', 'wobblethorpe.ac.uk', 'last word'],
    ['Wobblethorpe Workers Co-operative Limited', 'wobblethorpe.coop', 'first word'],
    ['WOBBLETHORPE.COM LIMITED', 'wobblethorpe.com', 'first word'],
    ['LIMITED', 'limited.co.uk', 'whole name'],
  ])('%s: %s', (name, domain, rule) => {
    expect(guess(name, 20)).toContainEqual({ domain, rule, score: expect.any(Number) })
  })
})

describe('previous names count', () => {
  test('a domain that only the old name leads to is guessed, below what today’s name leads to', () => {
    const domains = domainsOf('ZENITHAL LIMITED', 50, ['WOBBLETHORPE TEAPOTS LIMITED'])
    expect(domains).toContain('wobblethorpe.co.uk')
    expect(domains).toContain('wobblethorpeteapots.com')
    expect(domains.indexOf('zenithal.co.uk')).toBeLessThan(domains.indexOf('wobblethorpeteapots.co.uk'))
    expect(domainsOf('ZENITHAL LIMITED')).not.toContain('wobblethorpe.co.uk')
  })

  test('a previous name that says nothing new changes nothing', () => {
    expect(guess('ZENITHAL LIMITED', 50, ['Zenithal Ltd'])).toEqual(guess('ZENITHAL LIMITED'))
  })

  test('three of them are used, however many there were', () => {
    const previous = ['AAAB', 'BBBC', 'CCCD', 'DDDE'].map((name) => `${name} LIMITED`)
    const domains = domainsOf('ZENITHAL LIMITED', 200, previous)
    expect(domains).toContain('cccd.com')
    expect(domains).not.toContain('ddde.com')
    expect(guess('ZENITHAL LIMITED', 200, [...previous, 'EEEF LIMITED'])).toEqual(
      guess('ZENITHAL LIMITED', 200, previous),
    )
  })
})

describe('a name that leads nowhere gives no guess', () => {
  test.each([[''], ['   '], ['🦄🍵'], ['!!! & (?)'], ['.'], ['---'], ['ΑΒΓ'], ['))(('], ['THE'], ['X'.repeat(160)]])(
    '%j',
    (name) => {
      expect(domainsOf(name)).toEqual([])
    },
  )
})

/** Words that people register, and words that people try things with. */
const WORDS = [
  ...'ACME uk co of THE (THE) & Ltd PLC ( ) J. .com - Ø 7 🦄 services technologies and eu org'.split(' '),
  ...'constructor __proto__ toString'.split(' '),
  'a'.repeat(63),
]
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 24 }).map((words) => words.join(' ')),
)

describe('whatever the names are', () => {
  const anyCompany = fc.record({ name: anyName, previousNames: fc.array(anyName, { maxLength: 4 }) })
  const anyLimit = fc.integer({ min: -1, max: 80 })

  test('every guess is a domain that can be registered, once, and there are no more than asked for', () => {
    fc.assert(
      fc.property(anyCompany, anyLimit, (company, limit) => {
        const domains = guessDomains(company, limit).map(({ domain }) => domain)
        expect(domains.length).toBeLessThanOrEqual(Math.max(0, limit))
        expect(new Set(domains).size).toBe(domains.length)
        for (const domain of domains) {
          expect(domain).toMatch(HOSTNAME)
          expect(getDomain(domain, { allowPrivateDomains: true })).toBe(domain)
        }
      }),
    )
  })

  test('scores are probabilities that fall, and leave room for a domain that the names do not lead to', () => {
    fc.assert(
      fc.property(anyCompany, (company) => {
        const scores = guessDomains(company, 80).map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((one, other) => other - one))
        expect(scores.every((score) => score > 0)).toBe(true)
        expect(scores.reduce((sum, score) => sum + score, 0)).toBeLessThan(1)
      }),
    )
  })

  test('asking again gives the same, and asking for fewer gives the beginning of it', () => {
    fc.assert(
      fc.property(anyCompany, anyLimit, (company, limit) => {
        const all = guessDomains(company, 80)
        expect(guessDomains(structuredClone(company), limit)).toEqual(all.slice(0, Math.max(0, limit)))
      }),
    )
  })
})

test.each([['WOBBLETHORPE LIMITED'], ['WOBBLETHORPE TEAPOT SERVICES LIMITED'], ['NATIONAL TEAPOT TRUST']])(
  '%s: all its guesses together are far from certain, as one company in four has a domain of another name',
  (name) => {
    const sum = guess(name, 10_000).reduce((total, { score }) => total + score, 0)
    expect(sum).toBeGreaterThan(0.5)
    expect(sum).toBeLessThan(0.95)
  },
)

test('what is an ending itself is never guessed', () => {
  for (const name of ['CO LIMITED', 'ORG', 'UK LIMITED', 'AC UK', 'LTD UK LIMITED', 'EU PLC']) {
    const domains = domainsOf(name, 200)
    for (const suffix of ['co.uk', 'org.uk', 'uk.com', 'ac.uk', 'ltd.uk', 'eu.com']) {
      expect(domains, name).not.toContain(suffix)
    }
  }
})

test('the fitted weights have a number for every ending, and the common words are used by many', () => {
  expect(Object.keys(weights.label).length).toBeGreaterThan(100)
  for (const [trait, row] of Object.entries(weights.ending)) {
    expect(row, trait).toHaveLength(ENDINGS.length)
    expect(row.every(Number.isFinite), trait).toBe(true)
  }
  for (const [word, [uses = 0, first = 0]] of Object.entries(commonWords)) {
    expect(uses, word).toBeGreaterThanOrEqual(15)
    expect(first, word).toBeLessThanOrEqual(uses)
  }
})
