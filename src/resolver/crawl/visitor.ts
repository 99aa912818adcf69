import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { type CertificateIdentity, GuardError, type WebAnswer, type WebSession } from '../../lib/web/guarded-client.ts'
import type { Pace } from '../../lib/web/pace.ts'
import type { Link, PageDocument } from '../page/document.ts'
import { type SiteReader, Unreadable } from '../read/site-reader.ts'
import type { Allowance } from './allowance.ts'
import { isChallenge } from './challenge.ts'
import type { Attempt, CrawledPage, PageKind } from './crawl.ts'
import { registrableDomain } from './page-address.ts'
import { ADDRESS_LENGTH_MAX, isAllowed, parseRobots, type RobotsRules } from './robots.ts'
import { type NoPage, noPage, outcomeOf, type Trouble, type Visit } from './visit.ts'

const REDIRECTS_MAX = 5
const NAME_TIMEOUT_MS = 4_000
const FIRST_CONTACT_TIMEOUT_MS = 4_000
const REQUEST_TIMEOUT_MS = 6_000
const PAGE_BYTES_MAX = 2_000_000
const FILE_BYTES_MAX = 512_000

type Answered = { kind: 'answer'; answer: WebAnswer } | NoPage
type Permission = { kind: 'rules'; rules: RobotsRules } | { kind: 'none'; trouble: Trouble }
export interface VisitorWorld {
  session: WebSession
  pace: Pace
  clock: Clock
  allowance: Allowance
  reader: SiteReader
}
interface Request {
  timeoutMs: number
  bytesMax: number
  accepts?: (contentType: string | null) => boolean
}

/** Asks a site for pages as a polite guest: rules first, never faster than the pace, never past the allowance. */
export class SiteVisitor {
  readonly attempts: Attempt[] = []
  readonly #world: VisitorWorld
  readonly #addresses = new Map<string, Promise<string[] | Trouble>>()
  readonly #permissions = new Map<string, Promise<Permission>>()
  readonly #certificates = new Map<string, CertificateIdentity>()

  constructor(world: VisitorWorld) {
    this.#world = world
  }

