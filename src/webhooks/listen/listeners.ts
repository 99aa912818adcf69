/**
 * A listener is a destination without an address: a developer's machine that fetches its events and forwards them to a
 * local port, signed like any delivery. It ends five minutes after its last fetch.
 */
import { assertOpenAccount, lockAccount, type Origin } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { OutgoingEvent } from '../deliver/attempt.ts'
import { listOwnDue } from '../deliver/deliver-due.ts'
import { auditChange, type Change, type DestinationOwner, type Own } from '../destinations/owner.ts'
import { newSecret, sealSecret } from '../destinations/secret.ts'
import { AUDIT_ENTRY, startAuditStream } from '../publish/audit-stream.ts'

const LIFE_SECONDS = 300
const LISTENERS_MAX = 5
const BATCH_EVENTS = 50

export async function openListener(
  app: App,
  wanted: DestinationOwner & { signalType: string; origin?: Origin | undefined },
): Promise<{ id: number; secret: string; expiresAt: Date }> {
  const { accountId, mode, signalType, origin } = wanted
  const at = app.clock.now()
  const expiresAt = addSeconds(at, LIFE_SECONDS)
  const secret = newSecret()
  const id = await app.db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await assertOpenAccount(tx, accountId)
    const [drawn = { count: 0, id: 0 }] = await tx.query<{ count: number; id: number }>(
      `select count(*) as count, nextval(pg_get_serial_sequence('webhook_destination', 'id')) as id
       from webhook_destination where account_id = $1 and mode = $3 and deleted_at is null and listens_until > $2`,
      [accountId, at, mode],
    )
    if (drawn.count >= LISTENERS_MAX) {
      const message = `An account has at most ${LISTENERS_MAX} listeners. Stop one, or wait five minutes after its end.`
      throw new DomainError('listener_limit_reached', message)
    }
    await tx.query(
      `insert into webhook_destination (id, account_id, mode, signal_type, secret_sealed, created_at, listens_until)
       overriding system value values ($1, $2, $3, $4, $5, $6, $7)`,
      [drawn.id, accountId, mode, signalType, sealSecret(app, drawn.id, secret), at, expiresAt],
    )
    if (signalType === AUDIT_ENTRY) await startAuditStream(tx, accountId)
    await auditChange(tx, 'listener_opened', { accountId, mode, id: drawn.id, origin, at })
    return drawn.id
  })
  return { id, secret, expiresAt }
}

/** Records the events in `received` as delivered and returns those that are due. Events that are not recorded come again. */
export async function fetchEvents(app: App, request: Own & { received: readonly string[] }): Promise<OutgoingEvent[]> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await extendListener(tx, request, at)
    await recordReceived(tx, request, at)
  })
  return listOwnDue(app.db, { destinationId: request.id, except: [], limit: BATCH_EVENTS, at })
}

export async function closeListener(app: App, { accountId, mode, id, origin }: Change): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const closed = await tx.query(
      `update webhook_destination set deleted_at = $4
       where account_id = $1 and mode = $2 and id = $3 and listens_until is not null and deleted_at is null
       returning id`,
      [accountId, mode, id, at],
    )
    if (closed.length === 0) throw listenerNotFound()
    await auditChange(tx, 'listener_closed', { accountId, mode, id, origin, at })
  })
}

/** Throws `not_found` when the listener has ended. */
export async function assertListening(db: Db, { accountId, mode, id }: Own, at: Date): Promise<void> {
  const alive = await db.query(
    `select id from webhook_destination
     where account_id = $1 and mode = $2 and id = $3 and listens_until > $4 and deleted_at is null`,
    [accountId, mode, id, at],
  )
  if (alive.length === 0) throw listenerNotFound()
}

function listenerNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such listener, or it has ended. Start another.')
}

async function extendListener(tx: Tx, { accountId, mode, id }: Own, at: Date): Promise<void> {
  const alive = await tx.query(
    `update webhook_destination set listens_until = $5
     where account_id = $1 and mode = $2 and id = $3 and listens_until > $4 and deleted_at is null returning id`,
    [accountId, mode, id, at, addSeconds(at, LIFE_SECONDS)],
  )
  if (alive.length === 0) throw listenerNotFound()
}

async function recordReceived(
  tx: Tx,
  { id, received }: { id: number; received: readonly string[] },
  at: Date,
): Promise<void> {
  if (received.length === 0) return
  await tx.query(
    `update webhook_delivery as delivery set state = 'delivered', attempts = 1, ended_at = $3
     from webhook_event as event
     where event.event_id = any ($2) and delivery.destination_id = $1 and delivery.event_number = event.id
       and delivery.state = 'pending'`,
    [id, received, at],
  )
}

/** Waits until something is due at a listener, for at most `forMs`, or until the client has left. */
export async function waitForEvents(
  { listenerPoll, db, clock }: App,
  listenerId: number,
  wait: { forMs: number; signal: AbortSignal },
): Promise<void> {
  await listenerPoll.wait(listenerId, { ...wait, find: (ids) => listWithDue(db, ids, clock.now()) })
}

async function listWithDue(db: Db, listenerIds: readonly number[], at: Date): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from unnest($1::integer[]) as id where exists (
       select from webhook_delivery where destination_id = id and state = 'pending' and due_at <= $2)`,
    [listenerIds, at],
  )
  return rows.map(({ id }) => id)
}
