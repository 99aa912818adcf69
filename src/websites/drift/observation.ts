import type { VerifiedSite } from '../../resolution/index.ts'
import { type Resolution, sharedKindOf } from '../../resolver/index.ts'

/** The state of a verified site at a check. */
export type Observation =
  | { kind: 'same' }
  /** It leads to another domain; `isProven` where that names the same company beyond doubt. */
  | { kind: 'moved'; to: string; isProven: boolean }
  /** For sale, or the default page of a host. */
  | { kind: 'parked' }
  | { kind: 'other_company'; number: string; name: string; to: string | null }
  /** It can be read and names the company nowhere, neither by number nor by name. */
  | { kind: 'unnamed' }
  /** The domain does not exist any more. */
  | { kind: 'gone' }
  /** It could not be read, which says nothing about whose it is. */
  | { kind: 'unread' }

/**
 * Compares a fresh answer for the domain with the verified one. In doubt the site is the same: one that still prints the
 * company, though it is no proof any more (it was dissolved, another is named beside it, the number is gone), is the same.
 */
export function observeDrift(before: VerifiedSite, resolution: Resolution): Observation {
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

/** Returns the stored form, by which an observation is reported once. An unproven move may lead elsewhere every day. */
export function wordOf(observation: Observation): string {
  return observation.kind === 'other_company' ? `other_company:${observation.number}` : observation.kind
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
