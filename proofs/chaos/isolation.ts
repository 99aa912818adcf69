/**
 * How long a signal takes to its first attempt at receivers that are well: alone, and beside 200 that take every delivery
 * and never respond. Both alternate, on one database, by one worker, with the timeout of production.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OutsideStage, openOutsideStage, type Stage } from '../../rig/stage.ts'
import { quantile } from '../../rig/statistics.ts'
import { until } from '../../rig/until.ts'
import { Receiver, type ReceiverBehaviour } from '../../rig/web/index.ts'
import { deleteDestination, registerDestination } from '../../src/webhooks/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type Customer, openCustomers, type WatchedCompany } from './deliveries/customers.ts'
import { newSignal, raiseSurely } from './deliveries/raising.ts'

const FULL = { seconds: 30, rounds: 2, p95MsMax: 2_000, ratioMax: 1.5 }
/** Ten seconds beside other work say little about a ratio. A delivery that waits for one that hangs waits 15 s: that shows. */
const SHORT = { seconds: 10, rounds: 1, p95MsMax: 6_000, ratioMax: Number.POSITIVE_INFINITY }
const HEALTHY_CUSTOMERS = 5
const HANGING_CUSTOMERS = 20
const DESTINATIONS_EACH = 10
const SIGNALS_PER_SECOND = 10
const WARM_UP_SECONDS = 4
const WAIT_MS_MAX = 60_000

export const chaosIsolation: NamedRun = {
  about: 'signals delivered beside 200 receivers that hang: those that are well do not wait',
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const { seconds, rounds, ...bounds } = options.short ? SHORT : FULL
  await using stage = await openOutsideStage()
  const world = await openWorld(stage)
  await using _worker = await stage.start('work')
  await warmUp(stage, world)
  const taken = { alone: [] as number[], beside: [] as number[] }
  let held = 0
  for (let round = 1; round <= rounds; round += 1) {
    const alone = await measure(stage, world, { companies: world.alone, seconds })
    options.say(`round ${round}, alone: ${describe(alone)}`)
    const hanging = await openDestinations(stage, world.hangingCustomers, { kind: 'hang' })
    const beside = await measure(stage, world, { companies: world.beside, seconds })
    held = hanging.filter(({ receiver }) => receiver.arrived > 0).length
    options.say(`round ${round}, beside ${held} that hang: ${describe(beside)}`)
    taken.alone.push(...alone)
    taken.beside.push(...beside)
    if (round < rounds) await closeDestinations(stage, hanging)
  }
  return summarise(taken, held, bounds)
}

interface World {
  hangingCustomers: Customer[]
  healthy: OpenedDestination[]
  /** Each watched by one of the healthy customers. */
  alone: WatchedCompany[]
  /** Each watched by all of the hanging customers as well. */
  beside: WatchedCompany[]
}

async function openWorld(stage: OutsideStage): Promise<World> {
  const { customers, companies } = await openCustomers(stage.app, {
    customers: HEALTHY_CUSTOMERS + HANGING_CUSTOMERS,
    companies: 2 * HEALTHY_CUSTOMERS,
    isWatched: (customer, company) =>
      customer < HEALTHY_CUSTOMERS ? company % HEALTHY_CUSTOMERS === customer : company >= HEALTHY_CUSTOMERS,
  })
  return {
    hangingCustomers: customers.slice(HEALTHY_CUSTOMERS),
    healthy: await openDestinations(stage, customers.slice(0, HEALTHY_CUSTOMERS), { kind: 'ok' }),
    alone: companies.slice(0, HEALTHY_CUSTOMERS),
    beside: companies.slice(HEALTHY_CUSTOMERS),
  }
}

interface OpenedDestination {
  id: number
  accountId: string
  receiver: Receiver
}

let hosts = 0

async function openDestinations(
  { app, web }: OutsideStage,
  customers: readonly Customer[],
  behaviour: ReceiverBehaviour,
): Promise<OpenedDestination[]> {
  const opened: OpenedDestination[] = []
  for (const { id: accountId } of customers) {
    for (let count = 0; count < DESTINATIONS_EACH; count += 1) {
      hosts += 1
      const receiver = new Receiver(behaviour, { keepMax: 10 })
      web.setSite(`hooks-${hosts}.co.uk`, { receiver })
      const webhookUrl = `https://hooks-${hosts}.co.uk/in`
      const subscription = { accountId, mode: 'live', webhookUrl, signalType: 'all' } as const
      opened.push({ id: (await registerDestination(app, subscription)).destination.id, accountId, receiver })
      await greet(app, webhookUrl)
    }
  }
  return opened
}

