/** The frame of every page of the documentation: menu, contents, search, and the pages before and after. */
import type { FastifyReply } from 'fastify'
import { icon } from '../../../lib/design/icons.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { sendPage } from '../layout.ts'
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
  const { title, description, body, slug, status } = shown
  const all = groups.flatMap(({ pages }) => pages)
  const at = all.findIndex((page) => page.slug === slug)
  const headings = slug ? listHeadings(all[at]?.markdown ?? '') : []
  return sendPage(reply, {
    title,
    ...(description ? { description } : {}),
    ...(status ? { status } : {}),
    width: 'wide',
    hasScript: true,
    section: slug === 'accuracy' ? 'accuracy' : 'docs',
    body: html`
      <div class="docs">
        <nav class="menu" aria-label="Documentation">
          <a class="docs-search opener" href="/docs/search">${icon('search')} Search <kbd>/</kbd></a>
          ${menuOf(groups, slug)}
        </nav>
        <article class="prose">${body}${slug && html`<p class="soft small">This page for programs: <a href="/docs/${slug}.md">${slug}.md</a></p>${paging(all, at)}`}</article>
        ${headings.length > 1 && contents(headings)}
      </div>`,
  })
}

function menuOf(groups: readonly DocsGroup[], slug: string | undefined): Html {
  const line = (page: DocsPage) =>
    html`<li><a href="/docs/${page.slug}"${page.slug === slug && html` aria-current="page"`}>${page.title}</a></li>`
  return html`${groups.map(({ name, pages }) => html`<p>${name}</p><ul>${pages.map(line)}</ul>`)}
          <p>Reference</p><ul><li><a href="/docs/api">API</a></li><li><a href="/docs/errors">Errors</a></li></ul>`
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
