/** Finds the part of a host name that its holder registered, or got from a hosting platform. Pure. */
import { getHostname, parse } from 'tldts'

interface Registrable {
  /** Null for a bare suffix, an IP address, and invalid names. */
  domain: string | null
  /** The rest of the domain, behind the holder's label. */
  suffix: string | null
  /** The suffix is on the public suffix list. */
  isPublic: boolean
  isIp: boolean
}

/**
 * Platforms that give each customer a name below their own, but are not on the public suffix list. Each customer name is a
 * separate site; the platform's bare name is the platform's site.
 */
const HOSTING = new Set(
  (
    'business.site wordpress.com tumblr.com substack.com squarespace.com weebly.com godaddysites.com medium.com ' +
    'jimdofree.com jimdosite.com jimdo.com webnode.com webnode.co.uk webnode.page strikingly.com site123.me ueniweb.com ' +
    'moonfruit.com btck.co.uk vpweb.co.uk'
  ).split(' '),
)
const BLOGSPOT = /^blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?$/
/** Labels of the platform itself. */
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

/** Returns the registrable domain of a host or URL; null if there is none. */
export function findRegistrable(hostOrUrl: string): string | null {
  const host = getHostname(hostOrUrl)
  return host === null ? null : readRegistrable(host).domain
}
