import { isIP } from 'node:net'
import type { Origin } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { GuardError } from '../../lib/web/guarded-client.ts'
import { WEBHOOK_PORTS } from '../deliver/attempt.ts'
import { auditChange } from './change-audit.ts'
import { notifyOwner } from './created-notice.ts'
import { findOverlap } from './overlap.ts'
import type { Change, DestinationOwner, Own } from './owner.ts'
import { newSecret, sealSecret } from './secret.ts'

export interface Destination {
  id: number
  webhookUrl: string
  signalType: string
  status: 'active' | 'disabled'
  disabledReason: string | null
  createdAt: Date
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  consecutiveFailures: number
  /** Deliveries that wait, counted up to 1,000. */
  pending: number
  /** Nothing is sent before then; may be long past. */
  pausedUntil: Date | null
}

interface DestinationRow {
  id: number
  webhook_url: string
  signal_type: string
  status: 'active' | 'disabled'
  disabled_reason: string | null
  created_at: Date
  last_success_at: Date | null
  last_failure_at: Date | null
  consecutive_failures: number
  pending: number
  paused_until: Date | null
}

const COLUMNS = `id, webhook_url, signal_type, status, disabled_reason, created_at, last_success_at, last_failure_at,
  consecutive_failures, paused_until, (select count(*) from (
    select from webhook_delivery where destination_id = webhook_destination.id and state = 'pending' limit 1000
  ) as waiting) as pending`
const MINE = 'account_id = $1 and mode = $2 and deleted_at is null and webhook_url is not null'

const DESTINATIONS_MAX = 20
const OVERLAP_SECONDS = 24 * 3_600

export interface NewDestination extends DestinationOwner {
  webhookUrl: string
  signalType: string
  /** Absent when no HTTP request registers it. */
  origin?: Origin | undefined
}

/** Returns the new destination with its secret, which is never shown again. */
export async function registerDestination(
  app: App,
  request: NewDestination,
): Promise<{ destination: Destination; secret: string }> {
  await assertReachable(app, request.webhookUrl)
  const at = app.clock.now()
  const secret = newSecret()
  const { accountId, mode, webhookUrl, signalType, origin } = request
  const destination = await app.db.transaction(async (tx) => {
    // Two requests at once must neither both become the twentieth nor both use the same address.
    await tx.query('select id from account where id = $1 for no key update', [accountId])
    assertRoom(await listDestinations(tx, request), request)
    const [{ id } = { id: 0 }] = await tx.query<{ id: number }>(
      `select nextval(pg_get_serial_sequence('webhook_destination', 'id')) as id`,
    )
    const rows = await tx.query<DestinationRow>(
      `insert into webhook_destination (id, account_id, mode, webhook_url, signal_type, secret_sealed, created_at)
       overriding system value values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
      [id, accountId, mode, webhookUrl, signalType, sealSecret(app, id, secret), at],
    )
    const details = { host: new URL(webhookUrl).hostname, signal_type: signalType }
    await auditChange(tx, 'webhook_created', { accountId, mode, id, origin, at, details })
    if (origin) await notifyOwner(app, tx, { accountId, mode, id, origin, webhookUrl })
    return toDestination(onlyRow(rows))
  })
  return { destination, secret }
}

function assertRoom(existing: readonly Destination[], request: NewDestination): void {
  const overlapping = findOverlap(existing, request)
  if (overlapping) {
    const message = `Destination ${overlapping.id} sends \`${overlapping.signalType}\` to this address already, so it would get every such event twice. Keep that one, or delete it first; other types may go to the same address.`
    throw new DomainError('destination_exists', message)
  }
  if (existing.length >= DESTINATIONS_MAX) {
    const message = `An account has at most ${DESTINATIONS_MAX} webhook destinations. Delete one that you no longer need.`
    throw new DomainError('plan_limit_reached', message, { limit: DESTINATIONS_MAX })
  }
}

export async function listDestinations(db: Db, { accountId, mode }: DestinationOwner): Promise<Destination[]> {
  const rows = await db.query<DestinationRow>(`select ${COLUMNS} from webhook_destination where ${MINE} order by id`, [
    accountId,
    mode,
  ])
  return rows.map(toDestination)
}

export async function getDestination(db: Db, { accountId, mode, id }: Own): Promise<Destination> {
  const [row] = await db.query<DestinationRow>(`select ${COLUMNS} from webhook_destination where ${MINE} and id = $3`, [
    accountId,
    mode,
    id,
  ])
  if (!row) throw destinationNotFound()
  return toDestination(row)
}

/** Stops sending at once. What waits is dropped; `forgetEventsJob` deletes the rows. */
export async function deleteDestination(app: App, own: Change): Promise<void> {
  const { accountId, mode, id, origin } = own
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const deleted = await tx.query(
      `update webhook_destination set deleted_at = $4, drained_by = null, drained_until = null, wake_at = null
       where ${MINE} and id = $3 returning id`,
      [accountId, mode, id, at],
    )
    if (deleted.length === 0) throw destinationNotFound()
    await auditChange(tx, 'webhook_deleted', { accountId, mode, id, origin, at })
  })
}

