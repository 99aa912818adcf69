/** The real service to compare with the model: a database, HTTP over a socket, a simulated web and a clock that is set. */
import { PgBoss } from 'pg-boss'
import { type CallOptions, createCall, type Reply } from '../../../rig/call.ts'
import { passModel, SimulatedModel } from '../../../rig/language-model/index.ts'
import { findFreePort } from '../../../rig/postgres.ts'
import { databaseSettings, listenSettings } from '../../../rig/settings.ts'
import { openSurroundings } from '../../../rig/stage.ts'
import { until } from '../../../rig/until.ts'
import type { ListeningWeb } from '../../../rig/web/index.ts'
import type { App } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { JobWorker } from '../../../src/lib/jobs/job-worker.ts'
import type { AnyJob } from '../../../src/lib/jobs/jobs.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase, startService } from '../../../src/service.ts'
import { modelMind, registerAllCompanies } from './subjects.ts'

export type { Reply } from '../../../rig/call.ts'

export interface Request extends CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
}

export interface Stage extends AsyncDisposable {
  app: App
  web: ListeningWeb
  setTime(now: number): void
  call(path: string, request?: Request): Promise<Reply>
  /** Workers run until nothing is queued for them. */
  work(jobs: ReadonlyArray<AnyJob<App>>): Promise<void>
  /** Runs what the clock starts, once. */
  runOnce(job: AnyJob<App>): Promise<void>
  /** Numbers the sequences, as each has its own accounts and sites. */
  nextSequence(): number
  /** The silence of workers that died is noticed: what they had goes back to its queue. */
  noticeDeaths(jobName: string): Promise<void>
}

const WORK_TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 5
const GRACE_MS = 5_000
const RUN_TIMEOUT_MS = 60_000

export async function openStage(databaseUrl: string): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const { web, settings } = opened.use(await openSurroundings())
  const model = opened.use(await new SimulatedModel(modelMind).listen())
  const config = loadConfig({
    ...databaseSettings(databaseUrl),
    ...listenSettings(await findFreePort()),
    ...settings,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'silent',
    SECOND_READER_URL: model.url,
    SECOND_READER_MODEL: 'simulated',
    SECOND_READER_PRICES: '0,0',
    SECOND_READER_TASKS: 'find,check-all',
  })
  const log = createLog({ level: 'silent' })
  await migrateDatabase(config, log)
  let now = Date.now()
  let sequences = 0
  const clock = { now: () => new Date(now) }
  const { app } = opened.adopt(await startService(config, { serve: true, work: false, clock, log }), (service) =>
    service.close(),
  )
  const boss = opened.adopt(await openSupervisor(app), (each) => each.stop({ graceful: false, close: false }))
  await registerAllCompanies(app.db)
  await passModel(app, { model: 'simulated', world: 'model' })
  const send = createCall(config.baseUrl)
  const all = opened.move()
  return {
    app,
    web,
    setTime: (time) => {
      now = time
    },
    call: (path, { method, ...options } = {}) => send(method ?? (options.body ? 'POST' : 'GET'), path, options),
    work: (jobs) => work(app, jobs),
    runOnce: (job) => runOnce(app, job),
    noticeDeaths: (jobName) => noticeDeaths(app, boss, jobName),
    nextSequence: () => {
      sequences += 1
      return sequences - 1
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function work(app: App, jobs: ReadonlyArray<AnyJob<App>>): Promise<void> {
  const names = jobs.map(({ name }) => name)
  const worker = new JobWorker({ engine: app.jobs, world: app, jobs, log: app.log })
  const isDone = async () => (await countQueued(app, names)) === 0
  try {
    await until(isDone, 'the queues do not become empty', { timeoutMs: WORK_TIMEOUT_MS, everyMs: LOOK_EVERY_MS })
  } finally {
    await worker.stop(GRACE_MS)
  }
}

async function countQueued({ db }: App, names: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from pgboss.job where name = any ($1) and state < 'completed'`,
    [names],
  )
  return row?.count ?? 0
}

async function runOnce(app: App, job: AnyJob<App>): Promise<void> {
  const signal = AbortSignal.timeout(RUN_TIMEOUT_MS)
  await job.run(app, {}, { id: 'model', attempt: 1, signal, finish: async () => undefined })
}

async function openSupervisor({ db }: App): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.pool.query(text, values) },
    schema: 'pgboss',
    migrate: false,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => undefined)
  await boss.start()
  return boss
}

/** The engine goes by the database's own clock, so the times of its last heartbeats are set back. */
async function noticeDeaths({ db }: App, boss: PgBoss, jobName: string): Promise<void> {
  await db.query(`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`)
  await db.query(`update pgboss.queue set monitor_claim_on = null, monitor_on = null`)
  await boss.supervise(jobName)
}
