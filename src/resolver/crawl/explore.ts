import { setTimeout as sleep } from 'node:timers/promises'
import type { Allowance } from './allowance.ts'
import type { CrawledPage } from './crawl.ts'
import { Frontier } from './frontier.ts'
import { type CandidatePage, countOwnLinks, listEntrances, rankLinks } from './link-promise.ts'
import { registrableDomain } from './page-address.ts'
import type { Trouble, Visit } from './visit.ts'
import type { SiteVisitor } from './visitor.ts'
import { isSoftNotFound, listWellKnownPages } from './well-known-paths.ts'

const PAGES_MAX = 10
const GUESSES_MAX = 6
// A menu that could be read leaves little to guess.
const GUESSES_BESIDE_MENU_MAX = 4
const PAGES_AT_ONCE = 2
// A menu with fewer links of its own is drawn by scripts, or is none.
const OWN_LINKS_FEW = 3
const CRAWL_DELAY_SECONDS_MAX = 2
const CRAWL_SECONDS = 20

// Nothing that is asked for after these can be had.
const OVER = new Set<Trouble['kind']>(['busy', 'out_of_time', 'out_of_bytes'])

type HomeVisit = Visit & { kind: 'page' }

interface Exploration {
  visitor: SiteVisitor
  allowance: Allowance
  home: HomeVisit
  /** Called once for each new page; true ends the exploration. */
  isEnough: (page: CrawledPage) => Promise<boolean>
  /** Asked when all that links promised is read: whether the sitemap and well-known paths are worth trying. */
  isGuessingNeeded: () => Promise<boolean>
}

/** Reads on from the home page: what its links promise, then the sitemap, then well-known paths. */
export async function explore(exploration: Exploration): Promise<void> {
  const { visitor, allowance, home } = exploration
  if (await exploration.isEnough(home.page)) return
  const queue = await PageQueue.open(exploration)
  const rules = await visitor.findRules(home.url.origin)
  const delay = toCrawlDelay(rules?.crawlDelaySeconds ?? 0)
  let asked = 1
  // Every round asks for at least one page, and the queue gives out a bounded number.
  while (asked < delay.pagesMax && allowance.remainingMs() > delay.waitMs) {
    const wanted = Math.min(delay.waitMs > 0 ? 1 : PAGES_AT_ONCE, delay.pagesMax - asked)
    const batch = await queue.take(wanted)
    if (batch.length === 0) return
    if (delay.waitMs > 0) await sleep(delay.waitMs)
    const visits = await Promise.all(batch.map((item) => visitor.visit(item.page.url, visitOptions(item, home))))
    for (const [place, item] of batch.entries()) {
      const visit = visits[place]
      const page = visit && queue.receive(item, visit)
      // A guess that missed costs a guess, not a page, unless the site counts every request.
      if (!item.isGuess || page || delay.waitMs > 0) asked += 1
      if (page && (await exploration.isEnough(page))) return
    }
    if (visits.some((visit) => visit.kind === 'none' && OVER.has(visit.trouble.kind))) return
  }
}

function visitOptions(item: QueuedPage, home: HomeVisit) {
  return { kind: item.page.kind, stayOn: registrableDomain(home.url.hostname) }
}

/**
 * `Crawl-delay` is kept up to two seconds. Who asks for more gets fewer pages instead: as many as would have come in the
 * time of a whole crawl.
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

/** What to ask for next, and what was new in an answer. */
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
    const { links } = home.page.document
    this.#visitor = visitor
    this.#home = home
    this.#sitemap = sitemap
    this.#isGuessingNeeded = isGuessingNeeded
    this.#hashes = new Set([home.page.sha256])
    this.#guesses = listWellKnownPages(home.url, links)
    this.#guessesLeft = hasMenu(home) ? GUESSES_BESIDE_MENU_MAX : GUESSES_MAX
    this.#frontier.markSeen(home.url)
    this.#frontier.add(rankLinks(links, home.url))
    if (!hasMenu(home)) this.#frontier.add(listEntrances(links, home.url))
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
      // What was already taken may link to more: guesses and the sitemap wait until nothing is under way.
      if (taken.some(({ isGuess }) => !isGuess)) break
      if (taken.length === 0 && !(await this.#isGuessingNeeded())) break
      if (this.#sitemap) {
        const links = await this.#visitor.readSitemap(this.#sitemap)
        this.#sitemap = null
        this.#frontier.add(rankLinks(links, this.#home.url))
        continue
      }
      const guess = this.#takeGuess(taken)
      if (!guess) break
      taken.push({ page: guess, isGuess: true })
    }
    return taken
  }

  /** The page, when it is one and says something that no other page said. */
  receive({ page: { kind }, isGuess }: QueuedPage, visit: Visit): CrawledPage | null {
    if (visit.kind === 'none') return null
    const { page, url } = visit
    this.#frontier.markSeen(url)
    if (this.#hashes.has(page.sha256)) return null
    this.#hashes.add(page.sha256)
    if (isGuess && isSoftNotFound(page.document)) return null
    this.#kindsRead.add(kind)
    this.#frontier.add(rankLinks(page.document.links, this.#home.url))
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
  return hasMenu(home) ? null : new URL('/sitemap.xml', home.url)
}

function hasMenu({ url, page }: HomeVisit): boolean {
  return countOwnLinks(page.document.links, url) >= OWN_LINKS_FEW
}
