/** Files that programs look for under names that others have agreed on. */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Server } from '../http/instance.ts'
import { contactOf } from './contact.ts'
import { readPages } from './docs/pages.ts'

/** https://www.rfc-editor.org/rfc/rfc9116: a file that has not been looked at for longer than this is stale. */
const SECURITY_SECONDS = 180 * 86_400
const PRIVATE = ['/console', '/account', '/connected-apps', '/oauth', '/evidence', '/verify-email', '/reset-password']

export function wellKnownRoutes(app: App, server: Server): void {
  const { siteUrl } = app.config
  const at = (path: string) => new URL(path, siteUrl).href

  server.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        ['User-agent: *', ...PRIVATE.map((path) => `Disallow: ${path}`), `Sitemap: ${at('/sitemap.xml')}`, ''].join(
          '\n',
        ),
      ),
  )

  server.get('/sitemap.xml', async (_request, reply) => {
    const docs = readPages(app).flatMap(({ pages }) => pages.map(({ slug }) => `/docs/${slug}`))
    const paths = [
      '/',
      '/pricing',
      '/docs',
      ...docs,
      '/docs/api',
      '/docs/errors',
      '/status',
      '/verify',
      '/privacy',
      '/terms',
      '/bot',
    ]
    const lines = paths.map((path) => `<url><loc>${at(path)}</loc></url>`)
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${lines.join('')}</urlset>\n`,
      )
  })

  server.get('/.well-known/security.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          `Contact: mailto:${contactOf(app)}`,
          `Expires: ${addSeconds(app.clock.now(), SECURITY_SECONDS).toISOString()}`,
          'Preferred-Languages: en',
          `Canonical: ${at('/.well-known/security.txt')}`,
          `Policy: ${at('/docs/security')}`,
          '',
        ].join('\n'),
      ),
  )
}
