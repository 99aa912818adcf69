/**
 * One job at a time sends to a destination: it has the lease. A destination with something due has a lease, a queued job,
 * or a `wake_at` at which its job starts.
 *
 * No wake-up is lost. A publisher first locks its destinations `for key share`, which does not block the jobs that send. A
 * job that ends locks its destination `for update`, and then looks for what is due: a second statement, as the first sees
 * only what was committed before it started. So either the job sees the new deliveries, or it sees that a publisher holds
 * the lock, or the publisher sees that the job has ended and queues another. A job that died for good is found by
 * `wakeOverslept`.
 *
 * The leases and releases of jobs that run at the same time go together. Such a batch waits for no lock. A row that is locked
 * has a statement of its own, which may wait without delaying others.
 */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { DestinationKind } from '../cards/address.ts'
import { readSigningKeys, type SealedSecrets, type SigningKeys, unsealAddress } from '../destinations/secret.ts'
import type { Health } from './health.ts'

/** A destination that one job sends to, and no other. */
export interface LeasedDestination {
  id: number
  accountId: string
  kind: DestinationKind
  /** The run that has the lease. Once the job runs again, the earlier run can neither record nor release. */
  holder: string
  url: string
  at: Pick<URL, 'origin' | 'host' | 'hostname'>
  keys: SigningKeys
  health: Health
}

/** The destination was deleted, or leased to another run because this one was silent for too long. Nothing is left to do. */
export class LeaseLost extends Error {
  constructor(destinationId: number) {
    super(`destination ${destinationId} is no longer leased to this run`)
    this.name = 'LeaseLost'
  }
}

const LEASE_SECONDS = 45

/** Returns when a lease that starts or is renewed now ends: later than any job sends, see `RUN_MS_MAX`. */
export function leaseEnd({ config }: Pick<App, 'config'>, at: Date): Date {
  return addSeconds(at, config.webhooks.timeoutSeconds + LEASE_SECONDS)
}

interface LeaseRequest {
  destinationId: number
  jobId: string
  /** The run of the job. A later one takes the lease of an earlier one, never the other way round. */
  attempt: number
}

interface LeasedRow extends SealedSecrets, Omit<Health, 'pausedUntil' | 'disabledReason'> {
  accountId: string
  kind: DestinationKind
  holder: string
  url: string
  address_sealed: string | null
}

/** Returns null when another job has the destination, or it is paused, disabled or deleted. */
export async function leaseDestination(app: App, request: LeaseRequest): Promise<LeasedDestination | null> {
  const leased = await app.webhookBatches.leases.add(request, (requests) => leaseUnlocked(app, requests))
  if (leased !== 'locked') return leased && toLeased(app, leased as LeasedRow)
  const [row] = await lease(app, LEASE_WAITING, [request])
  return row?.holder ? toLeased(app, row) : null
}

/** Returns the row of each that is leased, null for one that is not, and `locked` for one that must be asked for alone. */
async function leaseUnlocked(app: App, requests: readonly LeaseRequest[]): Promise<Array<LeasedRow | 'locked' | null>> {
  // Of two jobs for one destination the second asks alone, so that it sees what the first has got.
  const firsts = new Map(requests.toReversed().map((request) => [request.destinationId, request]))
  const rows = await lease(app, LEASE_UNLOCKED, [...firsts.values()])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return requests.map((request) => {
    const row = firsts.get(request.destinationId) === request ? byId.get(request.destinationId) : undefined
    if (!row) return 'locked'
    return row.holder === null ? null : { ...row, holder: row.holder }
  })
}

async function lease(app: App, statement: string, requests: readonly LeaseRequest[]): Promise<LockedRow[]> {
  const at = app.clock.now()
  return app.db.query<LockedRow>(statement, [
    requests.map(({ destinationId }) => destinationId),
    requests.map(({ jobId }) => jobId),
    requests.map(({ attempt }) => attempt),
    at,
    leaseEnd(app, at),
  ])
}

type LockedRow = Omit<LeasedRow, 'holder'> & { holder: string | null }

const LEASE_UNLOCKED = toLeaseStatement('skip locked')
const LEASE_WAITING = toLeaseStatement('')

