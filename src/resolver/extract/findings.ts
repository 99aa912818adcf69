import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { Crawl, CrawledPage } from '../crawl/crawl.ts'
import { type ForeignWords, findForeignWords } from './foreign-words.ts'
import { readIdentity, type SiteIdentity } from './identity.ts'
import { findPassages, type Passage } from './passages.ts'
import { readSiteKind, type SiteKind } from './site-kind.ts'
import { readStructuredIdentities, type StructuredIdentity } from './structured-data.ts'
import { readTies, type SiteTies } from './ties.ts'

/** Everything a site says that bears on who runs it, before anybody looks at the register. */
export interface SiteFindings {
  identity: SiteIdentity
  kind: SiteKind
  passages: Passage[]
  structured: StructuredIdentity[]
  /** Where the site says of itself that its company is another country's. */
  foreignWords: ForeignWords[]
  certificates: CertificateIdentity[]
  pages: readonly CrawledPage[]
  /** Postcodes printed anywhere on the site, without their spaces. */
  postcodes: Set<string>
  ties: SiteTies
}

/** Pure: the pages of a site to what they say. */
export function extractFindings(site: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>): SiteFindings {
  const identity = readIdentity(site.redirectedTo ?? site.domain, site.pages)
  const passages = findPassages(site.pages)
  const structured = readStructuredIdentities(site.pages)
  const postcodes = new Set<string>()
  for (const passage of passages) for (const { code } of passage.postcodes) postcodes.add(code)
  for (const { postcodes: codes } of structured) for (const code of codes) postcodes.add(code)
  return {
    identity,
    kind: readSiteKind(identity, site.pages),
    passages,
    structured,
    foreignWords: findForeignWords(site.pages),
    certificates: site.certificates,
    pages: site.pages,
    postcodes,
    ties: readTies(identity.domain, site.pages),
  }
}
