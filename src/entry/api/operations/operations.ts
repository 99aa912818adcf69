import { createHash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { countOverdueHolds } from '../../../credits/index.ts'
import { DomainError } from '../../../errors.ts'
import { readEvidenceState } from '../../../evidence/index.ts'
import { BriefCache } from '../../../lib/brief-cache.ts'
import { addDaysToDate } from '../../../lib/clock.ts'
import { assertMigrated, type Migration, readMigrations } from '../../../lib/db/migrate.ts'
import { lazy } from '../../../lib/lazy.ts'
import {
  auditAnchorAgeSeconds,
  databaseConnections,
  databaseWaiting,
  evidenceKeysUnpublished,
  evidenceStampsLate,
  holdsOverdue,
  jobsInQueue,
  jobsOldestSeconds,
  metrics,
  registerFileAgeSeconds,
  registerGap,
  registerLagSeconds,
  registerRestRequests,
  registerSnapshotAgeSeconds,
  webhookDestinationsDisabled,
  webhooksDue,
} from '../../../lib/metrics.ts'
import { readFreshness, readRestBudget } from '../../../register/index.ts'
import { VERSION } from '../../../version.ts'
import { readBacklog } from '../../../webhooks/index.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'
import { type SentFile, sendFile, toSentFile } from '../../http/sent-file.ts'

const Check = z.enum(['ok', 'failed'])

const Health = z
  .object({
    status: z.enum(['healthy', 'degraded']),
    checks: z.object({ database: Check, migrations: Check, queue: Check }),
    version: z.string(),
  })
  .meta({ id: 'Health' })

const MIGRATIONS = join(import.meta.dirname, '../../../../migrations')
const CHECK_TIMEOUT_MS = 3_000
/** The endpoint is open to every caller: however many requests come, the check runs once a second. */
const HEALTH_KEPT_MS = 1_000

export interface OperationsOptions {
  /** True while requests in flight finish: load balancers then send nothing new. */
  isDraining: () => boolean
  /** Shared metrics are the same in every process; of hundreds of processes only a few need to count them. */
  reportsSharedState: boolean
}

/** Probes and descriptions. */
export function operationsRoutes({ isDraining, reportsSharedState }: OperationsOptions) {
  return async (app: App, server: Server): Promise<void> => {
    const migrations = await readMigrations(MIGRATIONS)
    const health = new BriefCache({ keptMs: HEALTH_KEPT_MS, load: () => checkHealth(app, migrations) })
    const openApi = lazy(() => writeOpenApi(server))

    server.get('/healthz', HEALTHZ, async (_request, reply) => {
      const checked = await health.get()
      return reply.code(checked.status === 'healthy' ? 200 : 503).send(checked)
    })

    server.get('/readyz', READYZ, async (_request, reply) => {
      const { status } = await health.get()
      const ready = status === 'healthy' && !isDraining()
      return reply.code(ready ? 200 : 503).send({ ready })
    })

    server.get('/metrics', async (request, reply) => {
      assertMetricsToken(app, request.headers.authorization)
      reportProcessState(app)
      if (reportsSharedState) await reportSharedState(app)
      return reply.type(metrics.contentType).send(await metrics.metrics())
    })

    server.get('/openapi.json', async (request, reply) => {
      const { file, tag } = openApi()
      void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300', etag: tag })
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      return sendFile(request, reply, file)
    })
  }
}

/** The document is large and never changes while the process lives, so it is written once. */
function writeOpenApi(server: Server): { file: SentFile; tag: string } {
  const text = JSON.stringify(server.swagger())
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { file: toSentFile('.json', Buffer.from(text)), tag }
}

/** Whether this process still answers, whatever the database does: for those who would end it if not. */
export function livenessRoutes(_app: App, server: Server): void {
  server.get('/livez', async () => ({ alive: true }))
}

async function checkHealth(app: App, migrations: readonly Migration[]): Promise<z.input<typeof Health>> {
  const [database, schema, queue] = await Promise.all([
    passes(() => app.db.check()),
    passes(() => assertMigrated(app.db, migrations)),
    passes(() => app.jobs.check()),
  ])
  const healthy = database && schema && queue
  const word = (passed: boolean) => (passed ? 'ok' : 'failed')
  return {
    status: healthy ? 'healthy' : 'degraded',
    checks: { database: word(database), migrations: word(schema), queue: word(queue) },
    version: VERSION,
  }
}

/** A check that does not answer in time has failed; a probe must not hang. */
async function passes(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  })
  const passed = check().then(
    () => true,
    () => false,
  )
  return Promise.race([passed, late]).finally(() => clearTimeout(timer))
}

