import type { App } from '../../app.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import type { SessionUse } from '../../lib/web/shared-sessions.ts'
import type { Attempt } from './attempt.ts'
import { IN_FLIGHT_MAX } from './health.ts'

/** As many jobs as a worker runs, each with all it may have in flight: no request waits for the connection of another. */
const CONNECTIONS_MAX = 500 * IN_FLIGHT_MAX

/** Opens a session that checks the address again. */
export function openWebhookSession({ web, config }: Pick<App, 'web' | 'config'>): WebSession {
  const userAgent = `Nameplate-Webhooks/1.0 (+${config.siteUrl.origin}/docs)`
  return web.openSession({ userAgent, connectionsPerOriginMax: CONNECTIONS_MAX })
}

/** Returns a session for one attempt, shared by all destinations at one origin. */
export function takeWebhookSession(app: App, at: Pick<URL, 'origin' | 'hostname'>): Promise<SessionUse> {
  return app.webhookSessions.take(at, () => openWebhookSession(app))
}

/** Failures after which the name may lead elsewhere, so the next attempt looks it up again. */
const RETIRES: ReadonlySet<string | null> = new Set([
  'blocked',
  'name_not_found',
  'name_timeout',
  'name_failed',
  'refused',
  'reset',
  'certificate',
  'tls',
  'network',
])

export function leaveWebhookSession(use: SessionUse, { error }: Pick<Attempt, 'error'>): void {
  if (RETIRES.has(error)) use.retire()
  else use.leave()
}
