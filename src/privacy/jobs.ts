import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { removeQueuedPeople } from '../signals/index.ts'
import { removeNames } from './withhold.ts'

const BATCH_ROWS = 5_000
const BATCHES_MAX = 2_000

/** Takes the network address out of audit events that are older than the retention setting. */
export const forgetAddressesJob = defineJob({
  name: 'privacy.forget_addresses',
  retryDelaySeconds: 300,
  timeoutSeconds: 3_600,
  schedule: '23 3 * * *',
  async run(app: App) {
    const before = addSeconds(app.clock.now(), -app.config.addressRetentionDays * 86_400)
    let forgotten = 0
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const [row] = await app.db.query<{ count: string }>('select forget_addresses($1, $2)::text as count', [
        before,
        BATCH_ROWS,
      ])
      const count = Number(row?.count ?? 0)
      forgotten += count
      if (count < BATCH_ROWS) break
    }
    app.log.info({ event: 'privacy.addresses_forgotten', forgotten })
  },
})

/** Every six hours: names that the register deleted, or that were withheld on their way in, leave signals and kept events. */
export const removeNamesJob = defineJob({
  name: 'privacy.remove_names',
  retryDelaySeconds: 300,
  timeoutSeconds: 3_600,
  schedule: '37 */6 * * *',
  run: (app: App) => removeQueuedPeople(app),
})

/** Once a day over all records: a name may have been written while another process removed it. */
export const sweepNamesJob = defineJob({
  name: 'privacy.sweep_names',
  retryDelaySeconds: 300,
  timeoutSeconds: 7_200,
  schedule: '52 2 * * *',
  async run(app: App) {
    const removed = await removeNames(app)
    if (removed > 0) app.log.info({ event: 'privacy.names_removed', records: removed })
  },
})
