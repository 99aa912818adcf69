import { Parser } from 'htmlparser2'
import type { Link } from '../page/document.ts'

const URLS_MAX = 200

/** The first pages a sitemap lists, as links without words. A sitemap of sitemaps lists no pages, and gives none. */
export function parseSitemap(xml: string): Link[] {
  const links: Link[] = []
  const path: string[] = []
  let location = ''
  const parser = new Parser(
    {
      onopentag: (name) => {
        path.push(name)
        location = ''
      },
      ontext: (text) => {
        if (path.at(-1) === 'loc' && location.length < 2_000) location += text
      },
      onclosetag: () => {
        const isPage = path.at(-1) === 'loc' && path.at(-2) === 'url'
        path.pop()
        if (isPage && links.length < URLS_MAX) links.push({ href: location.trim(), text: '', region: 'main' })
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return links
}
