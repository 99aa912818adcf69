import type { CertificateIdentity } from '../../lib/web/guarded-client.ts'
import type { Crawl, OpenedPage } from '../crawl/crawl.ts'
import { type ForeignWords, findForeignWords } from './foreign-words.ts'
import { readIdentity, type SiteIdentity } from './identity.ts'
import { findPassages, type Passage } from './passages.ts'
import { readSiteKind, type SiteKind } from './site-kind.ts'
import { readStructuredIdentities, type StructuredIdentity } from './structured-data.ts'
import { readTies, type SiteTies } from './ties.ts'

/** Everything on a site that helps to find who runs it, before the register is consulted. */
export interface SiteFindings {
  identity: SiteIdentity
  kind: SiteKind
  passages: Passage[]
  structured: StructuredIdentity[]
  /** Sentences in which the site says that its company is foreign. */
  foreignWords: ForeignWords[]
  certificates: CertificateIdentity[]
  pages: readonly OpenedPage[]
  /** Postcodes printed anywhere on the site, without their spaces. */
  postcodes: Set<string>
  ties: SiteTies
}

/** Extracts the findings from the pages of a site. Pure. */
export function extractFindings(
  site: Pick<Crawl, 'domain' | 'redirectedTo' | 'certificates'> & { pages: readonly OpenedPage[] },
): SiteFindings {
  const identity = readIdentity(site, site.pages)
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
