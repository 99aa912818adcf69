import { answerRequest } from '../../rig/web/answer.ts'
import { loadSites, Sites } from '../../rig/web/site.ts'
import type { Db } from '../../src/lib/db/db.ts'
import { type Company, countInNames, toNameKey } from '../../src/register/index.ts'
import type { OpenedPage } from '../../src/resolver/crawl/crawl.ts'
import { readIdentity, type SiteIdentity } from '../../src/resolver/extract/identity.ts'
import { readPage } from '../../src/resolver/page/read-page.ts'
import type { Resolution } from '../../src/resolver/resolution.ts'
import type { ResolvedSite } from './answer.ts'
import { listNames, type NamedWorld } from './naming.ts'

/** Reads the names of the sites from the pages that the run read, as the resolver does. */
export async function readNamedWorld(
  db: Db,
  run: { folder: string; sites: readonly ResolvedSite[]; companies: ReadonlyMap<string, Company> },
): Promise<NamedWorld> {
  const web = new Sites(loadSites(run.folder))
  const identities = new Map<string, SiteIdentity>()
  for (const { domain, resolution } of run.sites) {
    const pages: OpenedPage[] = []
    for (const page of resolution?.crawl.pages ?? []) pages.push(...(await readAgain(web, page)))
    identities.set(domain, readIdentity({ domain, redirectedTo: resolution?.crawl.redirectedTo ?? null }, pages))
  }
  return { identities, companies: run.companies, isRare: await readRareWords(db, [...run.companies.values()]) }
}

async function readAgain(web: Sites, page: Resolution['crawl']['pages'][number]): Promise<OpenedPage[]> {
  const { protocol, hostname: name, pathname, search } = new URL(page.url)
  const site = web.find(name)
  if (!site) return []
  const scheme = protocol === 'https:' ? 'https' : 'http'
  const response = await answerRequest(site, { scheme, method: 'GET', name, target: pathname + search })
  const { bytes } = response.content
  const document = readPage(bytes, { url: page.url, contentType: String(response.headers['content-type'] ?? '') })
  return [{ ...page, bytes: bytes.byteLength, kind: 'other', document }]
}

/** A word is rare in as many names as for the resolver. */
async function readRareWords(db: Db, companies: readonly Company[]): Promise<(word: string) => boolean> {
  const words = [...new Set(companies.flatMap(listNames).flatMap((name) => toNameKey(name).split(' ')))]
  const counts = await countInNames(db, { words, postcodes: [] })
  const rareBelow = Math.max(12, counts.total * 0.0005)
  return (word) => (counts.words.get(word) ?? 0) <= rareBelow
}
