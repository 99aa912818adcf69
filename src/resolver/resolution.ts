import type { Company } from '../register/index.ts'
import type { Attempt, Crawl } from './crawl/crawl.ts'
import type { NameRelation } from './extract/relate-names.ts'
import type { SiteTies } from './extract/ties.ts'

export type Outcome = 'matched' | 'needs_review' | 'no_match' | 'non_uk_entity' | 'scrape_failed'

/** What the site's words amount to. Confidence is measured per situation. */
export type Situation =
  /** One company proven, and nothing against it. */
  | 'proven'
  /** The particulars of several companies. */
  | 'several'
  | 'dissolved'
  | 'franchise'
  /** About a company rather than its own. */
  | 'commentary'
  /** A number that belongs to another name, or to nobody. */
  | 'contradiction'
  /** A second company that may run the site too. */
  | 'rival'
  /** One company proven, but another site claims it too. */
  | 'contested'
  /** A company with its number, and nothing that ties it to the site. */
  | 'untied'
  /** A registered name without number or office. */
  | 'named'
  /** Only the site's own name, which a company has. */
  | 'namesake'
  | 'foreign'
  | 'nobody'
  /** The site could not be read. */
  | 'unread'

/** The answer for a domain, with all that a person needs to check it. */
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
  /** One sentence: what decided it. */
  reason: string
  evidence: EvidenceItem[]
  explanation: Explanation
  /** Best first, at most five; the matched company is the first. */
  candidates: Candidate[]
  /** The site's own words where nobody has put a site there: for sale, a host's default page, coming soon. */
  placeholder: string | null
  /** Every company the site names, whatever it says of it. */
  considered: Considered[]
  crawl: {
    finding: Crawl['finding']
    reason: string
    redirectedTo: string | null
    pages: Array<{ url: string; status: number; fetchedAt: Date; sha256: string }>
    attempts: Attempt[]
  }
  resolvedAt: Date
}

/** A site's claim to be a company's, beyond the words that anybody can copy. All domains are registrable. */
export interface SiteClaim extends SiteTies {
  /** The domain that was read; after a redirect, the final one. */
  site: string
  /** How the registered name relates to the domain alone. */
  named: NameRelation['level']
  /** An extended-validation certificate names the company. */
  isCertified: boolean
  /** The postcode of the registered office is on the site. */
  isOfficePrinted: boolean
  /** A sentence that names the company names the site as its domain does: a footer from elsewhere would not. */
  isSiteNamed: boolean
}

/** The words on the page that prove or contradict, where and when they stood there. */
export interface EvidenceItem {
  kind: string
  /** The company number it speaks for; with `strength: 'against'`, against. */
  supports: string | null
  strength: 'decisive' | 'strong' | 'supporting' | 'against'
  /** What the quotation shows, in a sentence. */
  says: string
  quote: string
  url: string
  fetchedAt: Date
  contentSha256: string
}

/** Additive: `prior` and the weights of the features, in bits, make the `total`. */
export interface Explanation {
  prior: number
  features: Array<{ name: string; says: string; weight: number; found: string | null; registered: string | null }>
  total: number
  runnerUp: { companyNumber: string; companyName: string; total: number } | null
  margin: number | null
  version: string
}

/** A company that the site names, and what it makes of it. */
export interface Considered {
  companyNumber: string
  companyName: string
  says: string
  quote: string
  url: string
}

export interface Candidate {
  company: Company
  confidence: number
  reasons: string[]
}
