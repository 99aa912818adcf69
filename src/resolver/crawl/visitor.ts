import type { Clock } from '../../lib/clock.ts'
import { type CertificateIdentity, GuardError, type WebAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import type { Pace } from '../../lib/web/pace.ts'
import { type SiteReader, Unreadable } from '../read/site-reader.ts'
import type { Allowance } from './allowance.ts'
import { isChallenge } from './challenge.ts'
import type { CrawlAttempt, CrawledPage } from './crawl.ts'
import { describeTrouble, type Trouble } from './crawl-outcome.ts'
import type { KeptPages } from './kept-pages.ts'
import type { CandidatePage, PageKind } from './link-promise.ts'
import { registrableDomain } from './page-address.ts'
import { ADDRESS_LENGTH_MAX, isAllowed, parseRobots, type RobotsRules } from './robots.ts'

const REDIRECTS_MAX = 5
const NAME_TIMEOUT_MS = 4_000
const FIRST_CONTACT_TIMEOUT_MS = 4_000
const REQUEST_TIMEOUT_MS = 6_000
const PAGE_BYTES_MAX = 2_000_000
const FILE_BYTES_MAX = 512_000

type RequestResult = { kind: 'response'; response: WebAnswer } | NoPage
type Permission = { kind: 'rules'; rules: RobotsRules } | { kind: 'none'; trouble: Trouble }
interface VisitorContext {
  session: WebSession
  pace: Pace
  clock: Clock
  allowance: Allowance
  reader: SiteReader
  /** Takes the pages as they came; without it none is kept. */
  keptPages?: KeptPages | undefined
}
interface RequestLimits {
  timeoutMs: number
  bytesMax: number
  accepts?: (contentType: string | null) => boolean
}

/** The result of a request for one page: the page, or why there is none. */
export type Visit = { kind: 'page'; url: URL; page: CrawledPage } | NoPage

export interface NoPage {
  kind: 'none'
  /** The address that failed: the last one of the redirects. */
  url: URL
  trouble: Trouble
}

export function noPage(url: URL, trouble: Trouble): NoPage {
  return { kind: 'none', url, trouble }
}

/** Requests pages of a site politely: obeys robots.txt, the pace per host, and the allowance of the crawl. */
export class SiteVisitor {
  readonly attempts: CrawlAttempt[] = []
  readonly #context: VisitorContext
  readonly #addresses = new Map<string, Promise<string[] | Trouble>>()
  readonly #permissions = new Map<string, Promise<Permission>>()
  readonly #certificates = new Map<string, CertificateIdentity>()

  constructor(context: VisitorContext) {
    this.#context = context
  }

  /** Requests the home page. Its redirects may lead to another site. */
  visitHome(url: URL): Promise<Visit> {
    return this.visit({ url, kind: 'home' }, null)
  }

  /** Requests the address that a home page sends its readers to. */
  visitRefreshed(from: URL, to: URL): Promise<Visit> {
    this.#context.keptPages?.addRefresh(from.href, to.href)
    return this.visitHome(to)
  }

  /** Requests a page; follows up to five redirects. `home` is null for the home page; no other redirect may leave its site. */
  async visit(page: Pick<CandidatePage, 'url' | 'kind'>, home: URL | null): Promise<Visit> {
    const domain = home && registrableDomain(home.hostname)
    const visited = new Set<string>()
    let url = page.url
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      if (url.href.length > ADDRESS_LENGTH_MAX) return this.#refuse(url, { kind: 'long_address' })
      if (visited.has(url.href)) return this.#refuse(url, { kind: 'redirect_loop' })
      visited.add(url.href)
      const permission = await this.#getPermission(url.origin)
      if (permission.kind === 'none') return noPage(url, permission.trouble)
      if (!isAllowed(permission.rules, url)) return this.#refuse(url, { kind: 'robots' })
      const result = await this.#request(url, {
        timeoutMs: REQUEST_TIMEOUT_MS,
        bytesMax: PAGE_BYTES_MAX,
        accepts: isPageType,
      })
      if (result.kind === 'none') return result
      const next = findRedirectTarget(result.response)
      if (!next) return this.#toVisit(result.response, page.kind, home)
      if (domain !== null && registrableDomain(next.hostname) !== domain) {
        return this.#refuse(next, { kind: 'other_site' })
      }
      const { keptPages, clock } = this.#context
      keptPages?.addRedirect({ answer: result.response, fetchedAt: clock.now(), to: next.href, isHome: home === null })
      url = next
    }
    return this.#refuse(url, { kind: 'too_many_redirects' })
  }

  /** Returns the pages in a sitemap that are worth a request, best first; none if it cannot be read. */
  async readSitemap(url: URL, home: URL): Promise<CandidatePage[]> {
    if (url.href.length > ADDRESS_LENGTH_MAX) return []
    const permission = await this.#getPermission(url.origin)
    if (permission.kind === 'none' || !isAllowed(permission.rules, url)) return []
    const result = await this.#request(url, { timeoutMs: REQUEST_TIMEOUT_MS, bytesMax: FILE_BYTES_MAX })
    if (result.kind !== 'response' || result.response.status !== 200) return []
    const { body } = result.response
    return (await this.#read((reader) => reader.readSitemap(body, home))) ?? []
  }

  /** Returns the rules of an origin; null if they are unknown. */
  async findRules(origin: string): Promise<RobotsRules | null> {
    const permission = await this.#getPermission(origin)
    return permission.kind === 'rules' ? permission.rules : null
  }

  /** Returns the IP addresses of a host, or why there are none. Each host is looked up once. */
  resolve(host: string): Promise<string[] | Trouble> {
    const known = this.#addresses.get(host)
    if (known) return known
    const lookup = this.#lookUp(host)
    this.#addresses.set(host, lookup)
    return lookup
  }

  /** Returns the certificates of hosts under these registrable domains. */
  listCertificates(domains: Set<string>): CertificateIdentity[] {
    return [...this.#certificates]
      .filter(([host]) => domains.has(registrableDomain(host)))
      .map(([, certificate]) => certificate)
  }

  async #lookUp(host: string): Promise<string[] | Trouble> {
    // A plain timer: one that is aborted makes an error with its stack, which takes longer than the lookup.
    const { promise: late, resolve: giveUp } = Promise.withResolvers<null>()
    const timer = setTimeout(giveUp, Math.min(NAME_TIMEOUT_MS, this.#context.allowance.remainingMs()), null)
    try {
      const addresses = await Promise.race([this.#context.session.resolve(host), late])
      if (addresses === null) return { kind: 'name_timeout' }
      return addresses.length > 0 ? addresses : { kind: 'name_not_found' }
    } catch (error) {
      return toTrouble(error)
    } finally {
      clearTimeout(timer)
    }
  }

  #getPermission(origin: string): Promise<Permission> {
    const known = this.#permissions.get(origin)
    if (known) return known
    const permission = this.#readRobots(origin)
    this.#permissions.set(origin, permission)
    return permission
  }

  /** Follows up to five redirects, also to other hosts; an unreachable file allows nothing (RFC 9309 2.3.1). */
  async #readRobots(origin: string): Promise<Permission> {
    let url = new URL('/robots.txt', origin)
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const result = await this.#request(url, { timeoutMs: FIRST_CONTACT_TIMEOUT_MS, bytesMax: FILE_BYTES_MAX })
      if (result.kind === 'none') return { kind: 'none', trouble: result.trouble }
      const { response } = result
      const next = findRedirectTarget(response)
      if (!next) {
        const rules = isGood(response.status)
          ? await this.#read((reader) => reader.readRobots(response))
          : parseRobots({ status: response.status, body: Buffer.alloc(0) })
        if (!rules)
          return { kind: 'none', trouble: response.status === 429 ? statusTrouble(429) : { kind: 'robots_unknown' } }
        // The file is at another host of the site: no second request is needed for that host.
        if (url.pathname === '/robots.txt' && !this.#permissions.has(url.origin)) {
          this.#permissions.set(url.origin, Promise.resolve({ kind: 'rules', rules }))
        }
        return { kind: 'rules', rules }
      }
      if (next.href.length > ADDRESS_LENGTH_MAX) return { kind: 'none', trouble: { kind: 'long_address' } }
      url = next
    }
    const rules = parseRobots({ status: 404, body: Buffer.alloc(0) })
    return rules ? { kind: 'rules', rules } : { kind: 'none', trouble: { kind: 'robots_unknown' } }
  }

  async #request(url: URL, limits: RequestLimits): Promise<RequestResult> {
    const { session, pace, allowance } = this.#context
    if (allowance.remainingMs() === 0) return noPage(url, { kind: 'out_of_time' })
    const attempt: CrawlAttempt = { url: url.href, outcome: '', milliseconds: 0 }
    this.attempts.push(attempt)
    const startedAtMs = performance.now()
    const bytes = allowance.reserveBytes(limits.bytesMax)
    let spentBytes = 0
    try {
      const addresses = await this.resolve(url.hostname)
      if (!Array.isArray(addresses)) return this.#fail(attempt, url, addresses)
      if (bytes === 0) return this.#fail(attempt, url, { kind: 'out_of_bytes' })
      const maySend = await pace.waitToSend({ host: url.host, address: addresses[0] ?? '' }, allowance.remainingMs())
      if (!maySend) return this.#fail(attempt, url, { kind: 'busy' })
      const timeoutMs = Math.min(limits.timeoutMs, Math.max(1, Math.floor(allowance.remainingMs())))
      const response = await session.send(url, {
        timeoutMs,
        bodyBytesMax: bytes,
        whenTooLarge: 'cut',
        headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5', 'accept-language': 'en-GB,en;q=0.9' },
        ...(limits.accepts ? { accepts: limits.accepts } : {}),
      })
      spentBytes = Math.min(bytes, response.body.byteLength)
      attempt.outcome = String(response.status)
      if (response.certificate) this.#certificates.set(url.hostname, response.certificate)
      return { kind: 'response', response }
    } catch (error) {
      return this.#fail(attempt, url, toTrouble(error))
    } finally {
      allowance.giveBackBytes(bytes - spentBytes)
      attempt.milliseconds = Math.round(performance.now() - startedAtMs)
    }
  }

  /** Returns null if the thread cannot read it. The time for parsing does not count against the site. */
  async #read<T>(work: (reader: SiteReader) => Promise<T>): Promise<T | null> {
    const startedAtMs = performance.now()
    try {
      return await work(this.#context.reader)
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    } finally {
      this.#context.allowance.giveBackMs(performance.now() - startedAtMs)
    }
  }

  async #toVisit(response: WebAnswer, kind: PageKind, home: URL | null): Promise<Visit> {
    const { url, status, headers, body } = response
    const isOk = isGood(status)
    // Only these two may be a browser check; other error pages are not read.
    if (!isOk && status !== 503 && status !== 405) return noPage(url, statusTrouble(status))
    const contentType = headers['content-type'] ?? null
    const isRead = isPageType(contentType) && !response.skipped
    const isEmpty = !isRead || body.byteLength === 0
    const about = { url: url.href, home: home?.href ?? null, contentType, headers, isCut: response.cut }
    const read = isEmpty
      ? { content: null, isChallenge: isChallenge({ headers, body: Buffer.alloc(0), title: '', text: '' }) }
      : await this.#read((reader) => reader.readPage(body, about))
    if (read?.isChallenge) return this.#amend(url, { kind: 'challenge' })
    if (!isOk) return noPage(url, statusTrouble(status))
    if (!read) return this.#amend(url, { kind: 'unreadable' })
    if (!isRead) return this.#amend(url, { kind: 'not_html' })
    if (!read.content) return this.#amend(url, { kind: 'empty' })
    const page: CrawledPage = {
      url: url.href,
      status,
      fetchedAt: this.#context.clock.now(),
      bytes: body.byteLength,
      kind,
      ...read.content,
    }
    this.#context.keptPages?.add({ answer: response, fetchedAt: page.fetchedAt, sha256: page.sha256 })
    return { kind: 'page', url, page }
  }

  /** Records an address that was wanted, but not requested. */
  #refuse(url: URL, trouble: Trouble): NoPage {
    this.attempts.push({
      url: url.href.slice(0, ADDRESS_LENGTH_MAX),
      outcome: describeTrouble(trouble),
      milliseconds: 0,
    })
    return noPage(url, trouble)
  }

  #fail(attempt: CrawlAttempt, url: URL, trouble: Trouble): NoPage {
    attempt.outcome = describeTrouble(trouble)
    return noPage(url, trouble)
  }

  /** Corrects the record of a request: its status was good, but the response is no page. */
  #amend(url: URL, trouble: Trouble): NoPage {
    const attempt = this.attempts.findLast((item) => item.url === url.href)
    if (attempt) attempt.outcome = describeTrouble(trouble)
    return noPage(url, trouble)
  }
}

function isPageType(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml'
}

function findRedirectTarget({ status, headers, url }: WebAnswer): URL | null {
  const location = headers['location']
  if (status < 300 || status >= 400 || location === undefined) return null
  const target = URL.parse(location, url.href)
  if (!target || (target.protocol !== 'https:' && target.protocol !== 'http:')) return null
  target.hash = ''
  return target
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

function statusTrouble(status: number): Trouble {
  return { kind: 'status', status }
}

function toTrouble(error: unknown): Trouble {
  if (error instanceof GuardError) return { kind: error.reason }
  throw error
}
