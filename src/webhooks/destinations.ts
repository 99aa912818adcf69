import { isIP } from 'node:net'
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import { type Db, onlyRow } from '../lib/db.ts'
import { GuardError } from '../lib/guarded-client.ts'
import { WEBHOOK_PORTS } from './attempt.ts'
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
const MINE = 'account_id = $1 and deleted_at is null and webhook_url is not null'

const DESTINATIONS_MAX = 20
const OVERLAP_SECONDS = 24 * 3_600

/** The secret is in the answer and never shown again. */
export async function registerDestination(
  app: App,
  wish: { accountId: string; webhookUrl: string; signalType: string },
): Promise<{ destination: Destination; secret: string }> {
  await assertReachable(app, wish.webhookUrl)
  const at = app.clock.now()
  const secret = newSecret()
  const destination = await app.db.transaction(async (tx) => {
    // Two at once must not both become the twentieth.
    await tx.query('select id from account where id = $1 for no key update', [wish.accountId])
    const [{ count, id } = { count: 0, id: 0 }] = await tx.query<{ count: number; id: number }>(
      `select count(*) as count, nextval(pg_get_serial_sequence('webhook_destination', 'id')) as id
       from webhook_destination where ${MINE}`,
      [wish.accountId],
    )
    if (count >= DESTINATIONS_MAX) {
      const message = `An account has at most ${DESTINATIONS_MAX} webhook destinations. Delete one that you no longer need.`
      throw new DomainError('destination_limit_reached', message)
    }
    const rows = await tx.query<DestinationRow>(
      `insert into webhook_destination (id, account_id, webhook_url, signal_type, secret_sealed, created_at)
       overriding system value values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
      [id, wish.accountId, wish.webhookUrl, wish.signalType, sealSecret(app, id, secret), at],
    )
    return toDestination(onlyRow(rows))
  })
  return { destination, secret }
}

export async function listDestinations(db: Db, accountId: string): Promise<Destination[]> {
  const rows = await db.query<DestinationRow>(`select ${COLUMNS} from webhook_destination where ${MINE} order by id`, [
    accountId,
  ])
  return rows.map(toDestination)
}

export interface Own {
  accountId: string
  id: number
}

export async function getDestination(db: Db, { accountId, id }: Own): Promise<Destination> {
  const [row] = await db.query<DestinationRow>(`select ${COLUMNS} from webhook_destination where ${MINE} and id = $2`, [
    accountId,
    id,
  ])
  if (!row) throw destinationNotFound()
  return toDestination(row)
}

/** Nothing is sent from now on. What was waiting is dropped with it; the sweep removes the rows. */
export async function deleteDestination(db: Db, { accountId, id, at }: Own & { at: Date }): Promise<void> {
  const deleted = await db.query(
    `update webhook_destination set deleted_at = $3, drained_by = null, drained_until = null, wake_at = null
     where ${MINE} and id = $2 returning id`,
    [accountId, id, at],
  )
  if (deleted.length === 0) throw destinationNotFound()
}

/**
 * Sends to it again, from now on. What it missed is sent by a replay. Enabling one that is active changes nothing. A job
 * that is still at it has had its say: its claim ends, so that it cannot disable what was just enabled.
 */
export async function enableDestination(app: App, { accountId, id }: Own): Promise<Destination> {
  const { webhookUrl } = await getDestination(app.db, { accountId, id })
  await assertReachable(app, webhookUrl)
  await app.db.query(
    `update webhook_destination set status = 'active', disabled_reason = null, consecutive_failures = 0,
       consecutive_blocked = 0, failing_since = null, paused_until = null, pauses = 0,
       drained_by = null, drained_until = null, wake_at = null
     where ${MINE} and id = $2 and status = 'disabled'`,
    [accountId, id],
  )
  return getDestination(app.db, { accountId, id })
}

/** The old secret signs beside the new one for a day, so that a receiver can be moved over without losing an event. */
export async function rotateSecret(
  app: App,
  { accountId, id }: Own,
): Promise<{ destination: Destination; secret: string; previousUntil: Date }> {
  const secret = newSecret()
  const previousUntil = addSeconds(app.clock.now(), OVERLAP_SECONDS)
  const [row] = await app.db.query<DestinationRow>(
    `update webhook_destination set secret_sealed = $3, previous_secret_sealed = secret_sealed, previous_secret_until = $4
     where ${MINE} and id = $2 returning ${COLUMNS}`,
    [accountId, id, sealSecret(app, id, secret), previousUntil],
  )
  if (!row) throw destinationNotFound()
  return { destination: toDestination(row), secret, previousUntil }
}

export function destinationNotFound(): DomainError {
  return new DomainError('not_found', 'There is no such webhook destination. GET /v1/partner/webhooks lists yours.')
}

/** The same check as before every send; here it tells whoever types the address what is wrong with it. */
async function assertReachable(app: App, webhookUrl: string): Promise<void> {
  const session = app.web.openSession()
  try {
    await session.check(webhookUrl, { schemes: ['https'], ports: WEBHOOK_PORTS })
    // Whose an address is can change overnight; a name stays with its owner.
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
