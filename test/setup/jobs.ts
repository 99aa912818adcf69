/** Jobs that only tests have: one that sleeps, and one that always fails. */
import type { App } from '../../src/app.ts'
import { defineJob } from '../../src/lib/jobs/jobs.ts'

/** Writes a row when it starts and one when it ends, and sleeps in between. */
export const sleepJob = defineJob({
  name: 'test.sleep',
  concurrency: 10,
  retriesMax: 5,
  retryDelaySeconds: 1,
  timeoutSeconds: 120,
  async run(app: App, payload: { name: string; sleepMs: number; failTimes?: number }, job) {
    const note = (what: string) =>
      app.db.query('insert into test_note (name, what, pid, attempt) values ($1, $2, $3, $4)', [
        payload.name,
        what,
        process.pid,
        job.attempt,
      ])
    await note('started')
    if (job.attempt <= (payload.failTimes ?? 0)) throw new Error(`planned failure ${job.attempt}`)
    // Long only the first time, so that what is rescued does not wait for slots.
    await new Promise((resolve) => setTimeout(resolve, job.attempt === 1 ? payload.sleepMs : 50))
    await app.db.transaction(async (tx) => {
      await job.finish(tx)
      await tx.query('insert into test_note (name, what, pid, attempt) values ($1, $2, $3, $4)', [
        payload.name,
        'finished',
        process.pid,
        job.attempt,
      ])
    })
  },
})

/** Fails until its attempts are spent. */
export const doomedJob = defineJob({
  name: 'test.doomed',
  concurrency: 1,
  retriesMax: 1,
  retryDelaySeconds: 1,
  timeoutSeconds: 30,
  async run(app: App, payload: { name: string }) {
    const [found] = await app.db.query('select 1 from test_note where name = $1 and what = $2', [payload.name, 'cured'])
    if (!found) throw new Error('the cause is still there')
  },
})

export const TEST_JOBS = [sleepJob, doomedJob]
