import type { CrawledPage } from '../crawl/crawl.ts'
import type { Region } from '../page/document.ts'
import { findRegistrable } from '../registrable.ts'

/** How the pages of a site lead to others: what a copy of a site copies with it. All domains are registrable. */
export interface SiteTies {
  /** The other domain that the pages give as their own address. */
  pointsTo: string | null
  linksTo: string[]
  mailsTo: string[]
}

const LINKS_MAX = 50
const MAILS_MAX = 20

/** Where readers and guests write, a link says nothing about who runs the site. */
const OWN_REGIONS: ReadonlySet<Region> = new Set(['header', 'nav', 'main', 'footer'])

export function readTies(domain: string, pages: readonly CrawledPage[]): SiteTies {
  const site = registrable(domain) ?? domain
  const documents = pages.map(({ document }) => document)
  const addresses = documents.flatMap(({ canonical, sharedAs }) => [canonical, sharedAs])
  const links = documents.flatMap((document) =>
    document.links.filter(({ region }) => OWN_REGIONS.has(region)).map(({ href }) => href),
  )
  const mails = documents.flatMap(({ mailHosts, blocks }) => [
    ...mailHosts,
    ...blocks.flatMap(({ text }) => [...text.matchAll(MAIL)].map(([, host = '']) => host)),
  ])
  return {
    pointsTo: others(site, addresses, 1)[0] ?? null,
    linksTo: others(site, links, LINKS_MAX),
    mailsTo: others(site, mails, MAILS_MAX),
  }
}

const MAIL = /[\w.+-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,5})/g

/** The registrable domains of these addresses, without the site's own, each once, in their order. */
function others(site: string, addresses: ReadonlyArray<string | null>, max: number): string[] {
  const found = new Set<string>()
  for (const address of addresses) {
    const domain = address === null ? null : registrable(address)
    if (domain !== null && domain !== site) found.add(domain)
    if (found.size >= max) break
  }
  return [...found]
}

const registrable = findRegistrable
