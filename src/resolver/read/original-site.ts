/** A site that looks like a company's may be a copy. Its pages then still point to the original. */
import type { App } from '../../app.ts'
import type { CrawledPage } from '../crawl/crawl.ts'
import { crawlSite } from '../crawl/crawl-site.ts'
import type { KeptPages } from '../crawl/kept-pages.ts'
import { sharedKindOf } from '../domain/registrable.ts'
import { toLabel } from '../extract/identity.ts'
import { readRegister } from '../match/read-register.ts'
import { relateToDomain } from '../match/site-claim.ts'
import { addVeto, UNMEASURED } from '../match/weigh.ts'
import type { Decision, EvidenceItem, SiteClaim } from '../resolution.ts'
import { type SiteReader, Unreadable } from './site-reader.ts'

/**
 * Returns a match as it is, or as a case for a person: if its pages point to another site that prints the same company and
 * does not point back. Reads up to four pages of that site.
 */
export async function compareWithOriginal(
  app: App & { reader: SiteReader; keptPages?: KeptPages },
  decision: Decision,
  timeMs: number,
): Promise<Decision> {
  const { claim, company } = decision
  if (claim === null || company === null) return decision
  const original = chooseOriginal(claim, company)
  if (original === null) return decision
  const site = { domain: original.domain, redirectedTo: null, certificates: [] }
  const readNumber = async (pages: CrawledPage[]) => {
    const extracted = await app.reader.extract({ ...site, pages }).catch(nullIfUnreadable)
    return extracted?.lookups.numbers.includes(company.number) ? extracted : null
  }
  const crawl = await crawlSite(app, original.domain, {
    isProofComplete: async (pages) => pages.length >= PAGES_MAX || (await readNumber(pages)) !== null,
    isGuessingNeeded: () => false,
    timeMs,
  })
  const extracted = crawl.pages.length === 0 ? null : await readNumber(crawl.pages)
  if (!extracted) return decision
  if (crawl.pages.some(({ outline }) => outline.linkedDomains.includes(claim.site))) return decision
  const there = await app.reader.decide(extracted, await readRegister(app.db, extracted.lookups))
  const reason = `Another site claims this company: ${original.domain} prints ${company.name} (${company.number}) too, and ${original.why}.`
  const proof = there.evidence.find(({ supports }) => supports === company.number)
  return contestMatch(decision, {
    reason,
    evidence: proof ? { ...proof, ...RIVAL, says: `${original.domain} prints the same company.` } : null,
  })
}

const PAGES_MAX = 4

/** A page that cannot be read within our limits is no original, and must not cost the match. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null
  throw error
}

export const RIVAL = { kind: 'rival_site', strength: 'against' } as const

/** Returns the other domain that the pages may have been copied from; null if the domain is itself the company's name. */
function chooseOriginal(
  claim: SiteClaim,
  company: NonNullable<Decision['company']>,
): { domain: string; why: string } | null {
  if (claim.isCertified || claim.named === 'same') return null
  const isNamed = (domain: string) => ['same', 'contains'].includes(relateToDomain(company, domain))
  const isPossible = (domain: string | undefined | null) =>
    typeof domain === 'string' && sharedKindOf(domain) === null && toLabel(domain) !== toLabel(claim.site)
  if (claim.pointsTo && isPossible(claim.pointsTo))
    return { domain: claim.pointsTo, why: 'these pages give it as their own address' }
  if (claim.named === 'contains') return null
  const linked = claim.linksTo.find((domain) => isPossible(domain) && isNamed(domain))
  if (linked) return { domain: linked, why: 'these pages link to it' }
  const mailed = claim.mailsTo.find((domain) => isPossible(domain) && isNamed(domain))
  return mailed ? { domain: mailed, why: 'these pages give mail addresses there' } : null
}

interface Contest {
  reason: string
  evidence: EvidenceItem | null
}

/** Returns a match that another site contests, as it goes to a person. No one has measured such claims: as likely as not. */
export function contestMatch<Answer extends Decision>(answer: Answer, { reason, evidence }: Contest): Answer {
  const [best, ...others] = answer.candidates
  return {
    ...answer,
    outcome: 'needs_review',
    situation: 'contested',
    company: null,
    confidence: UNMEASURED,
    reason,
    explanation: addVeto(answer.explanation, reason),
    candidates: best
      ? [
          { ...best, confidence: UNMEASURED, reasons: [reason, ...best.reasons], against: [reason, ...best.against] },
          ...others,
        ]
      : [],
    evidence: [...answer.evidence, ...(evidence ? [evidence] : [])],
  }
}
