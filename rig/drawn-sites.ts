/**
 * Domains without number, drawn by a seed, and the site that each has: made from its name when it is asked for, so that a
 * million of them take no memory.
 */
import { createHash } from 'node:crypto'
import { randomOf } from './random.ts'
import { companyAt } from './synthetic-register/company.ts'
import type { SimulatedSite } from './web/index.ts'

export type DrawnKind = keyof typeof DRAWN_SHARES

/**
 * The shares of a list of all names that were ever seen, in zone files and certificate logs: most are gone, and of those that
 * are left half are parked. Assumed: a list of customers has more sites and more companies, and takes longer.
 */
export const DRAWN_SHARES = {
  /** The name does not exist. */
  missing: 0.62,
  /** The name has an address, where every connection is ended. */
  silent: 0.03,
  /** One page of a registrar: for sale, parked. */
  parked: 0.2,
  /** A person's or a foreign company's site of several pages. */
  unregistered: 0.12,
  /** A site of several pages that names its company. Of 5.7 million companies in a list of 360 million domains, 1.6 %. */
  company: 0.03,
} as const

/** Suffixes under which one certificate can name all sites: a wildcard needs two labels beside it. */
const SUFFIXES = ['co.uk', 'org.uk', 'me.uk'] as const
const SHARED_NAMES = SUFFIXES.map((suffix) => `*.${suffix}`)
const WORDS =
  'alder bracken cinder dunlin elver fallow garnet hazel islay juniper kestrel linnet marram nettle osier'.split(' ')
const PATTERN = new RegExp(
  `^(?:${WORDS.join('|')})[0-9a-z]+-[0-9a-z]+\\.(?:${SUFFIXES.join('|').replaceAll('.', '\\.')})$`,
)
/** Registrars park a hundred thousand names at an address. The pace for one address is what they feel. */
const PARKING_ADDRESSES = 200

/** Returns the domain at an index of the list; no two indexes have the same. Its order by name is not that of the list. */
export function drawDomain(seed: number, index: number): string {
  const random = randomOf(seed, index)
  return `${random.pick(WORDS)}${random.below(36 ** 4).toString(36)}-${index.toString(36)}.${random.pick(SUFFIXES)}`
}

/** Returns the kind of a drawn domain. */
export function kindOf(domain: string): DrawnKind {
  let left = drawOf(domain) / 2 ** 32
  for (const [kind, share] of Object.entries(DRAWN_SHARES)) if ((left -= share) < 0) return kind as DrawnKind
  return 'missing'
}

/** Returns the site of a host in a world with a synthetic register of so many companies; null where the name does not exist. */
export function drawSite(host: string, companies: number): SimulatedSite | null {
  if (!PATTERN.test(host)) return null
  const draw = drawOf(host, 1)
  switch (kindOf(host)) {
    case 'missing':
      return null
    case 'silent':
      return { http: 'refused', https: 'refused' }
    case 'parked':
      return parkedSite(host, draw)
    case 'unregistered':
      return draw % 2 === 0 ? siteOf('My garden', 'I write about my tomatoes in my free time.') : foreignSite(host)
    case 'company':
      return companySite(draw % companies)
  }
}

function drawOf(host: string, nth = 0): number {
  return createHash('sha256')
    .update(host)
    .digest()
    .readUInt32BE(4 * nth)
}

function parkedSite(host: string, draw: number): SimulatedSite {
  const page = `<!doctype html><html lang="en"><title>${host}</title><h1>${host} is for sale</h1>
    <p>This domain is parked. The owner of this domain has listed it: make an offer.</p></html>`
  const address = 1 + (draw % PARKING_ADDRESSES)
  return {
    sharedNames: SHARED_NAMES,
    // Half of the registrars have no certificate for the names they park.
    ...(draw % 2 === 0 ? { https: 'refused', https_redirect: false } : {}),
    addresses: [`46.20.${Math.floor(address / 250)}.${1 + (address % 250)}`],
    pages: { '/': page, '/robots.txt': 'User-agent: *\nAllow: /\n' },
  }
}

const TEXT = 'We have worked for our customers for many years, and we go wherever they need us. '.repeat(12)
const PATHS = ['services', 'about', 'contact', 'privacy', 'terms', 'news']

/** Seven pages of some kilobytes. */
function siteOf(title: string, footer: string): SimulatedSite {
  const links = PATHS.map((path) => `<a href="/${path}">${path}</a>`).join(' ')
  const page = (heading: string) => `<!doctype html><html lang="en"><title>${heading} – ${title}</title>
    <nav>${links}</nav><h1>${heading}</h1>${`<p>${TEXT}</p><ul><li>${heading}</li></ul>`.repeat(4)}
    <footer>${footer} <a href="/">Home</a></footer></html>`
  const pages = PATHS.map((path) => [`/${path}`, page(path)])
  return { sharedNames: SHARED_NAMES, pages: { '/': page('Welcome'), ...Object.fromEntries(pages) } }
}

function foreignSite(host: string): SimulatedSite {
  const name = `${host.split('-', 1)[0] ?? ''} GmbH`
  return siteOf(name, `© 2026 ${name}, Hauptstraße 1, 10115 Berlin. Amtsgericht Berlin, HRB 123456.`)
}

const REGISTER_SEED = 1

function companySite(index: number): SimulatedSite {
  const { name, number, line1, town, postcode } = companyAt(index, REGISTER_SEED)
  return siteOf(
    name,
    `© 2026 ${name}. Registered in England and Wales. Company number ${number}. Registered office: ${line1}, ${town}, ${postcode}.`,
  )
}
