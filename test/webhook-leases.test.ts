/** One run of one job at a time sends to a destination, whatever dies, waits or is deleted meanwhile. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Receiver } from '../rig/web/index.ts'
import type { ReceivedRequest, Treatment } from '../rig/web/receiver.ts'
import { type Attempt, attemptDelivery, openWebhookSession } from '../src/webhooks/deliver/attempt.ts'
import { AttemptLog } from '../src/webhooks/deliver/attempt-log.ts'
import { listDue } from '../src/webhooks/deliver/deliver-due.ts'
import {
  type LeasedDestination,
  LeaseLost,
  leaseDestination,
  releaseDestination,
} from '../src/webhooks/deliver/lease.ts'
import { deleteDestination, deliverJob, registerDestination } from '../src/webhooks/index.ts'
import { useTestService } from './setup/harness.ts'
import { QUICK_WEBHOOKS, rename, type Subscribed, subscribe } from './setup/webhooks.ts'

// Jobs run only where a test runs them.
const it = useTestService({ webhooks: { ...QUICK_WEBHOOKS, timeoutSeconds: 3 }, work: false })

const NOTHING_NEW = { lastSuccessAt: null, waitUntil: null }

const lease = ({ id }: Pick<Subscribed, 'id'>, jobId: string = randomUUID(), attempt = 1) =>
  leaseDestination(it.app, { destinationId: id, jobId, attempt })

async function mustLease(to: Pick<Subscribed, 'id'>, jobId?: string, attempt?: number): Promise<LeasedDestination> {
  const leased = await lease(to, jobId, attempt)
  if (!leased) throw new Error(`destination ${to.id} was not leased`)
  return leased
}

const release = (leased: LeasedDestination) => releaseDestination(it.app, leased, NOTHING_NEW)

async function readRow({ id }: Pick<Subscribed, 'id'>) {
  const [row] = await it.app.db.query<{ holder: string | null; wake_at: Date | null }>(
    'select drained_by as holder, wake_at from webhook_destination where id = $1',
    [id],
  )
  return row
}

const countPending = async ({ id }: Pick<Subscribed, 'id'>) =>
  (await it.app.db.query(`select from webhook_delivery where destination_id = $1 and state = 'pending'`, [id])).length

const runDelivery = ({ id }: Pick<Subscribed, 'id'>, jobId: string = randomUUID(), attempt = 1) =>
  it.runJob(deliverJob, { destinationId: id }, { id: jobId, attempt })

async function acceptedAttempt({ id }: Pick<Subscribed, 'id'>): Promise<Attempt> {
  const [event] = await listDue(it.app, { destinationId: id, except: [] })
  if (!event) throw new Error('nothing is due')
  const rest = { status: 200, error: null, response: '', retryAfterSeconds: null }
  return { event, result: 'delivered', startedAt: it.clock.now(), durationMs: 1, ...rest }
}

/** Holds the row of a destination until `end` is called. */
async function holdRow({ id }: Pick<Subscribed, 'id'>, strength: 'key share' | 'no key update') {
  const locked = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = it.app.db.transaction(async (tx) => {
    await tx.query(`select from webhook_destination where id = $1 for ${strength}`, [id])
    locked.resolve()
    await promise
  })
  await locked.promise
  return async () => {
    resolve()
    await held
  }
}

test('a run that was given up on can neither record nor release under the lease of its successor', async () => {
  const to = await subscribe(it)
  await rename(it, to.company)
  const jobId = randomUUID()
  const zombie = await mustLease(to, jobId, 1)
  const attempt = await acceptedAttempt(to)
  const successor = await mustLease(to, jobId, 2)
  await expect(new AttemptLog(it.app, zombie).record(attempt)).rejects.toThrow(LeaseLost)
  const failed = { ...attempt, result: 'failed', status: 500 } as const
  await expect(new AttemptLog(it.app, zombie).record(failed)).rejects.toThrow(LeaseLost)
  await expect(release(zombie)).rejects.toThrow(LeaseLost)
  expect(await lease(to, jobId, 1)).toBeNull()
  expect([await countPending(to), (await readRow(to))?.holder]).toEqual([1, successor.holder])
  await new AttemptLog(it.app, successor).record(attempt)
  await release(successor)
  expect([await countPending(to), await readRow(to)]).toEqual([0, { holder: null, wake_at: null }])
})

