import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'

/**
 * Two programs read forwarded headers, and of several values not the same one. So before a request goes to the second, its
 * headers say what the configuration says.
 */
export function toConfiguredSite({ config }: Pick<App, 'config'>, request: FastifyRequest): void {
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
