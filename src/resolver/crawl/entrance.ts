/** Finds the home page of a domain: over https or http, with or without `www.`, behind redirects and refreshes. */
import { chooseMostTelling } from './finding.ts'
import { type NoPage, noPage, type Trouble, type Visit } from './visit.ts'
import type { SiteVisitor } from './visitor.ts'

const REFRESHES_MAX = 2

interface Entrance {
  url: URL
  host: string
}

/** The four entrances of a site, as far as their names lead anywhere. What one entrance tells can spare knocking at another. */
export async function findHome(visitor: SiteVisitor, domain: string): Promise<Visit> {
  const troubles: NoPage[] = []
  const answered = new Set<string>()
  for (const entrance of await listEntrances(visitor, domain, troubles)) {
    if (answered.has(entrance.host) || (await isPointless(visitor, entrance, troubles))) continue
    const visit = await visitor.visit(entrance.url, { kind: 'home' })
    if (visit.kind === 'page') return followRefresh(visitor, visit)
    troubles.push(visit)
    // A host that answered has said over https all that it would say over http.
    if (visit.trouble.kind === 'status' || visit.trouble.kind === 'robots_unknown') {
      answered.add(entrance.host).add(visit.url.hostname)
    }
    if (!isWorthAnotherEntrance(visit.trouble)) break
  }
  const trouble = chooseMostTelling(troubles.map((item) => item.trouble))
  return troubles.find((item) => item.trouble === trouble) ?? noPage(new URL(`https://${domain}/`), trouble)
}

async function listEntrances(visitor: SiteVisitor, domain: string, troubles: NoPage[]): Promise<Entrance[]> {
  const hosts = [domain, `www.${domain}`]
  // Asked together: a name server that does not answer costs its time once.
  const found = await Promise.all(hosts.map((host) => visitor.resolve(host)))
  const open = hosts.filter((_, place) => Array.isArray(found[place]))
  for (const [place, host] of hosts.entries()) {
    const addresses = found[place]
    if (addresses === undefined || Array.isArray(addresses)) continue
    troubles.push(noPage(new URL(`https://${host}/`), addresses))
    visitor.attempts.push({ url: `https://${host}/`, outcome: addresses.kind, milliseconds: 0 })
  }
  return ['https', 'http'].flatMap((scheme) => open.map((host) => ({ url: new URL(`${scheme}://${host}/`), host })))
}

/** An address that refused or ignored us on a port does so for every name. */
async function isPointless(visitor: SiteVisitor, entrance: Entrance, troubles: NoPage[]): Promise<boolean> {
  const addresses = await addressText(visitor, entrance.host)
  for (const { url, trouble } of troubles) {
    const isSilent = trouble.kind === 'refused' || trouble.kind === 'timeout'
    if (!isSilent || url.protocol !== entrance.url.protocol) continue
    if ((await addressText(visitor, url.hostname)) === addresses) return true
  }
  return false
}

async function addressText(visitor: SiteVisitor, host: string): Promise<string> {
  const addresses = await visitor.resolve(host)
  return Array.isArray(addresses) ? addresses.toSorted().join(' ') : host
}

/** Refusals are respected at the first entrance. A missing page or a broken server may be a matter of one host only. */
function isWorthAnotherEntrance(trouble: Trouble): boolean {
  if (trouble.kind === 'status') return trouble.status === 404 || trouble.status === 410 || trouble.status >= 500
  const final: Array<Trouble['kind']> = [
    'challenge',
    'robots',
    'redirect_loop',
    'too_many_redirects',
    'long_address',
    'unreadable',
    'not_html',
    'empty',
    'busy',
    'out_of_time',
    'out_of_bytes',
  ]
  return !final.includes(trouble.kind)
}

/** A page that only sends its reader on is not the home page, unless what it points to cannot be read. */
async function followRefresh(visitor: SiteVisitor, first: Visit & { kind: 'page' }): Promise<Visit> {
  const passed = new Set([first.url.href])
  let home = first
  for (let refresh = 0; refresh < REFRESHES_MAX; refresh += 1) {
    const target = refreshTarget(home)
    if (!target || passed.has(target.href)) return home
    passed.add(target.href)
    const visit = await visitor.visit(target, { kind: 'home' })
    if (visit.kind === 'none') return home
    home = visit
  }
  return home
}

function refreshTarget({ url, page }: Visit & { kind: 'page' }): URL | null {
  const target = page.document.metaRefresh === null ? null : URL.parse(page.document.metaRefresh, url.href)
  if (!target || (target.protocol !== 'https:' && target.protocol !== 'http:')) return null
  target.hash = ''
  return target
}
