/** Reads what is left in the database at the end, by destination and signal. */
import type { App } from '../../../src/app.ts'
import { listFeed } from '../../../src/signals/index.ts'
import type { Customer } from './customers.ts'
import { type ChaosDestination, isWanted } from './destinations.ts'

export interface StoredSignal {
  id: string
  type: string
  company: string
  key: string
}

export interface StoredDelivery {
  signalId: string
  state: 'pending' | 'delivered' | 'failed' | 'missed'
  attempts: number
  /** The attempts in the log, by their numbers. */
  logged: number[]
}

export interface Fate {
  destination: ChaosDestination
  /** `active`, or why it is disabled. */
  status: string
  /** The signals that it subscribes to. */
  wanted: StoredSignal[]
  /** By signal. */
  deliveries: Map<string, StoredDelivery>
}

export async function readSignals({ db }: App): Promise<StoredSignal[]> {
  return db.query<StoredSignal>(
    `select 'sig_' || id as id, signal_type as type, company_number as company, dedupe_key as key from signal`,
  )
}

export async function readFates(
  { db }: App,
  destinations: readonly ChaosDestination[],
  signals: readonly StoredSignal[],
): Promise<Fate[]> {
  const rows = await db.query<StoredDelivery & { destination: number }>(
    `select delivery.destination_id as destination, event.body::jsonb #>> '{data,id}' as "signalId", delivery.state,
       delivery.attempts, coalesce(log.numbers, '{}') as logged
     from webhook_delivery as delivery join webhook_event as event on event.id = delivery.event_number
     left join (
       select destination_id, event_number, array_agg(attempt order by attempt) as numbers
       from webhook_attempt group by destination_id, event_number
     ) as log on log.destination_id = delivery.destination_id and log.event_number = delivery.event_number`,
  )
  const statuses = await db.query<{ id: number; status: string }>(
    'select id, coalesce(disabled_reason, status) as status from webhook_destination',
  )
  const byDestination = Map.groupBy(rows, ({ destination }) => destination)
  return destinations.map((destination) => ({
    destination,
    status: statuses.find(({ id }) => id === destination.id)?.status ?? 'lost',
    wanted: signals.filter((signal) => isWanted(destination, signal)),
    deliveries: new Map(byDestination.get(destination.id)?.map((row) => [row.signalId, row])),
  }))
}

const PAGE_SIGNALS = 1_000
const PAGES_MAX = 1_000

/** Reads all of a customer's feed, page by page. */
export async function readFeed({ db }: App, { id }: Customer): Promise<string[]> {
  const read: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const ask = { accountId: id, mode: 'live', limit: PAGE_SIGNALS, offset: 0 } as const
    const found = await listFeed(db, cursor === null ? ask : { ...ask, cursor })
    read.push(...found.signals.map((signal) => signal.id))
    cursor = found.nextCursor
    if (cursor === null) break
  }
  return read
}

export type JobCounts = Awaited<ReturnType<typeof countJobs>>

export async function countJobs({ db, jobs }: App) {
  const queues = (await jobs.listQueues()).filter(({ name }) => name.startsWith('webhooks.'))
  const [counted] = await db.query<{ run: number; interrupted: number }>(
    `select count(*) as run, count(*) filter (where retry_count > 0) as interrupted
     from pgboss.job where name in ('webhooks.deliver', 'webhooks.retry')`,
  )
  return {
    /** Delivery jobs that have not ended. */
    left: queues.reduce((sum, { ready, deferred, active }) => sum + ready + deferred + active, 0),
    dead: queues.reduce((sum, { dead }) => sum + dead, 0),
    run: counted?.run ?? 0,
    /** Begun again because a worker had died over it, or the database. */
    interrupted: counted?.interrupted ?? 0,
  }
}
