import reference from '@scalar/fastify-api-reference'
import type { App } from '../../app.ts'
import type { Server } from '../../http/instance.ts'

/** The bundle is served from here; the policy keeps it from calling its maker's hosts. */
export async function referenceDoor(app: App, server: Server): Promise<void> {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${app.config.baseUrl.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      void reply.header('content-security-policy', policy)
    })
    await scope.register(reference, {
      routePrefix: '/docs/api',
      configuration: {
        url: new URL('/openapi.json', app.config.baseUrl).href,
        title: 'Nameplate API',
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
