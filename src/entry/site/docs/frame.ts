/** The frame of every page of the documentation: menu, contents, search, and the pages before and after. */
import type { FastifyReply } from 'fastify'
import { icon } from '../../../lib/design/icons.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { type Page, sendPage } from '../layout.ts'
import { type Heading, listHeadings } from './markdown.ts'
import type { DocsGroup, DocsPage } from './pages.ts'

interface Shown {
  title: string
  description?: string
  body: Html
  slug?: string
  status?: number
}

export function sendDocs(reply: FastifyReply, groups: readonly DocsGroup[], shown: Shown): FastifyReply {
  return sendPage(reply, toDocsPage(groups, shown))
}

export function toDocsPage(groups: readonly DocsGroup[], shown: Shown): Page {
  const { title, description, body, slug, status } = shown
  const all = groups.flatMap(({ pages }) => pages)
  const at = all.findIndex((page) => page.slug === slug)
  const headings = slug ? listHeadings(all[at]?.markdown ?? '') : []
  return {
    title,
    ...(description ? { description } : {}),
    ...(status ? { status } : {}),
    width: 'wide',
    hasScript: true,
    section: sectionOf(slug),
    body: html`
      <div class="docs">
        <nav class="menu" aria-label="Documentation">
          <div class="finding">
            <a class="docs-search opener" href="/docs/search">${icon('search')} Search <kbd>/</kbd></a>
            <a class="all-pages" href="#all-pages">All pages</a>
          </div>
          <div class="all" id="all-pages">${menuOf(groups, slug)}</div>
        </nav>
        <article class="prose">${body}${slug && html`<p class="soft small">This page for programs: <a href="/docs/${slug}.md">${slug}.md</a></p>${paging(all, at)}`}</article>
        ${headings.length > 1 && contents(headings)}
      </div>`,
  }
}

function sectionOf(slug = ''): 'accuracy' | 'api' | 'docs' {
  if (slug === 'accuracy') return 'accuracy'
  return slug === 'api' || slug.startsWith('api-') ? 'api' : 'docs'
}

function menuOf(groups: readonly DocsGroup[], slug: string | undefined): Html {
  const line = (page: DocsPage) =>
    html`<li><a href="/docs/${page.slug}"${page.slug === slug && html` aria-current="page"`}>${page.title}</a></li>`
  // Beside a page of the reference, its neighbours come first.
  const isNear = ({ pages }: DocsGroup) => sectionOf(slug) === 'api' && pages.some((page) => page.slug === slug)
  const ordered = [...groups.filter(isNear), ...groups.filter((group) => !isNear(group))]
  return html`${ordered.map(({ name, pages }) => html`<p>${name}</p><ul>${pages.map(line)}</ul>`)}
          <p>Errors</p><ul><li><a href="/docs/errors">All errors</a></li></ul>`
}

function contents(headings: readonly Heading[]): Html {
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${headings.map(
    ({ level, id, words }) => html`<li${level === 3 && html` class="deeper"`}><a href="#${id}">${words}</a></li>`,
  )}</ul></nav>`
}

function paging(all: readonly DocsPage[], at: number): Html {
  const before = all[at - 1]
  const after = all[at + 1]
  return html`<nav class="paging" aria-label="Pages before and after">
    ${before && html`<a href="/docs/${before.slug}"><span>Previous</span>${before.title}</a>`}
    ${after && html`<a class="next" href="/docs/${after.slug}"><span>Next</span>${after.title}</a>`}
  </nav>`
}
