import { randomBytes } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import type { App } from '../../../app.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { Server } from '../../http/instance.ts'
import { sendFile, toSentFile } from '../../http/sent-file.ts'
import { errorsRoutes } from './errors.ts'
import { sendDocs } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { type DocsGroup, type DocsPage, readPages } from './pages.ts'
import { REFERENCE_THEME } from './reference-theme.ts'
import { indexPages } from './search.ts'
import { type Found, searchIndex } from './search-options.ts'

/** The documentation: pages for people, the same in Markdown for programs, and the reference made from the schemas. */
export async function docsRoutes(app: App, server: Server): Promise<void> {
  const groups = readPages(app)
  const all = groups.flatMap((group) => group.pages)
  const pages = new Map(all.map((page) => [page.slug, page]))
  const rendered = new Map(all.map((page) => [page.slug, renderMarkdown(page.markdown)]))
  const index = indexPages(all)
  const indexFile = toSentFile('.json', Buffer.from(JSON.stringify(index)))

  server.get('/docs', async (_request, reply) =>
    sendDocs(reply, groups, { title: 'Documentation', body: indexOf(groups) }),
  )

  server.get('/docs/search', async (request, reply) => {
    const { q } = request.query as { q?: unknown }
    const query = typeof q === 'string' ? q : ''
    return sendDocs(reply, groups, { title: 'Search', body: showFound(query, searchIndex(index, query)) })
  })

  server.get('/docs/search-index.json', async (request, reply) =>
    sendFile(request, reply.header('cache-control', 'public, max-age=3600'), indexFile),
  )

  server.get('/docs/:page', async (request, reply) => {
    const { page: name } = request.params as { page: string }
    const page = pages.get(name.replace(/\.md$/, ''))
    const body = page && rendered.get(page.slug)
    if (!page || !body) {
      return sendDocs(reply, groups, {
        title: 'No such page',
        status: 404,
        body: html`<h1>No such page</h1>${indexOf(groups)}`,
      })
    }
    if (name.endsWith('.md')) return reply.type('text/markdown; charset=utf-8').send(page.markdown)
    return sendDocs(reply, groups, { title: page.title, description: page.lead, body, slug: page.slug })
  })

  server.get('/llms.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(describeForModels(app, groups)),
  )

  errorsRoutes(server, groups)
  await referenceRoutes(app, server)
}

function indexOf(groups: readonly DocsGroup[]): Html {
  const page = ({ slug, title, lead }: DocsPage) =>
    html`<li><a href="/docs/${slug}"><strong>${title}</strong><span>${lead}</span></a></li>`
  return html`
    <h1>Documentation</h1>
    <p>Nameplate says which UK registered company is behind a web domain, with proof. Begin with the <a href="/docs/quickstart">quickstart</a>, or look a thing up in the <a href="/docs/api">API reference</a>, made from the schemas that check your requests.</p>
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

/** The library writes this mark into the page's tags; each response replaces it with a fresh nonce. */
const NONCE_MARK = 'nonce-of-this-answer'

/**
 * The bundle is served from here; the policy keeps it from calling its maker's hosts, and runs no script but the page's own.
 * Inline styles are allowed, as the library writes some without the nonce; the page shows no account data.
 */
async function referenceRoutes(app: App, server: Server): Promise<void> {
  const policyWith = (nonce: string) => [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${app.config.baseUrl.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  await server.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const nonce = randomBytes(16).toString('base64url')
      void reply.header('content-security-policy', policyWith(nonce).join('; '))
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
      return isPage && typeof payload === 'string' ? payload.replaceAll(NONCE_MARK, nonce) : payload
    })
    await scope.register(reference, {
      routePrefix: '/docs/api',
      configuration: {
        url: new URL('/openapi.json', app.config.baseUrl).href,
        title: 'Nameplate API',
        nonce: NONCE_MARK,
        withDefaultFonts: false,
        theme: 'none',
        customCss: REFERENCE_THEME,
        hideClientButton: true,
        telemetry: false,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
