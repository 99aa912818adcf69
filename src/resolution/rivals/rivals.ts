import type { SiteClaim } from '../../resolver/index.ts'

/** A site that claims to be a company's, with all that is known of the claim. */
export interface Claimant extends SiteClaim {
  domain: string
  /** `new`: its claim has not been compared before. */
  state: 'held' | 'contested' | 'new'
  firstSeenAt: Date
  /** The newest search for the company's site ended with this domain. */
  isVerified: boolean
  /** An imported list gives the domain for the company. */
  isImported: boolean
}

/** Another site that claims the company, and whether it is clear which of the two fits better. */
export interface Contest {
  rival: Claimant
  isClear: boolean
}

export interface RivalComparison {
  /** The site that the subject does not prevail against. */
  lostTo: Contest | null
  /** Sites whose answer is the company until now and cannot stay so. */
  lost: Contest[]
  /** A rival that fits worse, to be shown with the answer. */
  outdone: Claimant | null
}

/**
 * Compares a site with others that claim the same company. A footer is easily copied, so words decide nothing here. Nor
 * does the time of the last crawl: a copy is always the newest.
 */
export function compareRivals(subject: Claimant, others: readonly Claimant[], at: Date): RivalComparison {
  const result: RivalComparison = { lostTo: null, lost: [], outdone: null }
  for (const other of others) {
    if (areSisters(subject, other)) continue
    const lead = weightOf(subject, other, at) - weightOf(other, subject, at)
    if (lead >= CLEAR_LEAD) {
      if (other.state === 'held') result.lost.push({ rival: other, isClear: true })
      result.outdone ??= other
    } else if (lead <= -CLEAR_LEAD) {
      result.lostTo ??= { rival: other, isClear: true }
    } else addUnclear(result, subject, other, at)
  }
  // A clear loser contests no other site.
  if (result.lostTo?.isClear) return { ...result, lost: [], outdone: null }
  return result
}

/** Both go to a person, but a copied footer must not unseat a site that has been known for long. */
function addUnclear(result: RivalComparison, subject: Claimant, other: Claimant, at: Date): void {
  if (subject.state === 'held') {
    if (other.state !== 'held') return
    // Both were believed before they were first compared.
    if (subject.firstSeenAt <= other.firstSeenAt) result.lost.push({ rival: other, isClear: false })
    else result.lostTo ??= { rival: other, isClear: false }
    return
  }
  result.lostTo ??= { rival: other, isClear: false }
  if (other.state === 'held' && !isProtected(other, at)) result.lost.push({ rival: other, isClear: false })
}

/** Sites of one owner: the same site, one name, or links that a stranger could not have set. */
export function areSisters(one: Claimant, other: Claimant): boolean {
  if (one.site === other.site) return true
  if (isNamed(one) && isNamed(other)) return true
  if (one.isCertified && other.isCertified) return true
  if (one.isImported && other.isImported) return true
  const [there, back] = [tieOf(one, other) !== null, tieOf(other, one) !== null]
  return (there && back) || (there && isAnchored(one)) || (back && isAnchored(other))
}

/** True when more than printed words connects the site with the company. */
export const isAnchored = (claim: Claimant): boolean => claim.isCertified || claim.isImported || isNamed(claim)

export const isNamed = ({ named }: SiteClaim): boolean => named === 'same' || named === 'contains'

/** How the pages of a site lead to another one. `address`: they give it as their own address. */
export function tieOf(from: SiteClaim, to: SiteClaim): 'address' | 'link' | 'mail' | null {
  if (from.pointsTo === to.site) return 'address'
  if (from.linksTo.includes(to.site)) return 'link'
  return from.mailsTo.includes(to.site) ? 'mail' : null
}

const CLEAR_LEAD = 2
const DAY_MS = 86_400_000
const LONG_DAYS = 30
const PROTECTED_DAYS = 7

const WEIGHT = {
  certified: 8,
  imported: 4,
  named: { same: 4, contains: 3, shares: 1, none: 0 },
  /** The other site leads to this one, which is what a copy does. */
  tie: { address: 6, link: 3, mail: 3 },
  verified: 2,
  knownForLong: 3,
} as const

/** How well a claim fits, against one rival. */
function weightOf(claim: Claimant, rival: Claimant, at: Date): number {
  const tie = tieOf(rival, claim)
  return fitOf(claim, at) + (tie === null ? 0 : WEIGHT.tie[tie])
}

/** How well a claim fits by itself: what a stranger cannot copy, and how long it has been believed. */
export function fitOf({ isCertified, isImported, named, state, isVerified, firstSeenAt }: Claimant, at: Date): number {
  const own = (isCertified ? WEIGHT.certified : 0) + (isImported ? WEIGHT.imported : 0) + WEIGHT.named[named]
  if (state !== 'held') return own
  return own + (isVerified ? WEIGHT.verified : 0) + (isKnownFor(LONG_DAYS, firstSeenAt, at) ? WEIGHT.knownForLong : 0)
}

const isProtected = ({ isVerified, firstSeenAt }: Claimant, at: Date) =>
  isVerified || isKnownFor(PROTECTED_DAYS, firstSeenAt, at)

export const isKnownFor = (days: number, since: Date, at: Date): boolean =>
  at.getTime() - since.getTime() >= days * DAY_MS
