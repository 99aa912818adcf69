/** Search over the documentation: the same index answers in the browser, without the network, and on our page without a script. */
import MiniSearch from 'minisearch'
import { ERRORS } from '../../http/errors.ts'
import { ADVICE } from './error-advice.ts'
import { readSections } from './markdown.ts'
import type { DocsPage } from './pages.ts'
import { SEARCH_OPTIONS, type Section } from './search-options.ts'

export function indexPages(pages: readonly DocsPage[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>(SEARCH_OPTIONS)
  index.addAll([...pages.flatMap(toSections), ...ERROR_SECTIONS])
  return index
}

const TEXT_MAX = 285

function toSections({ slug, title, words, markdown }: DocsPage): Section[] {
  return readSections(markdown).map(({ id, heading, text }) => ({
    id: `${slug}#${id}`,
    href: `/docs/${slug}${id ? `#${id}` : ''}`,
    page: title,
    heading,
    words: words[id] ?? '',
    text: text.slice(0, TEXT_MAX),
  }))
}

const ERROR_SECTIONS: readonly Section[] = Object.entries(ERRORS).map(([code, { title, status }]) => ({
  id: `errors/${code}`,
  href: `/docs/errors/${code}`,
  page: `Error ${code}`,
  heading: title,
  words: `${status} error ${code.replaceAll('_', ' ')}`,
  text: ADVICE[code as keyof typeof ADVICE],
}))
