import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { wakeDestinations } from '../deliver/lease.ts'
import { destinationNotFound } from '../destinations/destinations.ts'
import { auditChange, type Change, type Own } from '../destinations/owner.ts'

interface ReplayRequest extends Change {
  /** Compared with the time of the event. */
  since: Date | null
  until: Date | null
  /** `failed`: all attempts were spent. `missing`: the destination was disabled before it got the event. */
  only: 'failed' | 'missing' | null
  /** Replays only this event. */
  eventId: string | null
  /** Continues after the event with this number. */
  cursor: number | null
}

const REPLAYED_MAX = 10_000
const STATES = { failed: ['failed'], missing: ['missed'], any: ['failed', 'missed', 'delivered'] }

/** Sends events again, each with its own id, from the first attempt on. Returns a `nextCursor` when there may be more. */
export async function replayEvents(
  app: App,
  request: ReplayRequest,
): Promise<{ queued: number; nextCursor: number | null }> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockOwn(tx, request)
    const begun = await beginAgain(tx, request, at)
    if (begun.length > 0) await wakeDestinations(app, tx, [request.id], { dueAt: at, at })
    await auditChange(tx, 'webhook_replayed', { ...request, at, details: { queued: begun.length } })
    const nextCursor = begun.length === REPLAYED_MAX ? Math.max(...begun) : null
    return { queued: begun.length, nextCursor }
  })
}

async function lockOwn(tx: Tx, { accountId, mode, id }: Own): Promise<void> {
  const [row] = await tx.query<{ status: string }>(
    `select status from webhook_destination
     where account_id = $1 and mode = $2 and id = $3 and deleted_at is null and webhook_url is not null
     for key share`,
    [accountId, mode, id],
  )
  if (!row) throw destinationNotFound()
  if (row.status === 'disabled') {
    const message = `This destination is disabled. Send POST /v1/partner/webhooks/${id}/enable first.`
    throw new DomainError('destination_disabled', message)
  }
}

/**
 * Makes deliveries pending again, oldest first, without test events, which are tried once. An event that is being
 * replayed is pending already, so two requests do not send it twice.
 */
async function beginAgain(
  tx: Tx,
  { id, since, until, only, cursor, eventId }: ReplayRequest,
  at: Date,
): Promise<number[]> {
  const begun = await tx.query<{ event_number: number }>(
    `update webhook_delivery set state = 'pending', attempts = 0, is_replay = true, due_at = $5, ended_at = null
     where destination_id = $1 and event_number in (
       select delivery.event_number
       from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
       where delivery.destination_id = $1 and delivery.state = any ($2) and event.signal_type <> 'test'
         and ($3::timestamptz is null or event.created_at >= $3) and ($4::timestamptz is null or event.created_at < $4)
         and delivery.event_number > $6 and ($7::text is null or event.event_id = $7)
       order by delivery.event_number limit ${REPLAYED_MAX})
     returning event_number`,
    [id, STATES[only ?? 'any'], since, until, at, cursor ?? 0, eventId],
  )
  return begun.map(({ event_number: number }) => number)
}
