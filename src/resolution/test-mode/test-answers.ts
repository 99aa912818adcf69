/**
 * Test mode: a key that spends nothing and touches no web site gets fixed answers, one for every outcome, status and
 * error a program must handle.
 */

import { DomainError } from '../../errors.ts'
import { addSeconds, toLondonDate } from '../../lib/clock.ts'
import { type Company, type CompanyDetails, deriveCompanyFacts, type Part } from '../../register/index.ts'
import type { Outcome } from '../../resolver/index.ts'
import type { FullAnswer } from '../answers/answer.ts'
import { expiryOf, type KnownResolution } from '../answers/known.ts'
import type { KnownWebsite } from '../website/website-record.ts'

export const OUTCOMES: Record<string, Outcome> = {
  'matched.test': 'matched',
  'needs-review.test': 'needs_review',
  'no-match.test': 'no_match',
  'non-uk.test': 'non_uk_entity',
  'scrape-failed.test': 'scrape_failed',
  'slow.test': 'matched',
}

export const TEST_DOMAINS = [...Object.keys(OUTCOMES), 'failed.test', 'no-credits.test', 'rate-limited.test'] as const

/** The result that each test company's web site search returns. */
export const PLAYS = {
  TS000001: 'verified',
  TS000002: 'needs_review',
  TS000003: 'not_found',
  TS000004: 'slow',
  TS000005: 'failed',
  TS000006: 'no_credits',
  TS000007: 'rate_limited',
} as const

export const TEST_COMPANIES = Object.keys(PLAYS)

export const isTestNumber = (number: string): number is keyof typeof PLAYS => number in PLAYS

export function testWebsite(
  companyNumber: string,
  at: Date,
): { website: KnownWebsite; resolution: KnownResolution | null } {
  const play = isTestNumber(companyNumber) ? PLAYS[companyNumber] : 'not_found'
  const status = play === 'slow' ? 'verified' : play
  const base = { id: 'web_test', companyNumber, tried: [], checkedAt: at, expiresAt: at }
  if (status !== 'verified' && status !== 'needs_review') {
    return { website: { ...base, status: 'not_found', domain: null, resolutionId: null }, resolution: null }
  }
  const domain = status === 'verified' ? 'matched.test' : 'needs-review.test'
  const resolution = testAnswer(domain, at).known
  return { website: { ...base, status, domain, resolutionId: resolution.id }, resolution }
}

export function testAnswer(domain: string, at: Date): FullAnswer {
  const outcome = OUTCOMES[domain] ?? 'no_match'
  const company = testCompany(at)
  const candidates =
    outcome === 'matched' || outcome === 'needs_review'
      ? [
          {
            company,
            confidence: outcome === 'matched' ? 0.96 : 0.6,
            reasons: ['The site prints the registered name.'],
            against: [],
          },
        ]
      : []
  const known = testResolution(domain, outcome, at)
  if (outcome !== 'matched') return { known, company: null, candidates, groupNotes: [], today: null }
  const details = testDetails(company, at)
  const facts = deriveCompanyFacts(company, details, toLondonDate(at))
  return { known, company, candidates, groupNotes: [], today: { details, facts } }
}

/** Returns the fixed answer with this id. */
export function findTestResolution(id: string, at: Date): KnownResolution | null {
  const answers = Object.keys(OUTCOMES).map((domain) => testAnswer(domain, at).known)
  return answers.find((known) => known.id === id) ?? null
}

export function testCompany(at: Date): Company {
  const in90Days = addSeconds(at, 90 * 86_400)
  return {
    number: 'TS000001',
    name: 'TEST MODE TRADING LTD',
    previousNames: [],
    status: 'active',
    statusDetail: null,
    type: 'ltd',
    incorporatedOn: '2015-03-02',
    dissolvedOn: null,
    address: {
      careOf: null,
      poBox: null,
      line1: '1 Example Street',
      line2: null,
      town: 'Leeds',
      county: null,
      country: 'England',
      postcode: 'LS1 4AP',
    },
    countryOfOrigin: null,
    accountsRefDay: 31,
    accountsRefMonth: 3,
    accountsNextDue: toLondonDate(in90Days),
    accountsLastMadeUp: null,
    accountsType: 'micro-entity',
    confirmationNextDue: toLondonDate(in90Days),
    confirmationLastMadeUp: null,
    charges: { total: 0, outstanding: 0, partSatisfied: 0, satisfied: 0 },
    sicCodes: ['62012'],
    remarks: null,
    timepoint: 0,
    source: 'snapshot',
    changedAt: at,
  }
}

export function testDetails(company: Company, at: Date): CompanyDetails {
  const none: Part<never> = { items: [], asOf: at, total: 0, missing: null }
  const figuresAsOf = toLondonDate(at)
  const parts = { officers: none, charges: none, insolvency: none, pscs: none, filings: none }
  return { company, missingRemarks: null, companyAsOf: at, ...parts, ownerStatements: [], figures: [], figuresAsOf }
}

function testResolution(domain: string, outcome: Outcome, at: Date): KnownResolution {
  const quote = 'Test Mode Trading Ltd. Registered in England and Wales, company number TS000001.'
  const isProven = outcome === 'matched'
  const { number, name, status, address, changedAt } = testCompany(at)
  const registered = { number, name, status, postcode: address.postcode, changedAt: changedAt.toISOString() }
  const evidence = {
    kind: 'company_number',
    supports: 'TS000001',
    strength: 'decisive',
    says: 'It prints TEST MODE TRADING LTD with its number.',
    quote,
    url: `https://${domain}/`,
    fetchedAt: at.toISOString(),
    contentSha256: '0'.repeat(64),
  }
  return {
    id: `res_test_${outcome}`,
    domain,
    outcome,
    situation: isProven ? 'proven' : 'nobody',
    confidence: isProven ? 0.96 : outcome === 'needs_review' ? 0.6 : null,
    companyNumber: isProven ? 'TS000001' : null,
    reason: `This is the fixed answer of the test domain ${domain}.`,
    findings: {
      evidence: isProven ? [evidence] : [],
      explanation: { checklist: [], prior: 0, features: [], total: 0, runnerUp: null, margin: null, version: 'test' },
      candidates: [],
      considered: [],
      claim: null,
      secondReading: null,
      crawl: { finding: 'read', reason: '', redirectedTo: null, pages: [], attempts: [] },
      registered: isProven ? registered : null,
    },
    modelVersion: 'test',
    resolvedAt: at,
    expiresAt: expiryOf({ outcome, resolvedAt: at, isSecondReaderDue: false }),
    decision: null,
  }
}

const RETRY_SECONDS = 2

export function testRefusal(refusal: 'no_credits' | 'rate_limited'): DomainError {
  if (refusal === 'no_credits') {
    return new DomainError('insufficient_credits', 'Test mode: this is the error when no credits are left.')
  }
  return new DomainError('rate_limited', 'Test mode: this is the error after too many requests.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
}

export function unknownTestDomain(): DomainError {
  const message = `A test key answers these domains: ${TEST_DOMAINS.join(', ')}. Use your live key for real ones.`
  return new DomainError('invalid_domain', message, { errors: [{ field: 'domain', message }] })
}

export function unknownTestCompany(): DomainError {
  return new DomainError(
    'company_not_found',
    `A test key knows the companies ${TEST_COMPANIES.join(', ')}. Use your live key for real ones.`,
  )
}
