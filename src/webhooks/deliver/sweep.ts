import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { defineJob } from '../../lib/jobs/jobs.ts'
import { wakeDestinations } from '../publish/wake.ts'

/** Longer than a queued job usually waits for its slot. */
const OVERSLEPT_SECONDS = 60
const BATCH_DESTINATIONS = 500
const BATCHES_MAX = 100

/** Queues another job for each destination whose job is missing or died for good. Runs every minute. */
export const wakeDestinationsJob = defineJob({
  name: 'webhooks.wake',
  concurrency: 1,
  retriesMax: 1,
  retryDelaySeconds: 10,
  timeoutSeconds: 120,
  schedule: '* * * * *',
  async run(app: App) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      if ((await wakeOverslept(app)) < BATCH_DESTINATIONS) break
    }
  },
})

async function wakeOverslept(app: App): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const overslept = await tx.query<{ id: number }>(
      `select id from webhook_destination
       where (wake_at <= $1 and (drained_until is null or drained_until <= $2)) or drained_until <= $2
       order by id limit ${BATCH_DESTINATIONS} for no key update skip locked`,
      [addSeconds(at, -OVERSLEPT_SECONDS), at],
    )
    const ids = overslept.map(({ id }) => id)
    await tx.query(
      'update webhook_destination set drained_by = null, drained_until = null, wake_at = null where id = any ($1)',
      [ids],
    )
    await wakeDestinations(app, tx, ids, { dueAt: at, at })
    if (ids.length > 0) app.log.warn({ event: 'webhooks.overslept', destinations: ids.length })
    return ids.length
  })
}

const KEPT_DAYS = 30
const DELETED_MAX = 20_000

/** Deletes what is older than 30 days, deleted destinations and ended listeners. */
export const forgetEventsJob = defineJob({
  name: 'webhooks.forget',
  concurrency: 1,
  retriesMax: 2,
  retryDelaySeconds: 60,
  timeoutSeconds: 900,
  schedule: '23 * * * *',
  async run(app: App) {
    const at = app.clock.now()
    await app.db.query(
      `update webhook_destination set previous_secret_sealed = null, previous_secret_until = null
       where previous_secret_until <= $1`,
      [at],
    )
    await app.db.query(`delete from outgoing_turn where begun_at <= now() - interval '1 day' and held_until <= now()`)
    for (const [text, before] of toForget(at)) {
      for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
        if ((await app.db.query(text, [before])).length < DELETED_MAX) break
      }
    }
  },
})

/** Returns the statements in their order: rows that refer to others are deleted first. */
function toForget(at: Date): Array<[string, Date]> {
  const old = addSeconds(at, -KEPT_DAYS * 86_400)
  const dead = `select id from webhook_destination where deleted_at <= $1 or listens_until <= $1`
  const oldEvents = `select id from webhook_event where created_at <= $1 order by created_at`
  return [
    [
      `delete from webhook_attempt where id in (
        select id from webhook_attempt where started_at <= $1 limit ${DELETED_MAX}) returning 1`,
      old,
    ],
    [
      `delete from webhook_attempt where id in (
        select id from webhook_attempt where destination_id in (${dead}) limit ${DELETED_MAX}) returning 1`,
      at,
    ],
    [
      `delete from webhook_delivery where (destination_id, event_number) in (
        select destination_id, event_number from webhook_delivery where destination_id in (${dead}) limit ${DELETED_MAX}) returning 1`,
      at,
    ],
    [
      `delete from webhook_delivery where (destination_id, event_number) in (
        select destination_id, event_number from webhook_delivery where event_number in (${oldEvents} limit ${DELETED_MAX}) limit ${DELETED_MAX})
      returning 1`,
      old,
    ],
    [
      `delete from webhook_event where id in (
        select event.id from (${oldEvents} limit ${DELETED_MAX}) as event
        where not exists (select from webhook_delivery where event_number = event.id)) returning 1`,
      old,
    ],
    [
      `delete from webhook_destination as destination where id in (${dead} limit ${DELETED_MAX})
        and not exists (select from webhook_delivery where destination_id = destination.id)
        and not exists (select from webhook_attempt where destination_id = destination.id) returning 1`,
      at,
    ],
  ]
}
