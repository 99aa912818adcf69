import type { App } from '../app.ts'
import { StoreFailure } from '../lib/blobs/blob-store.ts'
import { defineJob, type JobRun } from '../lib/jobs/jobs.ts'
import { pageStoreFailures } from '../lib/metrics.ts'
import { deleteExpired } from './delete.ts'
import { moveBodies, removeUnused } from './move-bodies.ts'

const MOVE_MS = 50_000

/** Moves kept pages to the folder or bucket. What a run does not finish, or the store refuses, waits for the next minute. */
export const moveBodiesJob = defineJob({
  name: 'page_archive.move',
  retriesMax: 0,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App, _payload: object, run: Pick<JobRun, 'signal'>) {
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(MOVE_MS)])
    try {
      const moved = await moveBodies(app, signal)
      const removed = await removeUnused(app, signal)
      if (moved + removed > 0) app.log.info({ event: 'page_archive.moved', moved, removed })
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      pageStoreFailures.inc()
      app.log.warn({ event: 'page_archive.store_away', error })
    }
  },
})

/** A million pages: fewer expire in a day, and what is left waits for the next. */
const BATCHES_MAX = 2_000

/** Deletes pages whose time is over. Running twice is harmless. */
export const expirePagesJob = defineJob({
  name: 'page_archive.expire',
  retriesMax: 1,
  timeoutSeconds: 1_800,
  schedule: '23 3 * * *',
  async run(app: App, _payload: object, { signal }: Pick<JobRun, 'signal'>) {
    const at = app.clock.now()
    let deleted = 0
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
      const { pages, isFinished } = await deleteExpired(app, at)
      deleted += pages
      if (isFinished) break
    }
    if (deleted > 0) app.log.info({ event: 'page_archive.expired', deleted })
  },
})
