import type { App } from '../../app.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import { IN_FLIGHT_MAX } from './health.ts'

/** Opens a session for one destination: it checks the address again, and has one connection per delivery in flight. */
export function openWebhookSession({ web, config }: Pick<App, 'web' | 'config'>): WebSession {
  const userAgent = `Nameplate-Webhooks/1.0 (+${config.siteUrl.origin}/docs)`
  return web.openSession({ userAgent, connectionsPerOriginMax: IN_FLIGHT_MAX })
}
