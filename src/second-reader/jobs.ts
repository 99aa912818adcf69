import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob } from '../lib/jobs/jobs.ts'

const KEPT_SECONDS = 90 * 86_400
const ROWS_MAX = 20_000

/** Every day: deletes answers of the model that are older than any answer we would build on them. */
export const forgetReaderAnswersJob = defineJob({
  name: 'second_reader.forget_answers',
  retriesMax: 1,
  timeoutSeconds: 120,
  schedule: '40 3 * * *',
  async run(app: App) {
    await app.db.query(
      'delete from second_reader_answer where key in (select key from second_reader_answer where created_at < $1 limit $2)',
      [addSeconds(app.clock.now(), -KEPT_SECONDS), ROWS_MAX],
    )
  },
})