/** Returns a row for each destination that was locked; those that were not leased have no `holder`. */
function toLeaseStatement(whenLocked: 'skip locked' | ''): string {
  return `with wanted as (
      select id, job_id, attempt from unnest($1::integer[], $2::text[], $3::integer[]) as wanted (id, job_id, attempt)
    ), locked as (
      select id from webhook_destination where id = any ($1) order by id for no key update ${whenLocked}
    ), leased as (
      update webhook_destination as destination
      set drained_by = wanted.job_id || ':' || wanted.attempt, drained_until = $5, wake_at = null
      from locked join wanted using (id)
      where destination.id = locked.id and status = 'active' and deleted_at is null and webhook_url is not null
        and (drained_by is null or drained_until <= $4
          or (split_part(drained_by, ':', 1) = wanted.job_id
            and coalesce(nullif(split_part(drained_by, ':', 2), ''), '0')::integer <= wanted.attempt))
        and (paused_until is null or paused_until <= $4)
      returning destination.id, drained_by as holder, account_id as "accountId", webhook_url as url,
        kind, address_sealed, secret_sealed, previous_secret_sealed, previous_secret_until, last_success_at as "lastSuccessAt",
        last_failure_at as "lastFailureAt", consecutive_failures as "consecutiveFailures",
        consecutive_blocked as "consecutiveBlocked", failing_since as "failingSince", pauses
    )
    select * from locked left join leased using (id)`
}

function toLeased(app: App, row: LockedRow): LeasedDestination {
  const { id, accountId, kind, holder, secret_sealed, previous_secret_sealed, previous_secret_until, ...rest } = row
  const { url: shownUrl, address_sealed: address, ...leased } = rest
  const url = address === null ? shownUrl : unsealAddress(app, id, address)
  const sealed = { id, secret_sealed, previous_secret_sealed, previous_secret_until }
  const keys = readSigningKeys(app, sealed, app.clock.now())
  const health = { ...leased, pausedUntil: null, disabledReason: null }
  const { origin, host, hostname } = new URL(url)
  return { id, accountId, kind, holder: holder ?? '', url, at: { origin, host, hostname }, keys, health }
}

interface Release {
  id: number
  holder: string
  lastSuccessAt: Date | null
  /** Nothing is sent before then. */
  waitUntil: Date | null
}

interface HeldRow {
  id: number
  status: string
  consecutive_failures: number
  paused_until: Date | null
  holder: string | null
}

/**
 * Ends the lease, and queues the job that sends what is due next, not before `waitUntil`. Throws `LeaseLost` when the run no
 * longer has it. The job is completed after this. If the worker dies in between, the job runs again: it takes the lease if
 * that is free, finds nothing due or sends what became due, and releases again. At most one job more is queued.
 */
export async function releaseDestination(
  app: App,
  { id, holder }: Pick<LeasedDestination, 'id' | 'holder'>,
  ending: Pick<Release, 'lastSuccessAt' | 'waitUntil'>,
): Promise<void> {
  const release = { id, holder, ...ending }
  const found = await app.webhookBatches.releases.add(release, (releases) => releaseUnlocked(app, releases))
  const ended = found === 'locked' ? await app.db.transaction((tx) => releaseLocked(app, tx, release)) : found
  if (ended === 'lost') throw new LeaseLost(id)
}

type Released = 'released' | 'lost' | 'locked'

async function releaseUnlocked(app: App, releases: readonly Release[]): Promise<Released[]> {
  const ids = releases.map(({ id }) => id)
  return app.db.transaction(async (tx) => {
    const rows = await tx.query<HeldRow>(`${SELECT_HELD} order by id for update skip locked`, [ids])
    const byId = new Map(rows.map((row) => [row.id, row]))
    const held = releases.flatMap((release) => {
      const row = byId.get(release.id)
      return row?.holder === release.holder ? [{ release, row }] : []
    })
    const nextDue = await findNextDue(
      tx,
      held.map(({ row }) => row.id),
    )
    await endLeases(app, tx, held, nextDue)
    return releases.map(({ id, holder }) => {
      const row = byId.get(id)
      return row === undefined ? 'locked' : row.holder === holder ? 'released' : 'lost'
    })
  })
}

/** A publisher holds the row: what it writes cannot be seen yet, and is due at once. */
async function releaseLocked(app: App, tx: Tx, release: Release): Promise<Released> {
  const [row] = await tx.query<HeldRow>(SELECT_HELD, [[release.id]])
  if (row?.holder !== release.holder) return 'lost'
  const ended = await endLeases(app, tx, [{ release, row }], new Map([[row.id, app.clock.now()]]))
  return ended > 0 ? 'released' : 'lost'
}

const SELECT_HELD = `select id, status, consecutive_failures, paused_until, drained_by as holder from webhook_destination
  where id = any ($1)`

