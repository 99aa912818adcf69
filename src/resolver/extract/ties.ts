import type { OpenedPage } from '../crawl/crawl.ts'
import { findRegistrable } from '../domain/registrable.ts'
import type { Region } from '../page/document.ts'

/** The other domains that a site's pages point to. A copied site copies them too. All domains are registrable. */
export interface SiteTies {
  /** Another domain that the pages give as their own address. */
  pointsTo: string | null
  linksTo: string[]
  mailsTo: string[]
}

const LINKS_MAX = 50
const MAILS_MAX = 20

/** Links in articles and asides may be from visitors, so they do not count. */
const OWN_REGIONS: ReadonlySet<Region> = new Set(['header', 'nav', 'main', 'footer'])

export function readTies(domain: string, pages: readonly OpenedPage[]): SiteTies {
  const site = findRegistrable(domain) ?? domain
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
    pointsTo: listOtherDomains(site, addresses, 1)[0] ?? null,
    linksTo: listOtherDomains(site, links, LINKS_MAX),
    mailsTo: listOtherDomains(site, mails, MAILS_MAX),
  }
}

const MAIL = /[\w.+-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,5})/g

/** Returns the registrable domains of these addresses, each once, without the site's own. */
function listOtherDomains(site: string, addresses: ReadonlyArray<string | null>, max: number): string[] {
  const found = new Set<string>()
  for (const address of addresses) {
    const domain = address === null ? null : findRegistrable(address)
    if (domain !== null && domain !== site) found.add(domain)
    if (found.size >= max) break
  }
  return [...found]
}