test('of two jobs for one destination one gets it, and a job gets back what its earlier run had', async () => {
  const [to, other] = [await subscribe(it), await subscribe(it)]
  const both = await Promise.all([lease(to), lease(to), lease(other)])
  expect(both.map((leased) => leased?.id ?? null).filter((id) => id === to.id)).toHaveLength(1)
  expect(both[2]?.id).toBe(other.id)
  const died = await subscribe(it)
  const jobId = randomUUID()
  await mustLease(died, jobId, 1)
  const [stranger, again] = await Promise.all([lease(died), lease(died, jobId, 2)])
  expect([stranger, again?.holder]).toEqual([null, `${jobId}:2`])
})

test('a lease waits for a publisher that wakes its destination, and no other lease waits with it', async () => {
  const [held, free] = [await subscribe(it), await subscribe(it)]
  const end = await holdRow(held, 'no key update')
  let isLeased = false
  const waiting = lease(held).then((leased) => {
    isLeased = true
    return leased
  })
  expect((await lease(free))?.id).toBe(free.id)
  expect(isLeased).toBe(false)
  await end()
  expect((await waiting)?.id).toBe(held.id)
})

test('what a publisher writes while a job ends is sent by another job', async () => {
  const [to, neighbour] = [await subscribe(it), await subscribe(it)]
  const [leased, other] = [await mustLease(to), await mustLease(neighbour)]
  const end = await holdRow(to, 'key share')
  await Promise.all([release(leased), release(other)])
  const row = await readRow(to)
  expect(row?.wake_at?.getTime()).toBeLessThanOrEqual(it.clock.now().getTime())
  expect(await readRow(neighbour)).toEqual({ holder: null, wake_at: null })
  const queued = await it.app.db.query(
    `select from pgboss.job where name = 'webhooks.deliver' and (data->>'destinationId')::integer = $1`,
    [to.id],
  )
  expect(queued).toHaveLength(1)
  await end()
  await rename(it, to.company)
  await runDelivery(to)
  expect(to.receiver.arrived).toBe(1)
})

test('a destination that is deleted while others end with it is lost alone', async () => {
  const all = [await subscribe(it), await subscribe(it), await subscribe(it)] as const
  const leased = await Promise.all(all.map((to) => mustLease(to)))
  const [, deleted] = all
  await deleteDestination(it.app, { accountId: deleted.account.id, mode: 'live', id: deleted.id })
  const ends = await Promise.allSettled(leased.map(release))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(ends[1]).toMatchObject({ reason: expect.any(LeaseLost) })
  for (const to of [all[0], all[2]]) expect((await readRow(to))?.holder).toBeNull()
})

test('a worker that dies between the end of its lease and that of its job: the job runs again and sends nothing twice', async () => {
  const to = await subscribe(it)
  await rename(it, to.company)
  const jobId = randomUUID()
  await runDelivery(to, jobId, 1)
  // The job was never completed, so the engine gives it to another worker.
  await runDelivery(to, jobId, 2)
  expect([to.receiver.arrived, await countPending(to), await readRow(to)]).toEqual([
    1,
    0,
    { holder: null, wake_at: null },
  ])
  await rename(it, to.company)
  await Promise.all([runDelivery(to, jobId, 3), runDelivery(to)])
  expect(to.receiver.arrived).toBe(2)
})

class HangingAtPath extends Receiver {
  override take(request: ReceivedRequest): Treatment {
    const treatment = super.take(request)
    return request.path === '/hang' ? { kind: 'hang' } : treatment
  }
}

test('a destination that hangs does not delay or fail others at the same origin', async () => {
  const to = await subscribe(it)
  const receiver = new HangingAtPath()
  it.web.setSite(to.host, { receiver })
  const owner = { accountId: to.account.id, mode: 'live', signalType: 'all' } as const
  const webhookUrl = `https://${to.host}/hang`
  const { destination: hanging } = await registerDestination(it.app, { ...owner, webhookUrl })
  await it.app.db.query('update webhook_destination set last_success_at = now() where id = any ($1)', [
    [to.id, hanging.id],
  ])
  await rename(it, to.company)
  const slow = runDelivery(hanging)
  await receiver.waitFor(1)
  let hangs = true
  const ended = slow.then(() => {
    hangs = false
  })
  await runDelivery(to)
  expect([hangs, await countPending(to)]).toEqual([true, 0])
  await ended
  expect(await countPending(hanging)).toBe(1)
})

test('what is under way when the process closes is not recorded as a failure of the receiver', async () => {
  const to = await subscribe(it, { behaviour: { kind: 'hang' } })
  await rename(it, to.company)
  const { url, keys } = await mustLease(to)
  const { event } = await acceptedAttempt(to)
  const session = openWebhookSession(it.app)
  const sending = attemptDelivery(session, { url, keys, event, at: it.clock.now(), timeoutSeconds: 10 })
  const ended = expect(sending).rejects.toThrow('network')
  await to.receiver.waitFor(1)
  await session.close()
  await ended
})
