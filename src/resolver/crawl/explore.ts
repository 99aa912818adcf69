import { setTimeout as sleep } from 'node:timers/promises'
import type { Allowance } from './allowance.ts'
import type { CrawledPage } from './crawl.ts'
import type { Trouble } from './crawl-outcome.ts'
import type { CandidatePage, PageKind } from './link-promise.ts'
import { toCandidates } from './outline.ts'
import { pageKey, registrableDomain } from './page-address.ts'
import type { SiteVisitor, Visit } from './visitor.ts'

const PAGES_MAX = 10
const GUESSES_MAX = 6
// A menu that could be read leaves fewer pages to guess.
const GUESSES_BESIDE_MENU_MAX = 4
const CANDIDATES_MAX = 500
const PENALTY_PER_PAGE_OF_KIND = 20
const PAGES_AT_ONCE = 2
const CRAWL_DELAY_SECONDS_MAX = 2
const CRAWL_SECONDS = 20

// After one of these, every further request would fail too.
const FINAL_TROUBLES = new Set<Trouble['kind']>(['busy', 'out_of_time', 'out_of_bytes'])

type HomeVisit = Visit & { kind: 'page' }

interface Exploration {
  visitor: SiteVisitor
  allowance: Allowance
  home: HomeVisit
  /** Called once for each new page; true ends the exploration. */
  isEnough: (page: CrawledPage) => Promise<boolean>
  /** Called when no link is left to follow: whether to try the sitemap and well-known paths. */
  isGuessingNeeded: () => Promise<boolean>
}

/** Reads further pages: the best links of the home page first, then the sitemap, then well-known paths. */
export async function explore(exploration: Exploration): Promise<void> {
  const { visitor, allowance, home } = exploration
  if (await exploration.isEnough(home.page)) return
  const queue = await PageQueue.open(exploration)
  const rules = await visitor.findRules(home.url.origin)
  const delay = toCrawlDelay(rules?.crawlDelaySeconds ?? 0)
  let requested = 1
  // Ends: every round requests at least one page, and the queue holds a bounded number.
  while (requested < delay.pagesMax && allowance.remainingMs() > delay.waitMs) {
    const wanted = Math.min(delay.waitMs > 0 ? 1 : PAGES_AT_ONCE, delay.pagesMax - requested)
    const batch = await queue.take(wanted)
    if (batch.length === 0) return
    if (delay.waitMs > 0) await sleep(delay.waitMs)
    const visits = await Promise.all(batch.map((item) => visitor.visit(item.page, home.url)))
    for (const [index, item] of batch.entries()) {
      const visit = visits[index]
      const page = visit && queue.receive(item, visit)
      // A wrong guess does not count as a page, unless the site asks for a delay between requests.
      if (!item.isGuess || page || delay.waitMs > 0) requested += 1
      if (page && (await exploration.isEnough(page))) return
    }
    if (visits.some((visit) => visit.kind === 'none' && FINAL_TROUBLES.has(visit.trouble.kind))) return
  }
}

/**
 * Obeys `Crawl-delay` up to two seconds. For a longer delay we wait two seconds, but read only as many pages as the whole
 * delay would allow in the time of a crawl.
 */
export function toCrawlDelay(seconds: number): { waitMs: number; pagesMax: number } {
  const pagesMax =
    seconds > CRAWL_DELAY_SECONDS_MAX
      ? Math.max(1, Math.min(PAGES_MAX, Math.floor(CRAWL_SECONDS / seconds)))
      : PAGES_MAX
  return { waitMs: Math.min(seconds, CRAWL_DELAY_SECONDS_MAX) * 1_000, pagesMax }
}

interface QueuedPage {
  page: CandidatePage
  isGuess: boolean
}

/** Decides which pages to request next. */
class PageQueue {
  readonly #visitor: SiteVisitor
  readonly #home: HomeVisit
  readonly #frontier = new Frontier()
  readonly #hashes: Set<string>
  readonly #kindsRead = new Set<string>()
  readonly #guesses: CandidatePage[]
  #guessesLeft: number
  readonly #isGuessingNeeded: () => Promise<boolean>
  #sitemap: URL | null

