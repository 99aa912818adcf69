import { type Resolution, sharedKindOf } from '../../resolver/index.ts'

/** The site as it was verified. */
export interface SiteBefore {
  companyNumber: string
  domain: string
  /** Where the domain led already; null for a site of its own. */
  leadsTo: string | null
}

/** What has become of a verified site. */
export type Sight =
  | { kind: 'same' }
  /** It leads to another domain; `isProven` where that names the same company beyond doubt. */
  | { kind: 'moved'; to: string; isProven: boolean }
  /** For sale, or the page of a host where nobody has put a site. */
  | { kind: 'parked' }
  | { kind: 'other_company'; number: string; name: string; to: string | null }
  /** It can be read and names the company nowhere, neither by number nor by name. */
  | { kind: 'unnamed' }
  /** The domain does not exist any more. */
  | { kind: 'gone' }
  /** It could not be read, which says nothing about whose it is. */
  | { kind: 'unread' }

/**
 * Compares a fresh answer for the domain with what was verified. Doubt speaks for the site: one that still prints the
 * company, though it is no proof any more (it was dissolved, another is named beside it, the number is gone), is the same.
 */
export function judgeDrift(before: SiteBefore, resolution: Resolution): Sight {
  const { outcome, company, crawl } = resolution
  if (outcome === 'scrape_failed') return { kind: hasLapsed(crawl.attempts) ? 'gone' : 'unread' }
  const to = crawl.redirectedTo === before.leadsTo ? null : crawl.redirectedTo
  if (company && company.number !== before.companyNumber) {
    return { kind: 'other_company', number: company.number, name: company.name, to }
  }
  if (company) return to === null ? { kind: 'same' } : { kind: 'moved', to, isProven: true }
  if (to !== null && sharedKindOf(to) === 'domain dealer') return { kind: 'parked' }
  // Before the words of a parked page: a small site may say "coming soon" and still be the company's.
  const isNamed = names(resolution, before.companyNumber)
  if (!isNamed && resolution.placeholder !== null) return { kind: 'parked' }
  if (to !== null) return { kind: 'moved', to, isProven: false }
  return { kind: isNamed ? 'same' : 'unnamed' }
}

/** A sight as it is remembered, so that it is told once. Where a move without proof leads to may differ every day. */
export function wordOf(sight: Sight): string {
  return sight.kind === 'other_company' ? `other_company:${sight.number}` : sight.kind
}

/** Every name server said so, for the bare name and with `www.`; one that fails or is silent proves nothing. */
function hasLapsed(attempts: Resolution['crawl']['attempts']): boolean {
  return attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'name_not_found')
}

function names({ candidates, considered }: Resolution, companyNumber: string): boolean {
  return (
    considered.some((one) => one.companyNumber === companyNumber) ||
    candidates.some(({ company }) => company.number === companyNumber)
  )
}
