/**
 * The service as it runs in production and, beside it in the same process and on the same pool, the least that could
 * answer: a Fastify route with one indexed SELECT. One process for both, so that CPU is all that is compared; they never
 * have requests at the same time.
 */
import { fastify } from 'fastify'
import { loadConfig } from '../../../src/config.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { startService } from '../../../src/service.ts'

const service = await startService(loadConfig(process.env), { serve: true, work: false })
const bare = fastify()

bare.post<{ Body: { domain: string } }>('/domain', async ({ body }) => findRow(service.app.db, body.domain))

/** What is kept of an answer, without the parts that stand in the evidence pack alone: as long as our answer. */
async function findRow(db: Database, domain: string): Promise<object | undefined> {
  const [row] = await db.query<object>(
    `select r.id, r.domain, r.outcome, r.situation, r.confidence, r.company_number, r.reason, r.model_version,
       r.findings - '{considered,registered}'::text[] #- '{crawl,attempts}' as findings, r.resolved_at, k.expires_at
     from known_domain k join resolution r on r.id = k.resolution_id where k.domain = $1`,
    [domain],
  )
  return row
}

process.on('message', () => process.send?.(process.cpuUsage()))
// Whoever started this ends it by letting go of the channel, also when it was killed. `exit` lets a profile be written.
process.once('disconnect', () => process.exit(0))
process.send?.({ oursUrl: service.address, bareUrl: await bare.listen({ host: '127.0.0.1', port: 0 }) })