  private constructor({ visitor, home, isGuessingNeeded }: Exploration, sitemap: URL | null) {
    const { linked, home: homeOutline } = home.page.outline
    this.#visitor = visitor
    this.#home = home
    this.#sitemap = sitemap
    this.#isGuessingNeeded = isGuessingNeeded
    this.#hashes = new Set([home.page.sha256])
    this.#guesses = toCandidates(homeOutline?.guesses ?? [])
    this.#guessesLeft = homeOutline?.hasMenu ? GUESSES_BESIDE_MENU_MAX : GUESSES_MAX
    this.#frontier.markSeen(home.url)
    this.#frontier.add(toCandidates(linked))
    this.#frontier.add(toCandidates(homeOutline?.ownPages ?? []))
  }

  static async open(exploration: Exploration): Promise<PageQueue> {
    const { visitor, home } = exploration
    const rules = await visitor.findRules(home.url.origin)
    return new PageQueue(exploration, chooseSitemap(home, rules?.sitemaps ?? []))
  }

  async take(wanted: number): Promise<QueuedPage[]> {
    const taken: QueuedPage[] = []
    while (taken.length < wanted) {
      const linked = this.#frontier.take()
      if (linked) {
        taken.push({ page: linked, isGuess: false })
        continue
      }
      // The pages just taken may hold more links, so the sitemap and guesses wait until they are read.
      if (taken.some(({ isGuess }) => !isGuess)) break
      if (taken.length === 0 && !(await this.#isGuessingNeeded())) break
      if (this.#sitemap) {
        const pages = await this.#visitor.readSitemap(this.#sitemap, this.#home.url)
        this.#sitemap = null
        this.#frontier.add(pages)
        continue
      }
      const guess = this.#takeGuess(taken)
      if (!guess) break
      taken.push({ page: guess, isGuess: true })
    }
    return taken
  }

  /** Returns the page of a visit, and queues its links; null if there is none, or if its text is already known. */
  receive({ page: { kind }, isGuess }: QueuedPage, visit: Visit): CrawledPage | null {
    if (visit.kind === 'none') return null
    const { page, url } = visit
    this.#frontier.markSeen(url)
    if (this.#hashes.has(page.sha256)) return null
    this.#hashes.add(page.sha256)
    if (isGuess && page.outline.isSoftNotFound) return null
    this.#kindsRead.add(kind)
    this.#frontier.add(toCandidates(page.outline.linked))
    return page
  }

  #takeGuess(taken: QueuedPage[]): CandidatePage | null {
    if (this.#guessesLeft === 0) return null
    for (const guess of this.#guesses) {
      const isKnown = this.#kindsRead.has(guess.kind) || this.#frontier.hasSeen(guess.url)
      if (isKnown || taken.some(({ page }) => page.kind === guess.kind)) continue
      this.#frontier.markSeen(guess.url)
      this.#guessesLeft -= 1
      return guess
    }
    return null
  }
}

function chooseSitemap(home: HomeVisit, named: string[]): URL | null {
  const domain = registrableDomain(home.url.hostname)
  const own = named
    .map((text) => URL.parse(text, home.url.href))
    .find((item) => item && registrableDomain(item.hostname) === domain)
  if (own && (own.protocol === 'https:' || own.protocol === 'http:')) return own
  return home.page.outline.home?.hasMenu ? null : new URL('/sitemap.xml', home.url)
}

/** Holds the pages still to request. Each address is taken once, best score first; each page of a kind lowers that kind's score. */
export class Frontier {
  readonly #candidates = new Map<string, CandidatePage>()
  readonly #seen = new Set<string>()
  readonly #taken = new Map<PageKind, number>()

  /** For addresses reached by a redirect, by a guess, or as the home page. */
  markSeen(url: URL): void {
    this.#seen.add(pageKey(url))
    this.#candidates.delete(pageKey(url))
  }

  hasSeen(url: URL): boolean {
    return this.#seen.has(pageKey(url))
  }

  add(pages: CandidatePage[]): void {
    for (const page of pages) {
      const key = pageKey(page.url)
      const known = this.#candidates.get(key)
      if (this.#seen.has(key) || (known && known.score >= page.score)) continue
      if (known || this.#candidates.size < CANDIDATES_MAX) this.#candidates.set(key, page)
    }
  }

  take(): CandidatePage | null {
    const rank = ({ kind, score }: CandidatePage) => score - (this.#taken.get(kind) ?? 0) * PENALTY_PER_PAGE_OF_KIND
    let best: CandidatePage | null = null
    for (const page of this.#candidates.values()) if (!best || rank(page) > rank(best)) best = page
    if (!best) return null
    this.markSeen(best.url)
    this.#taken.set(best.kind, (this.#taken.get(best.kind) ?? 0) + 1)
    return best
  }
}
