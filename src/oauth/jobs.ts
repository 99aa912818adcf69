import type { App } from '../app.ts'
import { addSeconds } from '../lib/clock.ts'
import { defineJob } from '../lib/jobs/jobs.ts'

const DAY_SECONDS = 86_400
const BATCH_ROWS = 10_000
const BATCHES_MAX = 100
const UNUSED_CLIENT_DAYS = 30

/** Removes what has expired, and clients that registered and were never let in. */
export const forgetPayloadsJob = defineJob({
  name: 'oauth.forget',
  retriesMax: 2,
  timeoutSeconds: 600,
  schedule: '41 * * * *',
  async run(app: App) {
    const at = app.clock.now()
    for (const [text, before] of [
      [EXPIRED, addSeconds(at, -DAY_SECONDS)],
      [UNUSED_CLIENTS, addSeconds(at, -UNUSED_CLIENT_DAYS * DAY_SECONDS)],
      [ENDED_CONNECTIONS, at],
    ] as const) {
      for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
        if ((await app.db.query(text, [before])).length < BATCH_ROWS) break
      }
    }
  },
})

const EXPIRED = `delete from oauth_payload where (model, id_hash) in (
  select model, id_hash from oauth_payload where expires_at <= $1 limit ${BATCH_ROWS}) returning 1`

const UNUSED_CLIENTS = `delete from oauth_payload where (model, id_hash) in (
  select client.model, client.id_hash from oauth_payload as client
  where client.model = 'Client' and client.created_at <= $1 and not exists (
    select from oauth_payload as used
    where used.client_id = client.client_id and used.model in ('Grant', 'RefreshToken'))
  limit ${BATCH_ROWS}) returning 1`

/** Deletes connections whose grant has ended; only the history of their caps is left. */
const ENDED_CONNECTIONS = `delete from connection where id in (
  select connection.id from connection
  where connection.connected_at <= $1::timestamptz - interval '1 day' and not exists (
    select from oauth_payload where model = 'Grant' and id_hash = sha256(convert_to(connection.id, 'UTF8')))
  limit ${BATCH_ROWS}) returning 1`
