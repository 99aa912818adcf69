import type { PageKind } from './crawl.ts'
import type { CandidatePage } from './link-promise.ts'
import { pageKey } from './page-address.ts'

const CANDIDATES_MAX = 500
const PENALTY_PER_PAGE_OF_KIND = 20

/** The pages still to ask for. Each address leaves it once, the most promising first, and no kind crowds out the rest. */
export class Frontier {
  readonly #candidates = new Map<string, CandidatePage>()
  readonly #seen = new Set<string>()
  readonly #taken = new Map<PageKind, number>()

  /** Addresses that were reached on the way, by a redirect or as the home page. */
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
    const worth = ({ kind, score }: CandidatePage) => score - (this.#taken.get(kind) ?? 0) * PENALTY_PER_PAGE_OF_KIND
    let best: CandidatePage | null = null
    for (const page of this.#candidates.values()) if (!best || worth(page) > worth(best)) best = page
    if (!best) return null
    this.markSeen(best.url)
    this.#taken.set(best.kind, (this.#taken.get(best.kind) ?? 0) + 1)
    return best
  }
}
