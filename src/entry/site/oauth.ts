import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { html } from '../../lib/text/html.ts'
import { createAuthorizationServer, endForeignSession, sessionCookieName } from '../../oauth/index.ts'
import { admitAddress } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { renderPage } from './layout.ts'
import { interactionsRoutes } from './oauth-interactions.ts'
import { findSignedIn } from './session.ts'

/** The endpoints that the library serves. A closed list: nothing else of it can be reached. */
const ENDPOINTS: Record<string, HTTPMethods[]> = {
  '/oauth/authorize': ['GET', 'POST'],
  '/oauth/authorize/:uid': ['GET'],
  '/oauth/token': ['POST', 'OPTIONS'],
  '/oauth/register': ['POST', 'OPTIONS'],
  '/oauth/revoke': ['POST', 'OPTIONS'],
  '/oauth/jwks': ['GET', 'OPTIONS'],
  '/.well-known/oauth-authorization-server': ['GET', 'OPTIONS'],
  '/.well-known/openid-configuration': ['GET', 'OPTIONS'],
}

const REGISTRATIONS = { name: 'oauth_register', burst: 20, perSecond: 20 / 3_600 }
const REQUESTS = { name: 'oauth', burst: 60, perSecond: 2 }

/** The authorization server on the site's host, and the pages on which people let programs in. */
export async function oauthRoutes(app: App, server: Server): Promise<void> {
  const provider = createAuthorizationServer(app, { renderError: (page) => renderError(page).markup })
  const answer = provider.callback()
  const onRequest = async (request: FastifyRequest) => {
    refuseOtherHosts(app, request)
    toConfiguredSite(app, request)
  }
  await server.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    // The body is the library's to read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const [url, method] of Object.entries(ENDPOINTS)) {
      scope.route({
        method,
        url,
        handler: async (request, reply) => {
          await admit(app, request, reply)
          await endLeftSession(app, request)
          reply.hijack()
          reply.raw.setHeader('x-request-id', request.id)
          await answer(request.raw, reply.raw)
        },
      })
    }
  })
  await server.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    interactionsRoutes(app, scope, provider)
  })
}

/** The library writes its addresses after the Host it was asked under, so a false one must not reach it. */
function refuseOtherHosts({ config }: App, request: FastifyRequest): void {
  if (request.host !== config.siteUrl.host) {
    throw new DomainError('not_found', 'There is nothing here under this host name.')
  }
}

async function admit(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isRegistration = request.routeOptions.url === '/oauth/register'
  await admitAddress(app, request, reply, isRegistration ? REGISTRATIONS : REQUESTS)
}

/** Ends the authorization server's session of a person who signed out of the site or changed the password. */
async function endLeftSession(app: App, request: FastifyRequest): Promise<void> {
  const sessionId = request.cookies[sessionCookieName(app.config)]
  if (!sessionId) return
  const account = await findSignedIn(app, request)
  await endForeignSession(app, { sessionId, accountId: account?.id ?? null })
}

function renderError({ error, description }: { error: string; description: string | undefined }) {
  return renderPage({
    title: 'This did not work',
    body: html`
      <div class="narrow card">
        <h1>This did not work</h1>
        <p role="alert" class="note bad">${description ?? error}</p>
        <p>Go back to the program you came from and connect again. If it happens once more, tell its makers: <code>${error}</code></p>
      </div>`,
  })
}

/**
 * Two programs read forwarded headers, and of several values not the same one. So before a request goes to the second, its
 * headers say what the configuration says.
 */
function toConfiguredSite({ config }: Pick<App, 'config'>, request: FastifyRequest): void {
  const { ip } = request
  const { headers } = request.raw
  for (const name of Object.keys(headers)) {
    if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete headers[name]
  }
  headers.host = config.siteUrl.host
  headers['x-forwarded-host'] = config.siteUrl.host
  headers['x-forwarded-proto'] = config.siteUrl.protocol.slice(0, -1)
  headers['x-forwarded-for'] = ip
}
