import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { releaseExpiredHolds, SWEEP_HOLDS_MAX } from './holds.ts'

const ROUNDS_MAX = 100

/** Every minute: a hold whose work was lost is given back, so that no credit stays set aside for ever. */
export const releaseExpiredHoldsJob = defineJob({
  name: 'credits.release_expired_holds',
  retriesMax: 2,
  retryDelaySeconds: 5,
  timeoutSeconds: 60,
  schedule: '* * * * *',
  async run(app: App) {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const released = await app.db.transaction((tx) => releaseExpiredHolds(tx, app.clock.now()))
      if (released > 0) app.log.warn({ event: 'credits.holds_expired', released })
      if (released < SWEEP_HOLDS_MAX) return
    }
  },
})
