import type { App } from '../../../app.ts'
import { lazy } from '../../../lib/lazy.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { Server } from '../../http/instance.ts'
import { sendFile, toSentFile } from '../../http/sent-file.ts'
import { KeptPages } from '../kept-pages.ts'
import { errorsRoutes } from './errors.ts'
import { sendDocs, toDocsPage } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { type DocsGroup, type DocsPage, readPages } from './pages.ts'
import { readReference } from './reference/pages.ts'
import { readScripts } from './scripts.ts'
import { indexPages } from './search.ts'
import { type Found, searchIndex } from './search-options.ts'

/** The documentation: pages for people, the same in Markdown for programs, and the reference made from the schemas. */
export function docsRoutes(app: App, server: Server): void {
  // Most processes are never asked for a page.
  const docs = lazy(() => readDocs(app))
  const readIndex = lazy(() => indexPages(docs().written))
  const indexFile = lazy(() => toSentFile('.json', Buffer.from(JSON.stringify(readIndex()))))
  const scripts = readScripts(app)
  const kept = new KeptPages()

  server.get('/docs', async (_request, reply) => {
    const { groups } = docs()
    return sendDocs(reply, groups, { title: 'Documentation', body: indexOf(groups) })
  })

  server.get('/docs/search', async (request, reply) => {
    const { q } = request.query as { q?: unknown }
    const query = typeof q === 'string' ? q : ''
    return sendDocs(reply, docs().groups, { title: 'Search', body: showFound(query, searchIndex(readIndex(), query)) })
  })

  server.get('/docs/search-index.json', async (request, reply) =>
    sendFile(request, reply.header('cache-control', 'public, max-age=3600'), indexFile()),
  )

  server.get('/docs/:page', async (request, reply) => {
    const { page: name } = request.params as { page: string }
    const script = scripts.get(name)
    if (script !== undefined) return reply.type('text/plain; charset=utf-8').send(script)
    const { groups, pages } = docs()
    const page = pages.get(name.replace(/\.md$/, ''))
    if (!page) {
      return sendDocs(reply, groups, {
        title: 'No such page',
        status: 404,
        body: html`<h1>No such page</h1>${indexOf(groups)}`,
      })
    }
    if (name.endsWith('.md')) return reply.type('text/markdown; charset=utf-8').send(page.markdown)
    const { slug, title, lead: description } = page
    return kept.send(request, reply, slug, () =>
      toDocsPage(groups, { title, description, body: renderMarkdown(page.markdown), slug }),
    )
  })

  server.get('/llms.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(describeForModels(app, docs().groups)),
  )

  errorsRoutes(app, server, () => docs().groups)
}

interface Docs {
  groups: DocsGroup[]
  /** All but the reference. */
  written: DocsPage[]
  pages: ReadonlyMap<string, DocsPage>
}

function readDocs(app: App): Docs {
  const written = readPages(app)
  const groups = [...written, { name: 'API reference', pages: readReference(app) }]
  const pages = new Map(groups.flatMap((group) => group.pages).map((page) => [page.slug, page]))
  return { groups, written: written.flatMap((group) => group.pages), pages }
}

function indexOf(groups: readonly DocsGroup[]): Html {
  const page = ({ slug, title, lead }: DocsPage) =>
    html`<li><a href="/docs/${slug}"><strong>${title}</strong><span>${lead}</span></a></li>`
  return html`
    <h1>Documentation</h1>
    <p>Nameplate says which UK registered company is behind a web domain, with proof. Begin with the <a href="/docs/quickstart">quick start</a>, or look a thing up in the <a href="/docs/api">API reference</a>, made from the schemas that check your requests.</p>
    ${groups.map(({ name, pages }) => html`<h2>${name}</h2><ul class="docs-cards">${pages.map(page)}</ul>`)}`
}

function showFound(query: string, found: readonly Found[]): Html {
  const line = ({ href, page, heading }: Found) =>
    html`<li><a href="${href}"><strong>${page}</strong><span>${heading}</span></a></li>`
  return html`
    <h1>Search</h1>
    <form class="docs-search" action="/docs/search" method="get" role="search">
      <label class="visually-hidden" for="q">Search the documentation</label>
      <input id="q" name="q" type="search" value="${query}" maxlength="200" placeholder="How do I verify a webhook?" />
    </form>
    ${query !== '' && (found.length > 0 ? html`<ul class="docs-cards">${found.map(line)}</ul>` : html`<p role="status">Nothing found for “${query}”. Try fewer or other words, or look at the <a href="/docs">list of pages</a>.</p>`)}`
}

/** https://llmstxt.org: what there is to read, for language models. */
function describeForModels({ config }: App, groups: readonly DocsGroup[]): string {
  const line = ({ slug, title, lead }: DocsPage) => `- [${title}](${config.siteUrl.origin}/docs/${slug}.md): ${lead}`
  return [
    '# Nameplate',
    '> Which UK registered company is behind a web domain, with proof; and which web site is a company’s own.',
    `The API is described in OpenAPI 3.1 at ${config.baseUrl.origin}/openapi.json; agents connect to ${config.baseUrl.origin}/mcp.`,
    ...groups.map(({ name, pages }) => `## ${name}\n\n${pages.map(line).join('\n')}`),
    '',
  ].join('\n\n')
}
