import { join } from 'node:path'
import { type App, closeApp, openApp, openDatabase } from './app.ts'
import { type Config, toOwner } from './config.ts'
import type { Server } from './entry/http/instance.ts'
import { createServer, type RoutePlugin } from './entry/http/server.ts'
import { createEntryPoints, createOperationsEntryPoints } from './entry/routes.ts'
import { openTypesetters } from './evidence/index.ts'
import { JOBS } from './jobs.ts'
import type { Clock } from './lib/clock.ts'
import { migrate, readDefinitions, readMigrations } from './lib/db/migrate.ts'
import { makePartitions } from './lib/db/partitions.ts'
import { grantServing } from './lib/db/serving-role.ts'
import { JobSlots, JobWorker } from './lib/jobs/job-worker.ts'
import { type AnyJob, JobEngine } from './lib/jobs/jobs.ts'
import type { Log } from './lib/log.ts'
import { startTracing } from './lib/tracing.ts'
import { type FollowTimes, startFollowing } from './register/index.ts'
import { SweepReader } from './resolution/index.ts'
import { openReaderThreads } from './resolver/index.ts'
import { recordQueuedChanges, startFollowingMissed } from './signals/index.ts'

export interface ServiceOptions {
  /** Answer requests. */
  serve: boolean
  /** Run jobs. */
  work: boolean
  /** Follow the register's streams; does nothing where no stream key is configured. */
  follow?: boolean
  followTimes?: FollowTimes
  clock?: Clock
  log?: Log
  /** Beyond the product's own: for tests that need a job or a route of their own. */
  extraJobs?: readonly AnyJob<App>[]
  extraRoutes?: readonly RoutePlugin[]
}

export interface Service {
  app: App
  server: Server | null
  /** Where it listens; null when it only runs jobs. */
  address: string | null
  /** The address for probes and metrics; null without a port for it. */
  operationsAddress: string | null
  /** Finishes requests and jobs under way, then closes. */
  close(): Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../migrations')

/** One process of Nameplate, whatever its parts. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  const tracing = await startTracing(config.tracesEndpoint)
  const { clock, log } = options
  const roles = { runsJobs: options.work, plansOnce: options.serve && !options.work }
  const app = await openApp(config, {
    ...roles,
    readerThreads: openReaderThreads(),
    typesetters: openTypesetters(),
    ...(clock ? { clock } : {}),
    ...(log ? { log } : {}),
  })
  let draining = false
  const isDraining = () => draining
  const entryPoints = createEntryPoints(isDraining)
  const server = options.serve
    ? await createServer(app, { ...entryPoints, api: [...entryPoints.api, ...(options.extraRoutes ?? [])] })
    : null
  const address = server ? await server.listen(config.listen) : null
  const operations =
    config.operationsPort === null
      ? null
      : await createServer(app, createOperationsEntryPoints({ isDraining, reportsSharedState: options.serve }))
  const operationsListen = { host: config.listen.host, port: config.operationsPort ?? 0 }
  const operationsAddress = operations ? await operations.listen(operationsListen) : null
  const jobs = [...JOBS, ...(options.extraJobs ?? [])]
  const slots = new JobSlots()
  const worker = options.work ? new JobWorker({ engine: app.jobs, world: app, jobs, log: app.log, slots }) : null
  const sweepReader = options.work ? new SweepReader(app, slots) : null
  const follower =
    options.follow && config.register.streamKeys.length > 0
      ? startFollowing(app, {
          onApplied: async () => void (await recordQueuedChanges(app)),
          onGap: (tx) => startFollowingMissed(app, tx),
          ...(options.followTimes ? { times: options.followTimes } : {}),
        })
      : null
  app.log.info({
    event: 'service.started',
    address,
    serves: options.serve,
    works: options.work,
    follows: follower !== null,
  })

  async function shutDown(): Promise<void> {
    draining = true
    const graceMs = config.shutdownGraceSeconds * 1_000
    await Promise.all([server?.close(), worker?.stop(graceMs), sweepReader?.stop(graceMs), follower?.close()])
    await operations?.close()
    await closeApp(app)
    await tracing?.stop()
    app.log.info({ event: 'service.stopped' })
  }
  let closing: Promise<void> | undefined
  return {
    app,
    server,
    address,
    operationsAddress,
    close: () => {
      closing ??= shutDown()
      return closing
    },
  }
}

/**
 * Brings our tables and the job engine's to what this version needs, and gives the serving role its rights where it is
 * another one. Answers the migrations that ran.
 */
export async function migrateDatabase(
  config: Config,
  log: Log,
  extraJobs: readonly AnyJob<App>[] = [],
): Promise<string[]> {
  const owner = toOwner(config)
  const migrations = await readMigrations(MIGRATIONS)
  const ran = await migrate(owner.databaseUrl, migrations, await readDefinitions(import.meta.dirname), (progress) =>
    log.info({ event: 'migrate.progress', progress }),
  )
  const db = openDatabase(owner, log)
  try {
    await makePartitions(db, new Date())
    await JobEngine.install(db, [...JOBS, ...extraJobs])
    await grantServing({ ownerUrl: owner.databaseUrl, servingUrl: config.databaseUrl })
  } finally {
    await db.close()
  }
  return ran
}
