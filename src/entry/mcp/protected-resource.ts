/** Where a program that was refused finds out how to be let in (RFC 9728). */
import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { DomainError } from '../../errors.ts'
import { resourceOf, SCOPE } from '../../oauth/index.ts'

const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The second is where clients look that know only the host. */
export const METADATA_PATHS = [`${METADATA_PATH}/mcp`, METADATA_PATH]

export function describeResource(app: App) {
  return {
    resource: resourceOf(app),
    authorization_servers: [app.config.siteUrl.origin],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Nameplate',
    resource_documentation: new URL('/docs', app.config.siteUrl).href,
  }
}

/** The value of `WWW-Authenticate`; null where the refusal has nothing to do with credentials. */
export function challengeFor(app: App, request: FastifyRequest, { code }: DomainError): string | null {
  const metadata = new URL(`${METADATA_PATH}/mcp`, app.config.baseUrl).href
  const where = `resource_metadata="${metadata}", scope="${SCOPE}"`
  if (code === 'insufficient_scope') {
    return `Bearer error="insufficient_scope", error_description="The scope ${SCOPE} is needed", ${where}`
  }
  if (code !== 'missing_credentials' && code !== 'invalid_credentials') return null
  // RFC 6750 §3.1: without a token in the request there is no error to name.
  if (request.headers.authorization === undefined) return `Bearer ${where}`
  return `Bearer error="invalid_token", error_description="The token is expired, revoked or not for this", ${where}`
}