/**
 * Sends to the destination again from now on; a replay sends what it missed. Enabling an active one changes nothing. The
 * lease of a job that is still sending ends, so that it cannot disable what was just enabled.
 */
export async function enableDestination(app: App, own: Change): Promise<Destination> {
  const { accountId, mode, id, origin } = own
  const { webhookUrl } = await getDestination(app.db, own)
  await assertReachable(app, webhookUrl)
  await app.db.transaction(async (tx) => {
    const enabled = await tx.query(
      `update webhook_destination set status = 'active', disabled_reason = null, consecutive_failures = 0,
         consecutive_blocked = 0, failing_since = null, paused_until = null, pauses = 0,
         drained_by = null, drained_until = null, wake_at = null
       where ${MINE} and id = $3 and status = 'disabled' returning id`,
      [accountId, mode, id],
    )
    const at = app.clock.now()
    if (enabled.length > 0) await auditChange(tx, 'webhook_enabled', { accountId, mode, id, origin, at })
  })
  return getDestination(app.db, own)
}

/** Makes a new secret. The old one signs as well for a day, so that a receiver can be changed without losing an event. */
export async function rotateSecret(
  app: App,
  { accountId, mode, id, origin }: Change,
): Promise<{ destination: Destination; secret: string; previousUntil: Date }> {
  const secret = newSecret()
  const at = app.clock.now()
  const previousUntil = addSeconds(at, OVERLAP_SECONDS)
  const destination = await app.db.transaction(async (tx) => {
    const [row] = await tx.query<DestinationRow>(
      `update webhook_destination
       set secret_sealed = $4, previous_secret_sealed = secret_sealed, previous_secret_until = $5
       where ${MINE} and id = $3 returning ${COLUMNS}`,
      [accountId, mode, id, sealSecret(app, id, secret), previousUntil],
    )
    if (!row) throw destinationNotFound()
    await auditChange(tx, 'webhook_secret_rotated', { accountId, mode, id, origin, at })
    return toDestination(row)
  })
  return { destination, secret, previousUntil }
}

export function destinationNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such webhook destination. GET /v1/partner/webhooks lists yours.')
}

/** Makes the same check as every send, and says what is wrong with the address. */
async function assertReachable(app: App, webhookUrl: string): Promise<void> {
  const session = app.web.openSession()
  try {
    await session.check(webhookUrl, { schemes: ['https'], ports: WEBHOOK_PORTS })
    // The owner of an IP address can change overnight; a name stays with its owner.
    if (isIP(new URL(webhookUrl).hostname.replace(/^\[|\]$/g, '')) !== 0) throw new GuardError('blocked', 'address')
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    const message = describe(error)
    throw new DomainError('invalid_request', `webhook_url: ${message}`, { errors: [{ field: 'webhook_url', message }] })
  } finally {
    await session.close()
  }
}

function describe({ reason, detail }: GuardError): string {
  if (reason !== 'blocked') return 'its name could not be looked up. Check it, or try again once the name exists.'
  if (detail === 'scheme' || detail === 'syntax')
    return 'must be an https address, such as https://example.co.uk/hooks.'
  if (detail === 'port') return `must use port ${WEBHOOK_PORTS.join(' or ')}.`
  return 'must be a name that leads to a public address, without user name and password. For development use `nameplate listen`.'
}

function toDestination(row: DestinationRow): Destination {
  return {
    id: row.id,
    webhookUrl: row.webhook_url,
    signalType: row.signal_type,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    consecutiveFailures: row.consecutive_failures,
    pending: row.pending,
    pausedUntil: row.paused_until,
  }
}
