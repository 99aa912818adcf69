/**
 * The same no-op jobs through bare pg-boss (fetch a batch, complete the batch) and through our worker, alternating in one
 * run so that the machine's moods hit both. Then jobs enqueued one by one, measuring how soon each starts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { median, quantile, round, timed } from '../../rig/statistics.ts'
import { Database } from '../../src/lib/db/db.ts'
import { JobWorker } from '../../src/lib/jobs/job-worker.ts'
import { defineJob, JobEngine } from '../../src/lib/jobs/jobs.ts'
import { createLog } from '../../src/lib/log.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'

const BATCH = 100
const ROUNDS = 6

interface World {
  onRun(payload: { sentAt?: number }): void
}

const noop = defineJob({
  name: 'bench.noop',
  concurrency: BATCH,
  retriesMax: 2,
  retryDelaySeconds: 1,
  timeoutSeconds: 60,
  async run(world: World, payload: { sentAt?: number }) {
    world.onRun(payload)
  },
})

export const benchJobs: NamedRun = {
  about: 'our job layer against bare pg-boss: throughput and pick-up time',
  short: {
    ratio: { atLeast: 0.8 },
    // A worker that is at work looks again after 25 ms.
    pickup_p50_ms: { atMost: 250 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const jobsPerRound = options.short ? 3_000 : 15_000
  await using database = await ScratchDatabase.open()
  const { url } = database
  const log = createLog({ level: 'error' })
  const db = new Database({ url, connectionsMax: 10, applicationName: 'bench' })
  await JobEngine.install(db, [noop])
  const engine = await JobEngine.open(db, { supervise: false, log })
  const boss = await openBare(url)
  const bare: number[] = []
  const ours: number[] = []
  for (let count = 0; count < ROUNDS; count += 1) {
    for (const measure of count % 2 === 0 ? [bareRound, oursRound] : [oursRound, bareRound]) await measure()
    const rates = `bare ${Math.round(bare.at(-1) ?? 0)}/s, ours ${Math.round(ours.at(-1) ?? 0)}/s`
    options.say(`round ${count + 1} of ${ROUNDS}: ${rates}`)
  }
  const enqueued = await measureEnqueue(db, engine, options.short ? 1_000 : 3_000)
  await boss.deleteAllJobs(noop.name)
  const pickUp = await measurePickUp(db, engine, options.short ? 200 : 1_000)
  await boss.stop({ graceful: false, close: true })
  await engine.close()
  await db.close()
  const ratios = ours.map((rate, index) => rate / (bare[index] ?? 1))
  return {
    ratio: round(median(ratios), 2),
    bare_jobs_per_second: Math.round(median(bare)),
    our_jobs_per_second: Math.round(median(ours)),
    enqueues_per_second: enqueued,
    ...pickUp,
  }

  async function bareRound(): Promise<void> {
    await fill(boss, jobsPerRound)
    const [ms] = await timed(() => emptyBare(boss))
    bare.push(jobsPerRound / (ms / 1_000))
  }

  async function oursRound(): Promise<void> {
    await fill(boss, jobsPerRound)
    const [ms] = await timed(() => emptyOurs(engine, jobsPerRound))
    ours.push(jobsPerRound / (ms / 1_000))
  }
}

/** Opens pg-boss as its documentation shows it, on another pool of the same size. */
async function openBare(url: string): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, max: 10, migrate: false, supervise: false, schedule: false })
  return boss.start()
}

async function fill(boss: PgBoss, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000) {
    await boss.insert(
      noop.name,
      Array.from({ length: Math.min(1_000, count - done) }, () => ({ data: {} })),
    )
  }
}

async function emptyBare(boss: PgBoss): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch(noop.name, { batchSize: BATCH })
    if (jobs.length === 0) return
    await boss.complete(noop.name, jobs)
  }
}

async function emptyOurs(engine: JobEngine, count: number): Promise<void> {
  let done = 0
  const finished = Promise.withResolvers<void>()
  const world = {
    onRun: () => {
      done += 1
      if (done === count) finished.resolve()
    },
  }
  const worker = new JobWorker({ engine, world, jobs: [noop], log: createLog({ level: 'silent' }) })
  await finished.promise
  // Stopping waits until every completion is written.
  await worker.stop(10_000)
}

/** Sixteen callers, each enqueuing one job per transaction of its own. */
async function measureEnqueue(db: Database, engine: JobEngine, durationMs: number): Promise<number> {
  const endAt = performance.now() + durationMs
  let count = 0
  const callers = Array.from({ length: 16 }, async () => {
    while (performance.now() < endAt) {
      await db.transaction((tx) => engine.enqueue(tx, noop, {}))
      count += 1
    }
  })
  await Promise.all(callers)
  return Math.round(count / (durationMs / 1_000))
}

async function measurePickUp(db: Database, engine: JobEngine, count: number): Promise<Record<string, number>> {
  const waitedMs: number[] = []
  const world: World = { onRun: ({ sentAt }) => void waitedMs.push(Date.now() - (sentAt ?? 0)) }
  const worker = new JobWorker({ engine, world, jobs: [noop], log: createLog({ level: 'silent' }) })
  for (let job = 0; job < count; job += 1) {
    await db.transaction((tx) => engine.enqueue(tx, noop, { sentAt: Date.now() }))
    await sleep(12)
  }
  while (waitedMs.length < count) await sleep(20)
  await worker.stop(10_000)
  return { pickup_p50_ms: quantile(waitedMs, 0.5), pickup_p99_ms: quantile(waitedMs, 0.99) }
}
