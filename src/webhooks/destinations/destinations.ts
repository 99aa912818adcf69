import { isIP } from 'node:net'
import { assertOpenAccount, lockAccount, type Origin } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow, type Tx } from '../../lib/db/db.ts'
import { GuardError } from '../../lib/web/guarded-client.ts'
import { type DestinationKind, findAddressProblem, maskAddress } from '../cards/address.ts'
import { WEBHOOK_PORTS } from '../deliver/attempt.ts'
import type { Health } from '../deliver/health.ts'
import { AUDIT_ENTRY, startAuditStream } from '../publish/audit-stream.ts'
import { findOverlap, NO_SIGNALS, type Subscription } from './overlap.ts'
import { auditChange, type Change, type DestinationOwner, notifyOwner, type Own } from './owner.ts'
import { newSecret, sealAddress, sealSecret, unsealAddress } from './secret.ts'

export interface Destination extends Pick<Health, 'lastSuccessAt' | 'lastFailureAt' | 'consecutiveFailures'> {
  id: number
  kind: DestinationKind
  /** Masked where the address is a secret. */
  webhookUrl: string
  signalType: string
  /** The list whose signals it gets; null for all that are watched. */
  listKey: number | null
  severityMin: string | null
  status: 'active' | 'disabled'
  disabledReason: string | null
  createdAt: Date
  /** Deliveries that wait, counted up to 1,000. */
  pending: number
  /** Nothing is sent before then; may be long past. */
  pausedUntil: Date | null
}

const COLUMNS = `id, kind, list_key as "listKey", severity_min as "severityMin", webhook_url as "webhookUrl",
  signal_type as "signalType", status, disabled_reason as "disabledReason",
  created_at as "createdAt", last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt",
  consecutive_failures as "consecutiveFailures", paused_until as "pausedUntil", (select count(*) from (
    select from webhook_delivery where destination_id = webhook_destination.id and state = 'pending' limit 1000
  ) as waiting) as pending`
const MINE = 'account_id = $1 and mode = $2 and deleted_at is null and webhook_url is not null'

const DESTINATIONS_MAX = 20
const OVERLAP_SECONDS = 24 * 3_600

interface NewDestination extends DestinationOwner {
  webhookUrl: string
  signalType: string
  kind?: DestinationKind
  /** The list whose signals it gets. Its key is found in the transaction that stores it: the list is not deleted before. */
  list?: { id: string; lockKey: (tx: Tx) => Promise<number> } | undefined
  severityMin?: string | null
  /** Absent when no HTTP request registers it. */
  origin?: Origin | undefined
}

/** Returns the new destination with its secret, which is never shown again. */
export async function registerDestination(
  app: App,
  request: NewDestination,
): Promise<{ destination: Destination; secret: string }> {
  const { kind = 'webhook', severityMin = null } = request
  assertAddress(kind, request.webhookUrl)
  assertSignals(request)
  await assertReachable(app, request.webhookUrl)
  const at = app.clock.now()
  const secret = newSecret()
  const { accountId, mode, webhookUrl, signalType, origin } = request
  const shownUrl = kind === 'webhook' ? webhookUrl : maskAddress(webhookUrl)
  const destination = await app.db.transaction(async (tx) => {
    // Two requests at once must neither both become the twentieth nor both use the same address.
    await lockAccount(tx, accountId)
    await assertOpenAccount(tx, accountId)
    const listKey = (await request.list?.lockKey(tx)) ?? null
    assertRoom(await listWithAddress(app, tx, request), { webhookUrl, signalType, listKey })
    const [{ id } = { id: 0 }] = await tx.query<{ id: number }>(
      `select nextval(pg_get_serial_sequence('webhook_destination', 'id')) as id`,
    )
    const address = kind === 'webhook' ? null : sealAddress(app, id, webhookUrl)
    const rows = await tx.query<Destination>(
      `insert into webhook_destination (id, account_id, mode, webhook_url, signal_type, secret_sealed, created_at, kind,
         address_sealed, list_key, severity_min)
       overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`,
      [id, accountId, mode, shownUrl, signalType, sealSecret(app, id, secret), at, kind, address, listKey, severityMin],
    )
    const filter = { list_id: request.list?.id ?? null, severity_min: severityMin }
    const after = { kind, host: new URL(webhookUrl).hostname, signal_type: signalType, ...filter, status: 'active' }
    await auditChange(tx, 'webhook_created', { accountId, mode, id, origin, at, after })
    if (signalType === AUDIT_ENTRY) await startAuditStream(tx, accountId)
    if (origin) await notifyOwner(app, tx, { accountId, mode, id, origin, webhookUrl: shownUrl })
    return onlyRow(rows)
  })
  return { destination, secret }
}

