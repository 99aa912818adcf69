import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** One registry per process, as a process is what Prometheus scrapes. */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

// A label is never called `job` or `instance`: Prometheus gives every series its own of these names.
const registers = [metrics]
const LATENCY_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const requestSeconds = new Histogram({
  name: 'nameplate_http_request_seconds',
  help: 'Time to answer a request, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: LATENCY_BUCKETS_SECONDS,
  registers,
})

export const jobSeconds = new Histogram({
  name: 'nameplate_job_seconds',
  help: 'Time one attempt at a job took, by queue and outcome.',
  labelNames: ['queue', 'outcome'],
  buckets: LATENCY_BUCKETS_SECONDS,
  registers,
})

export const jobsInQueue = new Gauge({
  name: 'nameplate_jobs',
  help: 'Jobs by queue and state: ready, deferred, active, dead.',
  labelNames: ['queue', 'state'],
  registers,
})

export const jobsOldestSeconds = new Gauge({
  name: 'nameplate_jobs_oldest_seconds',
  help: 'How long the oldest job of a queue that could run has waited; 0 when none waits.',
  labelNames: ['queue'],
  registers,
})

export const resolutions = new Counter({
  name: 'nameplate_resolutions_total',
  help: 'Work that was ended, by kind (domain, company) and outcome; given_up when every attempt failed.',
  labelNames: ['kind', 'outcome'],
  registers,
})

export const creditsMoved = new Counter({
  name: 'nameplate_credits_total',
  help: 'Credits moved, by kind of ledger entry. Transactions that roll back count too: the ledger has the exact sums.',
  labelNames: ['kind'],
  registers,
})

export const holdsOverdue = new Gauge({
  name: 'nameplate_credit_holds_overdue',
  help: 'Holds that are past their end and not yet given back; the sweep does that every minute.',
  registers,
})

export const databaseConnections = new Gauge({
  name: 'nameplate_database_connections',
  help: 'Connections of this process: busy, idle, and max, which it may open.',
  labelNames: ['state'],
  registers,
})

export const databaseWaiting = new Gauge({
  name: 'nameplate_database_waiting',
  help: 'Queries of this process that wait for a connection.',
  registers,
})

export const registerLagSeconds = new Gauge({
  name: 'nameplate_register_lag_seconds',
  help: 'How far each stream is behind the register at most; -1 while it was never followed. Alert above 900.',
  labelNames: ['stream'],
  registers,
})

export const registerGap = new Gauge({
  name: 'nameplate_register_gap',
  help: '1 while events of a stream are known to be missing.',
  labelNames: ['stream'],
  registers,
})

export const registerSnapshotAgeSeconds = new Gauge({
  name: 'nameplate_register_snapshot_age_seconds',
  help: 'Since the newest snapshot was loaded; -1 while there is none.',
  registers,
})

export const registerRestRequests = new Gauge({
  name: 'nameplate_register_rest_requests',
  help: 'Requests to the REST API of the register in five minutes: limit of the key, and left of it.',
  labelNames: ['state'],
  registers,
})

export const rateLimited = new Counter({
  name: 'nameplate_rate_limited_total',
  help: 'Requests refused by a rate limit, by policy.',
  labelNames: ['policy'],
  registers,
})

/** Events of which many in a short while may be an attack. */
const SECURITY_EVENTS = ['sign_in_failed', 'credential_refused', 'address_blocked'] as const

const securityEvents = new Counter({
  name: 'nameplate_security_events_total',
  help: 'Wrong passwords, keys and tokens that were refused, and addresses that the guard did not let us call, by kind.',
  labelNames: ['kind'],
  registers,
})
// Known from the start: a first event is seen as a rise only after a zero.
for (const kind of SECURITY_EVENTS) securityEvents.inc({ kind }, 0)

export function countSecurityEvent(kind: (typeof SECURITY_EVENTS)[number]): void {
  securityEvents.inc({ kind })
}

export const webhookSeconds = new Histogram({
  name: 'nameplate_webhook_seconds',
  help: 'Time one attempt at a delivery took, by what it came to.',
  labelNames: ['verdict'],
  buckets: LATENCY_BUCKETS_SECONDS,
  registers,
})

export const webhooksDue = new Gauge({
  name: 'nameplate_webhooks_due',
  help: 'Deliveries that should have been made by now, those of paused destinations included.',
  registers,
})

export const webhookDestinationsDisabled = new Gauge({
  name: 'nameplate_webhook_destinations_disabled',
  help: 'Destinations that were given up on and that their owners have not enabled again.',
  registers,
})