/** Returns how many were still held. */
async function endLeases(
  app: App,
  tx: Tx,
  held: ReadonlyArray<{ release: Release; row: HeldRow }>,
  nextDue: ReadonlyMap<number, Date>,
): Promise<number> {
  if (held.length === 0) return 0
  const at = app.clock.now()
  const ending = held.map(({ release, row }) => {
    const dueAt = row.status === 'active' ? nextDue.get(row.id) : undefined
    const earliest = [at, row.paused_until, release.waitUntil].map((time) => time?.getTime() ?? 0)
    return { ...release, wakeAt: dueAt ? new Date(Math.max(dueAt.getTime(), ...earliest)) : null }
  })
  const ended = await tx.query<{ id: number; consecutive_failures: number; wake_at: Date | null }>(
    `update webhook_destination as destination
     set drained_by = null, drained_until = null, wake_at = ending.wake_at, last_success_at = ending.last_success_at,
       paused_until = greatest(paused_until, ending.wait_until)
     from unnest($1::integer[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
       as ending (id, holder, wake_at, last_success_at, wait_until)
     where destination.id = ending.id and destination.drained_by = ending.holder
     returning destination.id, consecutive_failures, destination.wake_at`,
    [
      ending.map(({ id }) => id),
      ending.map(({ holder }) => holder),
      ending.map(({ wakeAt }) => wakeAt),
      ending.map(({ lastSuccessAt }) => lastSuccessAt),
      ending.map(({ waitUntil }) => waitUntil),
    ],
  )
  const woken = ended.flatMap((one) => (one.wake_at ? [{ ...one, wake_at: one.wake_at }] : []))
  await queueDeliveryJobs(app, tx, woken, at)
  return ended.length
}

/** Returns when the next delivery to each destination is due, where one waits. */
async function findNextDue(db: Db, destinationIds: readonly number[]): Promise<Map<number, Date>> {
  const rows = await db.query<{ id: number; due_at: Date }>(
    `select wanted.id, next.due_at
     from unnest($1::integer[]) as wanted (id)
     cross join lateral (
       select due_at from webhook_delivery where destination_id = wanted.id and state = 'pending' order by due_at limit 1
     ) as next`,
    [destinationIds],
  )
  return new Map(rows.map(({ id, due_at: dueAt }) => [id, dueAt]))
}

// The jobs that send: one is queued for a destination when something is due there.

/** Two queues with the same work: `webhooks.retry` is for destinations whose last attempt failed. */
export const DELIVERY_JOBS = { deliver: 'webhooks.deliver', retry: 'webhooks.retry' } as const

/** Queues a job for each destination that has something due at `dueAt` and no job to send it. */
export async function wakeDestinations(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  destinationIds: readonly number[],
  { dueAt, at }: { dueAt: Date; at: Date },
): Promise<void> {
  const woken = await tx.query<WokenDestination>(
    `with asleep as (
       select id, greatest($2, paused_until) as wake_at from webhook_destination
       where id = any ($1) and (drained_until is null or drained_until <= $3)
         and (wake_at is null or wake_at > greatest($2, paused_until))
       order by id for no key update
     )
     update webhook_destination as destination set wake_at = asleep.wake_at
     from asleep where destination.id = asleep.id
     returning destination.id, destination.consecutive_failures, destination.wake_at`,
    [destinationIds, dueAt, at],
  )
  await queueDeliveryJobs({ jobs }, tx, woken, at)
}

interface WokenDestination {
  id: number
  consecutive_failures: number
  wake_at: Date
}

/** Destinations that fail have a separate queue, so that however many of them hang, those that work do not wait. */
async function queueDeliveryJobs(
  { jobs }: Pick<App, 'jobs'>,
  tx: Tx,
  woken: readonly WokenDestination[],
  at: Date,
): Promise<void> {
  const byQueue = Map.groupBy(woken, (one) => DELIVERY_JOBS[one.consecutive_failures > 0 ? 'retry' : 'deliver'])
  for (const [name, destinations] of byQueue) {
    const inserts = destinations.map(({ id, wake_at: wakeAt }) => ({
      payload: { destinationId: id },
      ...startIn(wakeAt, at),
    }))
    await jobs.enqueueAll(tx, { name }, inserts)
  }
}

/** The engine uses the machine's clock, and `app.clock` may differ from it, so only the difference is used. */
function startIn(wakeAt: Date, at: Date): { startAfter?: Date } {
  const waitMs = wakeAt.getTime() - at.getTime()
  return waitMs > 0 ? { startAfter: new Date(Date.now() + waitMs) } : {}
}

/** Longer than a queued job usually waits for its slot. */
const OVERSLEPT_SECONDS = 60

/** Queues another job for at most `limit` destinations whose job is missing or died for good. Returns their number. */
export async function wakeOverslept(app: App, limit: number): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const overslept = await tx.query<{ id: number }>(
      `select id from webhook_destination
       where (wake_at <= $1 and (drained_until is null or drained_until <= $2)) or drained_until <= $2
       order by id limit $3 for no key update skip locked`,
      [addSeconds(at, -OVERSLEPT_SECONDS), at, limit],
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