/** Returns the destinations of an owner with their true addresses, to compare them. */
async function listWithAddress(app: App, tx: Tx, owner: DestinationOwner): Promise<Destination[]> {
  const sealed = await tx.query<{ id: number; address_sealed: string }>(
    `select id, address_sealed from webhook_destination where ${MINE} and kind <> 'webhook'`,
    [owner.accountId, owner.mode],
  )
  const addresses = new Map(sealed.map((one) => [one.id, unsealAddress(app, one.id, one.address_sealed)]))
  const existing = await listDestinations(tx, owner)
  return existing.map((one) => ({ ...one, webhookUrl: addresses.get(one.id) ?? one.webhookUrl }))
}

function assertAddress(kind: DestinationKind, webhookUrl: string): void {
  const problem = findAddressProblem(kind, webhookUrl)
  if (problem !== null) throw invalid('webhook_url', problem)
}

/** Lists and severities are those of signals, and people read signals alone. */
function assertSignals({ kind = 'webhook', list, severityMin = null, signalType }: NewDestination): void {
  const isForSignals = kind !== 'webhook' || list !== undefined || severityMin !== null
  if (isForSignals && NO_SIGNALS.includes(signalType)) {
    throw invalid('signal_type', 'must be a type of signal, or `all`')
  }
}

function invalid(field: string, message: string): DomainError {
  return new DomainError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] })
}

function assertRoom(existing: readonly Destination[], added: Subscription): void {
  const overlapping = findOverlap(existing, added)
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
  return db.query<Destination>(`select ${COLUMNS} from webhook_destination where ${MINE} order by id`, [
    accountId,
    mode,
  ])
}

export async function getDestination(db: Db, { accountId, mode, id }: Own): Promise<Destination> {
  const [row] = await db.query<Destination>(`select ${COLUMNS} from webhook_destination where ${MINE} and id = $3`, [
    accountId,
    mode,
    id,
  ])
  if (!row) throw destinationNotFound()
  return row
}

/** Stops sending at once. What waits is dropped; `forgetEventsJob` deletes the rows. */
export async function deleteDestination(app: App, own: Change): Promise<void> {
  const { accountId, mode, id } = own
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const [deleted] = await tx.query<DeletedRow>(
      `update webhook_destination set deleted_at = $4, drained_by = null, drained_until = null, wake_at = null
       where ${MINE} and id = $3 returning ${DELETED_COLUMNS}`,
      [accountId, mode, id, at],
    )
    if (!deleted) throw destinationNotFound()
    await auditChange(tx, 'webhook_deleted', { ...own, at, before: toAudited(deleted) })
  })
}

interface DeletedRow {
  kind: DestinationKind
  webhook_url: string
  signal_type: string
  severity_min: string | null
  status: string
}

const DELETED_COLUMNS = 'kind, webhook_url, signal_type, severity_min, status'

/** A masked address has the host of the true one. */
function toAudited({ kind, webhook_url: url, ...subscription }: DeletedRow) {
  return { kind, host: new URL(url).hostname, ...subscription }
}

/**
 * Sends to the destination again from now on; a replay sends what it missed. Enabling an active one changes nothing. The
 * lease of a job that is still sending ends, so that it cannot disable what was just enabled.
 */
