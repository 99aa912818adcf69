/**
 * The same jobs over one, two and three databases, each a PostgreSQL server with its own queue and its own worker: no-op jobs
 * in batches, and jobs that each end in their own transaction, as a reading does. All of it shares the machine's cores.
 */
import { availableParallelism, cpus } from 'node:os'
import { ScratchDatabase } from '../../../rig/scratch-database.ts'
import { median, round, timed } from '../../../rig/statistics.ts'
import { Database } from '../../../src/lib/db/db.ts'
import { JobWorker } from '../../../src/lib/jobs/job-worker.ts'
import { defineJob, JobEngine, type JobRun } from '../../../src/lib/jobs/jobs.ts'
import { createLog } from '../../../src/lib/log.ts'

const COUNTS = [1, 2, 3] as const
const BATCH = 100
/** As many as a process reads at once. */
const READINGS = 28

interface World {
  db: Database
  onEnd(): void
}

const batched = defineJob({
  name: 'bench.batched',
  concurrency: BATCH,
  timeoutSeconds: 60,
  async run(world: World) {
    world.onEnd()
  },
})

const settled = defineJob({
  name: 'bench.settled',
  concurrency: READINGS,
  timeoutSeconds: 60,
  async run(world: World, _payload: object, run: JobRun) {
    await world.db.transaction((tx) => run.finish(tx))
    world.onEnd()
  },
})

type Job = typeof batched

interface Queue {
  db: Database
  engine: JobEngine
}

/** Returns jobs a second by the number of databases, how many times those of one database, and how busy the machine was. */
export async function measureDatabases(options: {
  jobs: number
  rounds: number
  say: (line: string) => void
}): Promise<Record<string, number>> {
  await using opened = new AsyncDisposableStack()
  const queues: Queue[] = []
  for (const _ of COUNTS) queues.push(await openQueue(opened))
  const figures: Record<string, number> = {}
  for (const [name, job] of [
    ['batched', batched],
    ['settled', settled],
  ] as const) {
    const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]))
    const busy: number[] = []
    for (let one = 0; one < options.rounds; one += 1) {
      for (const count of COUNTS) {
        const { ms, busyMs } = await emptyAll(queues.slice(0, count), job, options.jobs)
        busy.push(busyMs / (ms * availableParallelism()))
        rates.get(count)?.push(options.jobs / (ms / 1_000))
      }
      options.say(`${name}: ${COUNTS.map((count) => Math.round(rates.get(count)?.at(-1) ?? 0)).join(', ')} jobs/s`)
    }
    figures[`${name}_machine_busy`] = round(median(busy), 2)
    const single = median(rates.get(1) ?? [])
    for (const count of COUNTS) {
      const rate = median(rates.get(count) ?? [])
      figures[`${name}_per_second_${count}_databases`] = Math.round(rate)
      if (count > 1) figures[`${name}_ratio_${count}_databases`] = round(rate / single, 2)
    }
  }
  return figures
}

async function openQueue(opened: AsyncDisposableStack): Promise<Queue> {
  const { url } = opened.use(await ScratchDatabase.open({ shared_buffers: '128MB' }))
  const db = opened.adopt(new Database({ url, connectionsMax: 10, applicationName: 'bench' }), (one) => one.close())
  await JobEngine.install(db, [batched, settled])
  const engine = await JobEngine.open(db, { supervise: false, log: createLog({ level: 'error' }) })
  opened.defer(() => engine.close())
  return { db, engine }
}

/** The time that all cores of the machine were busy, whatever with. */
function readBusyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

/** Shares the jobs among the queues and returns the milliseconds until all have ended, and those of busy cores. */
async function emptyAll(queues: readonly Queue[], job: Job, jobs: number): Promise<{ ms: number; busyMs: number }> {
  const share = Math.floor(jobs / queues.length)
  for (const { db, engine } of queues) {
    const inserts = Array.from({ length: share }, () => ({ payload: {} }))
    await db.transaction((tx) => engine.enqueueAll(tx, job, inserts))
  }
  let left = share * queues.length
  const done = Promise.withResolvers<void>()
  const onEnd = () => {
    left -= 1
    if (left === 0) done.resolve()
  }
  const log = createLog({ level: 'silent' })
  const before = readBusyMs()
  const [ms] = await timed(async () => {
    const workers = queues.map(({ db, engine }) => new JobWorker({ engine, world: { db, onEnd }, jobs: [job], log }))
    await done.promise
    // Stopping waits until every completion is written.
    await Promise.all(workers.map((worker) => worker.stop(10_000)))
  })
  return { ms, busyMs: readBusyMs() - before }
}
