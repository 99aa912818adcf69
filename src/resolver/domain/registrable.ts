/** The holder of a domain: the part of a host name that was registered or given by a platform, and shared domains. Pure. */
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

/**
 * Domains that many companies use for sites or mailboxes: such an address does not identify a company. Most hosting platforms
 * (`wixsite.com`, `github.io`) are on the public suffix list; these are not.
 */
const MAIL =
  'gmail.com googlemail.com hotmail.com hotmail.co.uk outlook.com live.com live.co.uk msn.com yahoo.com yahoo.co.uk ymail.com icloud.com me.com mac.com aol.com aol.co.uk btinternet.com btopenworld.com sky.com virginmedia.com talktalk.net ntlworld.com blueyonder.co.uk protonmail.com proton.me gmx.com gmx.co.uk mail.com zoho.com tiscali.co.uk plus.com plusnet.com o2.co.uk fastmail.com tutanota.com hey.com duck.com'
const SOCIAL =
  'facebook.com fb.com instagram.com twitter.com x.com linkedin.com tiktok.com youtube.com youtu.be pinterest.com pinterest.co.uk threads.net snapchat.com reddit.com tumblr.com medium.com linktr.ee linkin.bio bio.link beacons.ai whatsapp.com wa.me t.me telegram.org discord.com nextdoor.com nextdoor.co.uk bsky.app vimeo.com flickr.com meetup.com'
const MARKETPLACES =
  'ebay.com ebay.co.uk etsy.com amazon.com amazon.co.uk gumtree.com notonthehighstreet.com depop.com vinted.co.uk checkatrade.com yell.com trustpilot.com tripadvisor.co.uk tripadvisor.com booking.com airbnb.com airbnb.co.uk justeat.co.uk just-eat.co.uk deliveroo.co.uk ubereats.com treatwell.co.uk fresha.com bark.com rightmove.co.uk zoopla.co.uk autotrader.co.uk'
const BUILDERS =
  'google.com wix.com wordpress.com squarespace.com weebly.com godaddy.com godaddysites.com shopify.com webflow.com sharepoint.com dropbox.com notion.so notion.site eventbrite.co.uk eventbrite.com gofundme.com justgiving.com patreon.com substack.com blogger.com issuu.com canva.com carrd.co'
const SHORTENERS =
  't.co bit.ly tinyurl.com goo.gl ow.ly buff.ly lnkd.in rebrand.ly is.gd cutt.ly rb.gy shorturl.at tiny.cc fb.me amzn.to amzn.eu'
const DOMAIN_DEALERS =
  'sedo.com sedoparking.com dan.com afternic.com hugedomains.com bodis.com parkingcrew.net undeveloped.com flippa.com namecheap.com 123-reg.co.uk'

export type SharedKind =
  | 'mail'
  | 'social network'
  | 'marketplace'
  | 'website builder'
  | 'link shortener'
  | 'domain dealer'

const KINDS = new Map<string, SharedKind>(
  (
    [
      [MAIL, 'mail'],
      [SOCIAL, 'social network'],
      [MARKETPLACES, 'marketplace'],
      [BUILDERS, 'website builder'],
      [SHORTENERS, 'link shortener'],
      [DOMAIN_DEALERS, 'domain dealer'],
    ] as const
  ).flatMap(([domains, kind]) => domains.split(' ').map((domain) => [domain, kind] as const)),
)

/** Returns the kind of a shared domain; null for all others. */
export function sharedKindOf(domain: string): SharedKind | null {
  return KINDS.get(domain) ?? null
}
