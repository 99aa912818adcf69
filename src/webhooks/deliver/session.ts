import type { App } from '../../app.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import { IN_FLIGHT_MAX } from './health.ts'

/** For the deliveries of one destination: checked anew each time, and one connection for each delivery in flight. */
export function openWebhookSession({ web, config }: Pick<App, 'web' | 'config'>): WebSession {
  const userAgent = `Nameplate-Webhooks/1.0 (+${config.siteUrl.origin}/docs)`
  return web.openSession({ userAgent, connectionsPerOriginMax: IN_FLIGHT_MAX })
}
