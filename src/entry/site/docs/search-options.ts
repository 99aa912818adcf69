/** The part of the search that the server and the browser share. */
import type MiniSearch from 'minisearch'
import type { Options } from 'minisearch'

/** A part of a page that a search can lead to. */
export interface Section {
  id: string
  /** Where it is. */
  href: string
  page: string
  heading: string
  /** Words that people use for what the page is about. */
  words: string
  text: string
}

/** Words that say nothing about what is asked. */
const STOP = new Set(
  'a an the of to in on for and or is are be it its this that i my we our you your do does did can could how what which who why when where with from by as at if not no me there any use get have has'.split(
    ' ',
  ),
)

/** The browser needs the same to read the index. */
export const SEARCH_OPTIONS: Options<Section> = {
  fields: ['page', 'heading', 'words', 'text'],
  storeFields: ['href', 'page', 'heading'],
  processTerm: (term) => {
    const word = term.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]/gu, '')
    return word.length < 2 || STOP.has(word) ? null : stem(word)
  },
  searchOptions: {
    boost: { page: 4, heading: 3, words: 6 },
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    combineWith: 'OR',
    // The page of an error comes first for its code alone.
    boostDocument: (id) => (String(id).startsWith('errors/') ? 0.35 : 1),
  },
}

/** Enough of a stem that "charged", "charges" and "charging" meet. */
function stem(word: string): string {
  return word.length > 5 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word.replace(/s$/, '')
}

export interface Found {
  href: string
  page: string
  heading: string
}

const FOUND_MAX = 12

export function searchIndex(index: MiniSearch<Section>, query: string): Found[] {
  return index
    .search(query.slice(0, 200))
    .slice(0, FOUND_MAX)
    .map(({ href, page, heading }) => ({ href: String(href), page: String(page), heading: String(heading) }))
}
