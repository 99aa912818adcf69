import { findSiteBlock, toAddressBlock } from '../web/address-block.ts'
import type { Admission, BucketPolicy, LeasedLimiter } from './leased-limiter.ts'

/** A /48 is what one customer of a provider may have: it gets as much as so many of its /64 together. */
const SITE_SHARE = 16

/** Spends one token of a caller's address block, and for IPv6 one of the larger block around it. */
export async function admitAddressBlock(
  { limiter }: { limiter: LeasedLimiter },
  ip: string,
  policy: BucketPolicy,
): Promise<Admission> {
  const admission = await limiter.admit(toAddressBlock(ip), policy)
  const site = findSiteBlock(ip)
  if (admission.kind === 'refused' || site === null) return admission
  const { name, burst, perSecond } = policy
  const around = { name: `${name}-site`, burst: burst * SITE_SHARE, perSecond: perSecond * SITE_SHARE }
  const bySite = await limiter.admit(site, around)
  return bySite.kind === 'refused' ? bySite : admission
}
