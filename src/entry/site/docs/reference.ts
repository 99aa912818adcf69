import { randomBytes } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import type { App } from '../../../app.ts'
import type { Server } from '../../http/instance.ts'

/** The library writes this mark into the page's tags; each response replaces it with a fresh nonce. */
const NONCE_MARK = 'nonce-of-this-answer'

/**
 * The bundle is served from here; the policy keeps it from calling its maker's hosts, and runs no script but the page's own.
 * Inline styles are allowed, as the library writes some without the nonce; the page shows no account data.
 */
export async function referenceRoutes(app: App, server: Server): Promise<void> {
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
        hideClientButton: true,
        telemetry: false,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
