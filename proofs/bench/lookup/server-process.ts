/**
 * The service as it runs in production and, beside it in the same process and on the same pool, the least that could
 * respond: a Fastify route with one indexed SELECT. One process for both, so that CPU is all that is compared; they never
 * have requests at the same time.
 */
import { fastify } from 'fastify'
import { serveParent } from '../../../rig/child.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { startService } from '../../../src/service.ts'

const service = await startService(loadConfig(process.env), { serve: true, work: false })
const bare = fastify()

bare.post<{ Body: { domain: string } }>('/domain', async ({ body }) => findRow(service.app.db, body.domain))

/** Returns a stored answer without the parts that are only in the evidence pack: as long as our response. */
async function findRow(db: Database, domain: string): Promise<object | undefined> {
  const [row] = await db.query<object>(
    `select r.id, r.domain, r.outcome, r.situation, r.confidence, r.company_number, r.reason, r.model_version,
       r.findings - '{considered,registered}'::text[] #- '{crawl,attempts}' as findings, r.resolved_at, k.expires_at
     from known_domain k join resolution r on r.id = k.resolution_id where k.domain = $1`,
    [domain],
  )
  return row
}

const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })
serveParent({ oursUrl: service.address, bareUrl }, () => process.cpuUsage())
