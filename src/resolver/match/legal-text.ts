import type { Passage } from '../extract/passages.ts'

/** In the footer, on several pages, or on a page of legal text; there not in a row, unless a label introduces it. */
export const isLegalText = ({ region, pages, page, row }: Passage, isIntroduced = false): boolean =>
  region === 'footer' || pages.length > 1 || (LEGAL_PAGES.has(page.kind) && (row === null || isIntroduced))

const LEGAL_PAGES = new Set(['legal', 'terms', 'privacy', 'cookies', 'about', 'contact'])
