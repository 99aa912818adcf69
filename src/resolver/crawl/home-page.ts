/** Finds the home page of a domain: over https or http, with or without `www.`, behind redirects and refreshes. */
import { chooseMostInformative, type Trouble } from './crawl-outcome.ts'
import { type NoPage, noPage, type SiteVisitor, type Visit } from './visitor.ts'

const REFRESHES_MAX = 2

interface HomeAddress {
  url: URL
  host: string
}

/** Tries up to four addresses until one gives a page; skips those that must fail like one before. */
export async function findHome(visitor: SiteVisitor, domain: string): Promise<Visit> {
  const failures: NoPage[] = []
  const answeredHosts = new Set<string>()
  for (const address of await listHomeAddresses(visitor, domain, failures)) {
    if (answeredHosts.has(address.host) || (await isPointless(visitor, address, failures))) continue
    const visit = await visitor.visitHome(address.url)
    if (visit.kind === 'page') return followRefresh(visitor, visit)
    failures.push(visit)
    // A host that answered over https would answer the same over http.
    if (visit.trouble.kind === 'status' || visit.trouble.kind === 'robots_unknown') {
      answeredHosts.add(address.host).add(visit.url.hostname)
    }
    if (!isWorthAnotherAddress(visit.trouble)) break
  }
  const trouble = chooseMostInformative(failures.map((item) => item.trouble))
  return failures.find((item) => item.trouble === trouble) ?? noPage(new URL(`https://${domain}/`), trouble)
}

/** Lists the addresses whose host name resolves; adds the other hosts to `failures`. */
async function listHomeAddresses(visitor: SiteVisitor, domain: string, failures: NoPage[]): Promise<HomeAddress[]> {
  const hosts = [domain, `www.${domain}`]
  // In parallel: a name server that does not answer costs its timeout once.
  const lookups = await Promise.all(hosts.map(async (host) => ({ host, result: await visitor.resolve(host) })))
  const found: string[] = []
  for (const { host, result } of lookups) {
    if (Array.isArray(result)) found.push(host)
    else {
      failures.push(noPage(new URL(`https://${host}/`), result))
      visitor.attempts.push({ url: `https://${host}/`, outcome: result.kind, milliseconds: 0 })
    }
  }
  return ['https', 'http'].flatMap((scheme) => found.map((host) => ({ url: new URL(`${scheme}://${host}/`), host })))
}

/** True if the same IP address already refused or ignored us on this port: it would do so for every name. */
async function isPointless(visitor: SiteVisitor, address: HomeAddress, failures: NoPage[]): Promise<boolean> {
  const ips = await toIpKey(visitor, address.host)
  for (const { url, trouble } of failures) {
    const isSilent = trouble.kind === 'refused' || trouble.kind === 'timeout'
    if (!isSilent || url.protocol !== address.url.protocol) continue
    if ((await toIpKey(visitor, url.hostname)) === ips) return true
  }
  return false
}

async function toIpKey(visitor: SiteVisitor, host: string): Promise<string> {
  const addresses = await visitor.resolve(host)
  return Array.isArray(addresses) ? addresses.toSorted().join(' ') : host
}

/** A refusal counts for the whole site. A missing page or a broken server may concern one host only. */
function isWorthAnotherAddress(trouble: Trouble): boolean {
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

/** Follows `<meta http-equiv="refresh">`. Returns the last page that could be read. */
async function followRefresh(visitor: SiteVisitor, first: Visit & { kind: 'page' }): Promise<Visit> {
  const visited = new Set([first.url.href])
  let home = first
  for (let refresh = 0; refresh < REFRESHES_MAX; refresh += 1) {
    const target = findRefreshTarget(home)
    if (!target || visited.has(target.href)) return home
    visited.add(target.href)
    const visit = await visitor.visitRefreshed(home.url, target)
    if (visit.kind === 'none') return home
    home = visit
  }
  return home
}

function findRefreshTarget({ url, page }: Visit & { kind: 'page' }): URL | null {
  const target = page.outline.metaRefresh === null ? null : URL.parse(page.outline.metaRefresh, url.href)
  if (!target || (target.protocol !== 'https:' && target.protocol !== 'http:')) return null
  target.hash = ''
  return target
}
