/** How much of long texts and lists is shown. A record with more than fits on two pages is set again with less room. */
export interface Room {
  /** A part of the characters that a text may have at most. */
  share: number
  quotes: number
  candidates: number
  reasons: number
  checks: number
  pages: number
  people: number
  /** Whether the second page begins with the pages that were read, or where the first one is full. */
  breaks: boolean
}

/** From the usual one to the least. */
export const ROOMS: readonly Room[] = [
  { share: 1, quotes: 3, candidates: 3, reasons: 4, checks: 10, pages: 8, people: 5, breaks: true },
  { share: 1, quotes: 3, candidates: 3, reasons: 4, checks: 10, pages: 8, people: 5, breaks: false },
  { share: 0.6, quotes: 2, candidates: 2, reasons: 3, checks: 8, pages: 6, people: 4, breaks: false },
  { share: 0.32, quotes: 2, candidates: 2, reasons: 2, checks: 6, pages: 4, people: 3, breaks: false },
  { share: 0.2, quotes: 1, candidates: 1, reasons: 2, checks: 6, pages: 3, people: 2, breaks: false },
]

export const PAGES_MAX = 2