  /** One page, by at most five redirects. With `stayOn`, a redirect to another registrable domain is not followed. */
  async visit(start: URL, options: { kind: PageKind; stayOn?: string }): Promise<Visit> {
    const passed = new Set<string>()
    let url = start
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      if (url.href.length > ADDRESS_LENGTH_MAX) return this.#refuse(url, { kind: 'long_address' })
      if (passed.has(url.href)) return this.#refuse(url, { kind: 'redirect_loop' })
      passed.add(url.href)
      const permission = await this.#permissionOf(url.origin)
      if (permission.kind === 'none') return noPage(url, permission.trouble)
      if (!isAllowed(permission.rules, url)) return this.#refuse(url, { kind: 'robots' })
      const answered = await this.#ask(url, {
        timeoutMs: REQUEST_TIMEOUT_MS,
        bytesMax: PAGE_BYTES_MAX,
        accepts: isPageType,
      })
      if (answered.kind === 'none') return answered
      const next = redirectTarget(answered.answer)
      if (!next) return this.#toVisit(answered.answer, options.kind)
      if (options.stayOn !== undefined && registrableDomain(next.hostname) !== options.stayOn) {
        return this.#refuse(next, { kind: 'other_site' })
      }
      url = next
    }
    return this.#refuse(url, { kind: 'too_many_redirects' })
  }

  /** The pages that a sitemap of the site lists; none when it cannot be had. */
  async readSitemap(url: URL): Promise<Link[]> {
    if (url.href.length > ADDRESS_LENGTH_MAX) return []
    const permission = await this.#permissionOf(url.origin)
    if (permission.kind === 'none' || !isAllowed(permission.rules, url)) return []
    const answered = await this.#ask(url, { timeoutMs: REQUEST_TIMEOUT_MS, bytesMax: FILE_BYTES_MAX })
    if (answered.kind !== 'answer' || answered.answer.status !== 200) return []
    const { body } = answered.answer
    return (await this.#read((reader) => reader.readSitemap(body))) ?? []
  }

  /** The rules of a host that was visited. */
  async findRules(origin: string): Promise<RobotsRules | null> {
    const permission = await this.#permissionOf(origin)
    return permission.kind === 'rules' ? permission.rules : null
  }

  /** Looked up once, however often it is asked; a name that leads nowhere is a trouble. */
  resolve(host: string): Promise<string[] | Trouble> {
    const known = this.#addresses.get(host)
    if (known) return known
    const asked = this.#lookUp(host)
    this.#addresses.set(host, asked)
    return asked
  }

  /** Of the hosts under these registrable domains. */
  listCertificates(domains: Set<string>): CertificateIdentity[] {
    return [...this.#certificates].filter(([host]) => domains.has(registrableDomain(host))).map(([, found]) => found)
  }

  async #lookUp(host: string): Promise<string[] | Trouble> {
    const timer = new AbortController()
    const late = sleep(Math.min(NAME_TIMEOUT_MS, this.#world.allowance.remainingMs()), null, { signal: timer.signal })
    try {
      const addresses = await Promise.race([this.#world.session.resolve(host), late.catch(() => null)])
      if (addresses === null) return { kind: 'name_timeout' }
      return addresses.length > 0 ? addresses : { kind: 'name_not_found' }
    } catch (error) {
      return toTrouble(error)
    } finally {
      timer.abort()
    }
  }

  #permissionOf(origin: string): Promise<Permission> {
    const known = this.#permissions.get(origin)
    if (known) return known
    const asked = this.#readRobots(origin)
    this.#permissions.set(origin, asked)
    return asked
  }

  /** RFC 9309 2.3.1: up to five redirects, also to other hosts; an unreachable file allows nothing. */
  async #readRobots(origin: string): Promise<Permission> {
    let url = new URL('/robots.txt', origin)
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const answered = await this.#ask(url, { timeoutMs: FIRST_CONTACT_TIMEOUT_MS, bytesMax: FILE_BYTES_MAX })
      if (answered.kind === 'none') return { kind: 'none', trouble: answered.trouble }
      const { answer } = answered
      const next = redirectTarget(answer)
      if (!next) {
        const rules = isGood(answer.status)
          ? await this.#read((reader) => reader.readRobots(answer))
          : parseRobots({ status: answer.status, body: Buffer.alloc(0) })
        if (!rules)
          return { kind: 'none', trouble: answer.status === 429 ? statusTrouble(429) : { kind: 'robots_unknown' } }
        // The file was found at another host of the site: it need not be asked again there.
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

  async #ask(url: URL, request: Request): Promise<Answered> {
    const { session, pace, allowance } = this.#world
    if (allowance.remainingMs() === 0) return noPage(url, { kind: 'out_of_time' })
    const attempt: Attempt = { url: url.href, outcome: '', milliseconds: 0 }
    this.attempts.push(attempt)
    const startedAtMs = performance.now()
    const bytes = allowance.reserveBytes(request.bytesMax)
    let spentBytes = 0
    try {
      const addresses = await this.resolve(url.hostname)
      if (!Array.isArray(addresses)) return this.#fail(attempt, url, addresses)
      if (bytes === 0) return this.#fail(attempt, url, { kind: 'out_of_bytes' })
      const maySend = await pace.waitToSend({ host: url.host, address: addresses[0] ?? '' }, allowance.remainingMs())
      if (!maySend) return this.#fail(attempt, url, { kind: 'busy' })
      const timeoutMs = Math.min(request.timeoutMs, Math.max(1, Math.floor(allowance.remainingMs())))
      const answer = await session.send(url, {
        timeoutMs,
        bodyBytesMax: bytes,
        whenTooLarge: 'cut',
        headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5', 'accept-language': 'en-GB,en;q=0.9' },
        ...(request.accepts ? { accepts: request.accepts } : {}),
      })
      spentBytes = Math.min(bytes, answer.body.byteLength)
      attempt.outcome = String(answer.status)
      if (answer.certificate) this.#certificates.set(url.hostname, answer.certificate)
      return { kind: 'answer', answer }
    } catch (error) {
      return this.#fail(attempt, url, toTrouble(error))
    } finally {
      allowance.giveBackBytes(bytes - spentBytes)
      attempt.milliseconds = Math.round(performance.now() - startedAtMs)
    }
  }

  /** Null where it cannot be read. Our own time for it is not the site's. */
  async #read<T>(work: (reader: SiteReader) => Promise<T>): Promise<T | null> {
    const startedAtMs = performance.now()
    try {
      return await work(this.#world.reader)
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    } finally {
      this.#world.allowance.giveBackMs(performance.now() - startedAtMs)
    }
  }

  async #toVisit(answer: WebAnswer, kind: PageKind): Promise<Visit> {
    const { url, status, headers, body } = answer
    const isOk = isGood(status)
    // Only these may be a browser check in disguise; what else an error page says is nobody's concern.
    if (!isOk && status !== 503 && status !== 405) return noPage(url, statusTrouble(status))
    const contentType = headers['content-type'] ?? null
    const isRead = isPageType(contentType) && !answer.skipped
    const isEmpty = !isRead || body.byteLength === 0
    const about = { url: url.href, contentType, headers, isCut: answer.cut }
    const read: { document: PageDocument | null; isChallenge: boolean } | null = isEmpty
      ? { document: null, isChallenge: isChallenge({ headers, body: Buffer.alloc(0), title: '', text: '' }) }
      : await this.#read((reader) => reader.readPage(body, about))
    if (read?.isChallenge) return this.#amend(url, { kind: 'challenge' })
    if (!isOk) return noPage(url, statusTrouble(status))
    if (!read) return this.#amend(url, { kind: 'unreadable' })
    if (!isRead) return this.#amend(url, { kind: 'not_html' })
    if (!read.document) return this.#amend(url, { kind: 'empty' })
    const page: CrawledPage = {
      url: url.href,
      status,
      fetchedAt: this.#world.clock.now(),
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.byteLength,
      kind,
      document: read.document,
    }
    return { kind: 'page', url, page }
  }

  /** Nothing was sent, but it was wanted. */
  #refuse(url: URL, trouble: Trouble): NoPage {
    this.attempts.push({ url: url.href.slice(0, ADDRESS_LENGTH_MAX), outcome: outcomeOf(trouble), milliseconds: 0 })
    return noPage(url, trouble)
  }

  #fail(attempt: Attempt, url: URL, trouble: Trouble): NoPage {
    attempt.outcome = outcomeOf(trouble)
    return noPage(url, trouble)
  }

  /** The answer came with a good status, but is no page. */
  #amend(url: URL, trouble: Trouble): NoPage {
    const attempt = this.attempts.findLast((item) => item.url === url.href)
    if (attempt) attempt.outcome = outcomeOf(trouble)
    return noPage(url, trouble)
  }
}

function isPageType(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml'
}

function redirectTarget({ status, headers, url }: WebAnswer): URL | null {
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
