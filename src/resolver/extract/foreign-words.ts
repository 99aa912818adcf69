import type { OpenedPage } from '../crawl/crawl.ts'

/** Words such as "We are an Irish company", with their page. */
export interface ForeignWords {
  page: OpenedPage
  country: string
  quote: string
}

const WORDS =
  /\b(?:we are|is) an? (irish|german|dutch|french|spanish|italian|polish|norwegian|swedish|danish|american|us|jersey|guernsey|manx|maltese|cypriot|swiss|belgian|austrian|portuguese|indian|australian|canadian) (?:\w{1,30} )?company\b/i
const FOUND_MAX = 50

export function findForeignWords(pages: readonly OpenedPage[]): ForeignWords[] {
  const found: ForeignWords[] = []
  for (const page of pages) {
    for (const { text } of page.document.blocks) {
      const match = WORDS.exec(text)
      if (match?.[1]) found.push({ page, country: match[1], quote: match[0] })
      if (found.length >= FOUND_MAX) return found
    }
  }
  return found
}
