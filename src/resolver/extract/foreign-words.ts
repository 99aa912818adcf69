import type { CrawledPage } from '../crawl/crawl.ts'

/** "We are an Irish company": the words, and the page they stand on. */
export interface ForeignWords {
  page: CrawledPage
  country: string
  quote: string
}

const WORDS =
  /\b(?:we are|is) an? (irish|german|dutch|french|spanish|italian|polish|norwegian|swedish|danish|american|us|jersey|guernsey|manx|maltese|cypriot|swiss|belgian|austrian|portuguese|indian|australian|canadian) (?:\w{1,30} )?company\b/i
const FOUND_MAX = 50

export function findForeignWords(pages: readonly CrawledPage[]): ForeignWords[] {
  const found: ForeignWords[] = []
  for (const page of pages) {
    for (const { text } of page.document.blocks) {
      const said = WORDS.exec(text)
      if (said?.[1]) found.push({ page, country: said[1], quote: said[0] })
      if (found.length >= FOUND_MAX) return found
    }
  }
  return found
}
