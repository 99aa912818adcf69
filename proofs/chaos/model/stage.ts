/** The real service for the model to be held against: a database, HTTP over a socket, a simulated web and a clock that stands still. */
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { findFreePort } from '../../../rig/postgres.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { type ListeningWeb, SimulatedWeb } from '../../../rig/web/index.ts'
import type { App } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { JobWorker } from '../../../src/lib/jobs/job-worker.ts'
import type { AnyJob } from '../../../src/lib/jobs/jobs.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase, startService } from '../../../src/service.ts'
import { tellOfWeb } from '../resolution.ts'
import { registerAllCompanies } from './subjects.ts'

export interface Reply {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the model says what stands in each body
  body: any
}

export interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  key?: string
  token?: string
  body?: object
  idempotencyKey?: string | undefined
}

export interface Stage {
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

export async function withStage<Result>(databaseUrl: string, use: (stage: Stage) => Promise<Result>): Promise<Result> {
  await using web = await (await SimulatedWeb.fromSites({})).listen()
  using simulated = tellOfWeb(web)
  const port = await findFreePort()
  const config = loadConfig({
    ...benchEnvironment(databaseUrl),
    BASE_URL: `http://127.0.0.1:${port}`,
    SITE_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUSTED_PROXIES: '127.0.0.1',
    SIMULATED_WEB: simulated.setting,
    LOG_LEVEL: 'silent',
  })
  const log = createLog({ level: 'silent' })
  await migrateDatabase(config, log)
  let now = Date.now()
  let sequences = 0
  const clock = { now: () => new Date(now) }
  const service = await startService(config, { serve: true, work: false, clock, log })
  const { app } = service
  const boss = await openSupervisor(app)
  try {
    await registerAllCompanies(app.db)
    return await use({
      app,
      web,
      setTime: (time) => {
        now = time
      },
      call: (path, request) => call(config.baseUrl, path, request),
      work: (jobs) => work(app, jobs),
      runOnce: (job) => runOnce(app, job),
      noticeDeaths: (jobName) => noticeDeaths(app, boss, jobName),
      nextSequence: () => {
        sequences += 1
        return sequences - 1
      },
    })
  } finally {
    await boss.stop({ graceful: false, close: false })
    await service.close()
  }
}

let calls = 0

async function call(origin: URL, path: string, request: Request = {}): Promise<Reply> {
  calls += 1
  // Another address each time, so that no limit per address is met.
  const headers = new Headers({ 'x-forwarded-for': `198.18.${(calls >> 8) % 256}.${calls % 256}` })
  if (request.key) headers.set('x-api-key', request.key)
  if (request.token) headers.set('authorization', `Bearer ${request.token}`)
  if (request.idempotencyKey) headers.set('idempotency-key', request.idempotencyKey)
  if (request.body) headers.set('content-type', 'application/json')
  const response = await fetch(new URL(path, origin), {
    method: request.method ?? (request.body ? 'POST' : 'GET'),
    headers,
    ...(request.body ? { body: JSON.stringify(request.body) } : {}),
  })
  const text = await response.text()
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

async function work(app: App, jobs: ReadonlyArray<AnyJob<App>>): Promise<void> {
  const names = jobs.map(({ name }) => name)
  const worker = new JobWorker({ engine: app.jobs, world: app, jobs, log: app.log })
  const deadline = Date.now() + WORK_TIMEOUT_MS
  try {
    while ((await countQueued(app, names)) > 0) {
      if (Date.now() > deadline) throw new Error(`after ${WORK_TIMEOUT_MS / 1_000} s there is still work`)
      await sleep(LOOK_EVERY_MS)
    }
  } finally {
    await worker.stop(GRACE_MS)
  }
}

export async function countQueued({ db }: App, names: readonly string[]): Promise<number> {
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

/** The engine goes by the database's own clock, so its notes of when it last heard of them are set back. */
async function noticeDeaths({ db }: App, boss: PgBoss, jobName: string): Promise<void> {
  await db.query(`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`)
  await db.query(`update pgboss.queue set monitor_claim_on = null, monitor_on = null`)
  await boss.supervise(jobName)
}
