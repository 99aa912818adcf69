/** How the guesses are measured: the figures of `npm run candidates`, held against numbers worked out by hand. */
import { expect, test } from 'vitest'
import { countWordUses } from '../tools/guesses/count-words.ts'
import { halfOf, type KnownCompany, parseKnownCompanies } from '../tools/guesses/known-companies.ts'
import { presentRecall, rankCompany, toRecall } from '../tools/guesses/recall.ts'

const CSV = `company_number,company_name,postcode,registrable_domain,source,year,companies_on_domain
00000001,OLD TEAPOTS LIMITED,,old.co.uk,gpg,2017,1
00000001,"NEW, TEAPOTS LIMITED",,new.com,gpg,2022,2
00000002,KETTLES LIMITED,,NEW.com,gpg,2022,2
00000003,SPOONS LIMITED,,spoons.co.uk,coopsuk,2022,1
00000004,NO DOMAIN LIMITED,,,gpg,2022,1
`

function guesses(...domains: string[]) {
  return domains.map((domain) => ({ domain, score: 0.1, rule: `from ${domain}` }))
}

function getCompany(companies: KnownCompany[], number: string): KnownCompany {
  const company = companies.find((each) => each.number === number)
  if (!company) throw new Error(`no company ${number}`)
  return company
}

test('the rows of a company are one company: its latest name, those before it, and each of its domains', () => {
  const companies = parseKnownCompanies(CSV)
  expect(companies.map(({ number }) => number)).toEqual(['00000001', '00000002', '00000003'])
  expect(getCompany(companies, '00000001')).toMatchObject({
    name: 'NEW, TEAPOTS LIMITED',
    previousNames: ['OLD TEAPOTS LIMITED'],
    domains: new Set(['old.co.uk', 'new.com']),
    isShared: true,
  })
  expect(getCompany(companies, '00000003').isShared).toBe(false)
})

test('companies that share a domain are in the same half, whatever the order of the rows', () => {
  const [header, ...rows] = CSV.trim().split('\n')
  for (const lines of [rows, rows.toReversed()]) {
    const companies = parseKnownCompanies([header, ...lines].join('\n'))
    const [one, two] = ['00000001', '00000002'].map((number) => getCompany(companies, number))
    expect(one?.family).toBe(two?.family)
    expect(one && halfOf(one)).toBe(two && halfOf(two))
    expect(getCompany(companies, '00000003').family).toBe('spoons.co.uk')
  }
})

test('a company is found by any of its domains; a pair only by its own', () => {
  const companies = parseKnownCompanies(CSV)
  const ranked = [
    rankCompany(getCompany(companies, '00000001'), guesses('wrong.com', 'old.co.uk')),
    rankCompany(getCompany(companies, '00000002'), guesses('new.com')),
    rankCompany(getCompany(companies, '00000003'), guesses('spoon.co.uk')),
  ]
  expect(ranked.map(({ rule }) => rule)).toEqual(['from old.co.uk', 'from new.com', null])
  expect(presentRecall(toRecall(ranked))).toEqual({
    companies: 3,
    recall_at_1: 0.3333,
    recall_at_5: 0.6667,
    recall_at_20: 0.6667,
    recall_at_50: 0.6667,
    pairs: 4,
    pair_recall_at_1: 0.25,
    pair_recall_at_5: 0.5,
    pair_recall_at_20: 0.5,
    pair_recall_at_50: 0.5,
  })
})

test('a word counts once for all companies that share a domain', () => {
  const uses = countWordUses(parseKnownCompanies(CSV))
  // Two families in all: TEAPOTS is in two names of the one, SPOONS begins the only name of the other.
  expect(uses.get('teapots')).toEqual([5_000, 0])
  expect(uses.get('spoons')).toEqual([5_000, 5_000])
})

test('a file without the needed columns says which are missing', () => {
  expect(() => parseKnownCompanies('company_number,name\n1,A')).toThrow('company_name, registrable_domain')
})
