import type { Company } from '../register/index.ts'
import type { CrawlAttempt, CrawlOutcome } from './crawl/crawl.ts'
import type { PageCapture } from './crawl/kept-pages.ts'
import type { NameRelation } from './extract/relate-names.ts'
import type { SiteTies } from './extract/ties.ts'

export const OUTCOMES = ['matched', 'needs_review', 'no_match', 'non_uk_entity', 'scrape_failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The kind of case that the site's words make. Confidence is measured per situation. */
export type Situation =
  /** One company is proven, and nothing speaks against it. */
  | 'proven'
  /** The site discloses several companies. */
  | 'several'
  | 'dissolved'
  | 'franchise'
  /** The site writes about the company, but is not the company's. */
  | 'commentary'
  /** A number that belongs to another name, or to no company. */
  | 'contradiction'
  /** A second company may run the site too. */
  | 'rival'
  /** One company is proven, but another site claims it too. */
  | 'contested'
  /** One company is proven by the rules, but the second reader objects. */
  | 'objected'
  /** A company with its number, but nothing connects it with the site. */
  | 'untied'
  /** A registered name without number or office. */
  | 'named'
  /** Only the site's name, which is also a company's. */
  | 'namesake'
  | 'foreign'
  | 'nobody'
  /** The site could not be read. */
  | 'unread'

/** The answer for a domain, with everything a person needs to check it. */
export interface Resolution {
  domain: string
  outcome: Outcome
  situation: Situation
  /** Calibrated probability that the best candidate runs the site; null without a candidate. */
  confidence: number | null
  /** Only when matched. */
  company: Company | null
  /** Only when matched: what can be compared with another site that claims the same company. */
  claim: SiteClaim | null
  /** One sentence that explains the decision. */
  reason: string
  evidence: EvidenceItem[]
  explanation: Explanation
  /** Best first, at most five; the matched company is the first. */
  candidates: Candidate[]
  /** The words that show there is no site yet: for sale, a host's default page, coming soon. */
  placeholder: string | null
  /** Every company that the site names, in any role. */
  considered: Considered[]
  /** The answer of a second reader; null if there is none, or none that held. */
  secondReading: SecondReading | null
  /** The decision of the rules, where the second reader's replaced it: only the rules claim a company for a site. */
  ruled: Decision | null
  /** The rules decided alone, and a second reader was not asked about what it could have added: see `expiryOf`. */
  isSecondReaderDue: boolean
  crawl: {
    finding: CrawlOutcome
    reason: string
    redirectedTo: string | null
    pages: Array<{ url: string; status: number; fetchedAt: Date; sha256: string }>
    attempts: CrawlAttempt[]
  }
  /** The pages that the answer quotes, as they came. */
  captures: PageCapture[]
  resolvedAt: Date
}

/** The answer of a site that was read, without the crawl. */
export type Decision = Omit<Resolution, 'domain' | 'crawl' | 'captures' | 'resolvedAt' | 'isSecondReaderDue'>

/** The answer of a language model about a site, as far as code has verified it. */
export interface SecondReading {
  task: 'find' | 'check'
  decision: 'match' | 'confirm' | 'object'
  /** One sentence. */
  why: string
  /** Words that were found on a page; null if it confirmed without any. */
  quote: string | null
  url: string | null
  model: string
  promptVersion: string
}

/** A site's claim to be a company's: facts that are harder to copy than words. All domains are registrable. */
export interface SiteClaim extends SiteTies {
  /** The domain that was read; after a redirect, the final one. */
  site: string
  /** How the registered name relates to the domain alone. */
  named: NameRelation['level']
  /** An extended-validation certificate names the company. */
  isCertified: boolean
  /** The postcode of the registered office is on the site. */
  isOfficePrinted: boolean
  /** A sentence names both the company and the site, as its domain does: a footer copied from another site would not. */
  isSiteNamed: boolean
}

/** Words of a page that prove or contradict, with their page and time. */
export interface EvidenceItem {
  kind: string
  /** The company number that it supports or, with `strength: 'against'`, contradicts. */
  supports: string | null
  strength: 'decisive' | 'strong' | 'supporting' | 'against'
  /** A sentence that explains what the quote shows. */
  says: string
  quote: string
  url: string
  fetchedAt: Date
  contentSha256: string
}

/** The argument for the best candidate: `prior` and the weights of the features add up to `total`, in bits. */
export interface Explanation {
  /** The questions a person would check, before any arithmetic. */
  checklist: Check[]
  prior: number
  features: ExplainedFeature[]
  /** The log-odds of the stated confidence. */
  total: number
  runnerUp: { companyNumber: string; companyName: string; total: number } | null
  margin: number | null
  version: string
}

export interface ExplainedFeature {
  /** `veto`: a rule that keeps the company from being matched. `calibration`: the last line, measured on labelled sites. */
  kind: 'evidence' | 'veto' | 'calibration'
  name: string
  level: string
  says: string
  weight: number
  /** The words of the site, and of the register. */
  found: string | null
  registered: string | null
}

export interface Check {
  name: 'number' | 'name' | 'office' | 'own_name' | 'runs_site' | 'no_other_claimant'
  isMet: boolean
  says: string
}

/** A company that the site names, and in which role. */
export interface Considered {
  companyNumber: string
  companyName: string
  says: string
  quote: string
  url: string
  /** Names and levels of its features, to fit weights with. Not stored. */
  features: string[]
}

export interface Candidate {
  company: Company
  confidence: number
  reasons: string[]
  /** The reasons that speak against the company, a part of all. */
  against: string[]
}