export async function enableDestination(app: App, own: Change): Promise<Destination> {
  const { accountId, mode, id } = own
  const { webhookUrl } = await getDestination(app.db, own)
  // A masked address has the host of the true one.
  await assertReachable(app, webhookUrl)
  await app.db.transaction(async (tx) => {
    const enabled = await tx.query(
      `update webhook_destination set status = 'active', disabled_reason = null, consecutive_failures = 0,
         consecutive_blocked = 0, failing_since = null, paused_until = null, pauses = 0,
         drained_by = null, drained_until = null, wake_at = null
       where ${MINE} and id = $3 and status = 'disabled' returning id`,
      [accountId, mode, id],
    )
    if (enabled.length === 0) return
    const [before, after] = [{ status: 'disabled' }, { status: 'active' }]
    await auditChange(tx, 'webhook_enabled', { ...own, at: app.clock.now(), before, after })
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
    const [row] = await tx.query<Destination>(
      `update webhook_destination
       set secret_sealed = $4, previous_secret_sealed = secret_sealed, previous_secret_until = $5
       where ${MINE} and id = $3 returning ${COLUMNS}`,
      [accountId, mode, id, sealSecret(app, id, secret), previousUntil],
    )
    if (!row) throw destinationNotFound()
    if (row.kind !== 'webhook') throw new DomainError('invalid_request', 'Slack and Teams check no signature.')
    await auditChange(tx, 'webhook_secret_rotated', { accountId, mode, id, origin, at })
    return row
  })
  return { destination, secret, previousUntil }
}

/** Disables all destinations of an account. What waits is marked as missed, for a replay. */
export async function disableDestinations(tx: Tx, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  // A job that is sending loses its lease; publishers that saw a destination as active have committed before.
  await tx.query(
    `update webhook_destination set status = 'disabled', disabled_reason = 'account_disabled',
       drained_by = null, drained_until = null, wake_at = null
     where account_id = $1 and status = 'active' and deleted_at is null`,
    [accountId],
  )
  await tx.query(
    `update webhook_delivery set state = 'missed', ended_at = $2
     where state = 'pending' and destination_id in (select id from webhook_destination where account_id = $1)`,
    [accountId, at],
  )
}

/**
 * Deletes the destinations of a list, which is deleted next: without it they would get nothing, and never those of all lists.
 * Those that were deleted before let go of the list.
 */
export async function deleteDestinationsOfList(
  tx: Tx,
  { accountId, mode, origin, listKey, at }: DestinationOwner & Pick<Change, 'origin'> & { listKey: number; at: Date },
): Promise<void> {
  // In the order in which events wake their destinations.
  await tx.query('select from webhook_destination where list_key = $1 order by id for no key update', [listKey])
  const deleted = await tx.query<DeletedRow & { id: number }>(
    `update webhook_destination set deleted_at = $2, drained_by = null, drained_until = null, wake_at = null
     where list_key = $1 and deleted_at is null returning id, ${DELETED_COLUMNS}`,
    [listKey, at],
  )
  await tx.query('update webhook_destination set list_key = null where list_key = $1 and deleted_at is not null', [
    listKey,
  ])
  for (const row of deleted.toSorted((one, other) => one.id - other.id)) {
    await auditChange(tx, 'webhook_deleted', { accountId, mode, id: row.id, origin, at, before: toAudited(row) })
  }
}

/** Enables the destinations that were disabled with the account, and no others. */
export async function enableDestinations(tx: Tx, accountId: string): Promise<void> {
  await tx.query(
    `update webhook_destination set status = 'active', disabled_reason = null
     where account_id = $1 and disabled_reason = 'account_disabled'`,
    [accountId],
  )
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
    const message = describeProblem(error)
    throw new DomainError('invalid_request', `webhook_url: ${message}`, { errors: [{ field: 'webhook_url', message }] })
  } finally {
    await session.close()
  }
}

function describeProblem({ reason, detail }: GuardError): string {
  if (reason !== 'blocked') return 'its name could not be looked up. Check it, or try again once the name exists.'
  if (detail === 'scheme' || detail === 'syntax')
    return 'must be an https address, such as https://example.co.uk/hooks.'
  if (detail === 'port') return `must use port ${WEBHOOK_PORTS.join(' or ')}.`
  return 'must be a name that leads to a public address, without user name and password. For development use `nameplate listen`.'
}