/** A simulated host makes its certificate when it is first called: that shall not be measured. */
async function greet({ web }: Stage['app'], url: string): Promise<void> {
  const session = web.openSession()
  const bounds = { timeoutMs: 5_000, bodyBytesMax: 10_000, whenTooLarge: 'cut' } as const
  try {
    await session.send(new URL('/', url), bounds)
  } finally {
    await session.close()
  }
}

/** Deletes them and waits for what is still under way, so that the next measurement begins with nothing. */
async function closeDestinations({ app }: Stage, destinations: readonly OpenedDestination[]): Promise<void> {
  for (const { id, accountId } of destinations) await deleteDestination(app, { id, accountId, mode: 'live' })
  const isIdle = async () => {
    const queues = await app.jobs.listQueues()
    return queues.filter(({ name }) => name.startsWith('webhooks.')).every(({ active }) => active === 0)
  }
  await until(isIdle, 'deliveries to deleted destinations did not end', { timeoutMs: WAIT_MS_MAX, everyMs: 200 })
}

/** In production tables are neither empty nor new: the planner knows what is in them. */
async function warmUp(stage: OutsideStage, world: World): Promise<void> {
  await measure(stage, world, { companies: world.beside, seconds: WARM_UP_SECONDS })
  await stage.app.db.query('analyze')
}

let signals = 0

/** Returns how long each first attempt at a healthy destination took from its signal, in milliseconds. */
async function measure(
  { app }: Stage,
  { healthy }: World,
  { companies, seconds }: { companies: readonly WatchedCompany[]; seconds: number },
): Promise<number[]> {
  const [last] = await app.db.query<{ id: number }>('select coalesce(max(id), 0) as id from webhook_event')
  const begunAt = Date.now()
  const count = seconds * SIGNALS_PER_SECOND
  for (let sent = 0; sent < count; sent += 1) {
    await sleep(Math.max(0, begunAt + (sent * 1_000) / SIGNALS_PER_SECOND - Date.now()))
    signals += 1
    await raiseSurely(app, [newSignal(companies[sent % companies.length] as WatchedCompany, signals)])
  }
  let taken: number[] = []
  const areAllSent = async () => {
    const rows = await app.db.query<{ ms: number }>(
      `select extract(epoch from attempt.started_at - event.created_at)::double precision * 1000 as ms
       from webhook_attempt as attempt join webhook_event as event on event.id = attempt.event_number
       where attempt.destination_id = any ($1) and event.id > $2 and attempt.attempt = 1`,
      [healthy.map(({ id }) => id), last?.id ?? 0],
    )
    taken = rows.map(({ ms }) => ms)
    return taken.length >= count * DESTINATIONS_EACH
  }
  const patience = { timeoutMs: WAIT_MS_MAX, everyMs: 200 }
  await until(areAllSent, 'not every event was sent to those that are well', patience)
  return taken
}

interface Bounds {
  p95MsMax: number
  ratioMax: number
}

function summarise(taken: { alone: number[]; beside: number[] }, hanging: number, bounds: Bounds): RunReport {
  const [alone, beside] = [Math.round(quantile(taken.alone, 0.95)), Math.round(quantile(taken.beside, 0.95))]
  return {
    attempts_alone: taken.alone.length,
    attempts_beside: taken.beside.length,
    hanging,
    alone_p50_ms: Math.round(quantile(taken.alone, 0.5)),
    alone_p95_ms: alone,
    beside_p50_ms: Math.round(quantile(taken.beside, 0.5)),
    beside_p95_ms: beside,
    ratio: Number((beside / alone).toFixed(2)),
    ok:
      beside <= bounds.p95MsMax &&
      beside / alone <= bounds.ratioMax &&
      hanging === HANGING_CUSTOMERS * DESTINATIONS_EACH,
  }
}

function describe(ms: readonly number[]): string {
  return `${ms.length} first attempts, p50 ${Math.round(quantile(ms, 0.5))} ms, p95 ${Math.round(quantile(ms, 0.95))} ms`
}
