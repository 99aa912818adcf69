/** Which part of a host name somebody registered, or was given by the platform that hosts the site. Pure. */
import { getHostname, parse } from 'tldts'

export interface Registrable {
  /** Null for a bare ending, an IP address and what is no name. */
  domain: string | null
  /** What stands behind the holder's own label. */
  suffix: string | null
  /** The ending is one of the public suffix list. */
  isPublic: boolean
  isIp: boolean
}

/**
 * Platforms that give each customer a name below their own, and are not, or no longer, on the public suffix list. A customer
 * is a site of its own; the platform's bare name is the platform's site.
 */
const HOSTING = new Set(
  (
    'business.site wordpress.com tumblr.com substack.com squarespace.com weebly.com godaddysites.com medium.com ' +
    'jimdofree.com jimdosite.com jimdo.com webnode.com webnode.co.uk webnode.page strikingly.com site123.me ueniweb.com ' +
    'moonfruit.com btck.co.uk vpweb.co.uk'
  ).split(' '),
)
const BLOGSPOT = /^blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$/
/** Names under which a platform speaks for itself. */
const OWN_LABELS = new Set(['www', 'm'])

export function readRegistrable(host: string): Registrable {
  const { domain, publicSuffix, isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true })
  const isPublic = isIcann === true || isPrivate === true
  const found = { domain, suffix: publicSuffix, isPublic, isIp: isIp === true }
  if (domain === null || !(HOSTING.has(domain) || BLOGSPOT.test(domain))) return found
  const customer = host
    .toLowerCase()
    .slice(0, -domain.length - 1)
    .split('.')
    .at(-1)
  if (customer === undefined || customer === '' || OWN_LABELS.has(customer)) return found
  return { ...found, domain: `${customer}.${domain}`, suffix: domain }
}

/** The registrable domain of a host or an address; null where there is none. */
export function findRegistrable(hostOrUrl: string): string | null {
  const host = getHostname(hostOrUrl)
  return host === null ? null : readRegistrable(host).domain
}