function assertMetricsToken(app: App, header: string | undefined): void {
  const { metricsToken } = app.config
  if (metricsToken === null) return
  const given = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${metricsToken}`)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new DomainError('missing_credentials', 'Send the metrics token as Authorization: Bearer.')
  }
}

const describe = describeRoutes({ tag: 'Operations' })

const HEALTHZ = describe({
  operationId: 'getHealth',
  stable: true,
  summary: 'Is the service healthy?',
  description: 'Reaches the database, and compares its schema with what this version needs.',
  answers: {
    200: { description: 'Healthy.', schema: Health },
    503: { description: 'Degraded: a check failed.', schema: Health },
  },
})

const READYZ = describe({
  operationId: 'getReadiness',
  summary: 'Should this process get requests?',
  answers: {
    200: { description: 'Yes.', schema: z.object({ ready: z.boolean() }) },
    503: { description: 'No: degraded, or shutting down.', schema: z.object({ ready: z.boolean() }) },
  },
})

/** Sets the metrics that only this process knows; called when metrics are read. */
function reportProcessState({ config, db }: Pick<App, 'config' | 'db'>): void {
  const { totalCount, idleCount, waitingCount } = db.pool
  databaseConnections.set({ state: 'busy' }, totalCount - idleCount)
  databaseConnections.set({ state: 'idle' }, idleCount)
  databaseConnections.set({ state: 'max' }, config.databaseConnectionsMax)
  databaseWaiting.set(waitingCount)
}

/** Sets the metrics that all processes share, from the database. */
async function reportSharedState(app: App): Promise<void> {
  const now = app.clock.now()
  const [queues, freshness, budget, backlog, overdue, evidence] = await Promise.all([
    app.jobs.listQueues(),
    readFreshness(app),
    readRestBudget(app),
    readBacklog(app.db, now),
    countOverdueHolds(app.db, now),
    readEvidenceState(app),
  ])
  for (const queue of queues) {
    for (const state of ['ready', 'deferred', 'active', 'dead'] as const) {
      jobsInQueue.set({ queue: queue.name, state }, queue[state])
    }
    jobsOldestSeconds.set({ queue: queue.name }, queue.oldest_seconds)
  }
  for (const { stream, lagSeconds, gapSince } of freshness.streams) {
    registerLagSeconds.set({ stream }, lagSeconds ?? -1)
    registerGap.set({ stream }, gapSince ? 1 : 0)
  }
  const ageSeconds = (at: Date | null) => (at === null ? -1 : (now.getTime() - at.getTime()) / 1_000)
  registerSnapshotAgeSeconds.set(ageSeconds(freshness.snapshot?.finishedAt ?? null))
  for (const file of ['owners', 'figures'] as const) {
    registerFileAgeSeconds.set({ file }, secondsSinceDay(freshness[file]?.asOf ?? null, now))
  }
  registerRestRequests.set({ state: 'limit' }, budget.limit)
  registerRestRequests.set({ state: 'left' }, budget.left)
  webhooksDue.set(backlog.due)
  webhookDestinationsDisabled.set(backlog.disabledDestinations)
  holdsOverdue.set(overdue)
  evidenceStampsLate.set(evidence.lateStamps)
  auditAnchorAgeSeconds.set(ageSeconds(evidence.anchoredAt))
  evidenceKeysUnpublished.set(evidence.unpublishedKeys)
}

/** Returns the seconds since a day ended, in UTC; -1 for none. */
function secondsSinceDay(day: string | null, now: Date): number {
  if (day === null) return -1
  return Math.max(0, (now.getTime() - Date.parse(`${addDaysToDate(day, 1)}T00:00:00Z`)) / 1_000)
}
