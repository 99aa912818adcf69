import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** One registry per process, as a process is what Prometheus scrapes. */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

// A label is never called `job` or `instance`: Prometheus gives every series its own of these names.
const registers = [metrics]
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name, help, labelNames, registers })
const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name, help, labelNames, registers })
/** For times in seconds. */
const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Histogram({ name, help, labelNames, buckets, registers })

export const requestSeconds = histogram(
  'nameplate_http_request_seconds',
  'Time to answer a request, by route and status.',
  ['method', 'route', 'status'],
)

export const jobSeconds = histogram('nameplate_job_seconds', 'Time one attempt at a job took, by queue and outcome.', [
  'queue',
  'outcome',
])

export const jobsInQueue = gauge('nameplate_jobs', 'Jobs by queue and state: ready, deferred, active, dead.', [
  'queue',
  'state',
])

export const jobsOldestSeconds = gauge(
  'nameplate_jobs_oldest_seconds',
  'How long the oldest job of a queue that could run has waited; 0 when none waits.',
  ['queue'],
)

export const resolutions = counter(
  'nameplate_resolutions_total',
  'Work that was ended, by kind (domain, company) and outcome; given_up when every attempt failed.',
  ['kind', 'outcome'],
)

export const secondReaderCalls = counter(
  'nameplate_second_reader_calls_total',
  'Questions to the second reader, by task and result: answered, repeated (known from before), failed, unreadable, paused, busy, over_budget.',
  ['task', 'result'],
)

export const secondReaderSeconds = histogram(
  'nameplate_second_reader_seconds',
  'Time one question to the second reader took with all attempts, by task.',
  ['task'],
)

export const secondReaderAnswers = counter(
  'nameplate_second_reader_answers_total',
  'Answers of the second reader, by task and what became of them: match, confirm, object, or why they were not used.',
  ['task', 'result'],
)

export const secondReaderTokens = counter(
  'nameplate_second_reader_tokens_total',
  'Tokens that the second reader counted, by direction: input, output.',
  ['direction'],
)

export const secondReaderSpent = counter(
  'nameplate_second_reader_spent_total',
  'What the second reader has cost by its prices, in their currency.',
  [],
)

export const unknownCodes = counter(
  'nameplate_unknown_codes_total',
  'Codes of the register that no list has in words, by list, each time one was shown.',
  ['list'],
)

export const creditsMoved = counter(
  'nameplate_credits_total',
  'Credits moved, by kind of ledger entry. Transactions that roll back count too: the ledger has the exact sums.',
  ['kind'],
)

export const holdsOverdue = gauge(
  'nameplate_credit_holds_overdue',
  'Holds that are past their end and not yet given back; the sweep does that every minute.',
)

export const databaseConnections = gauge(
  'nameplate_database_connections',
  'Connections of this process: busy, idle, and max, which it may open.',
  ['state'],
)

export const databaseWaiting = gauge(
  'nameplate_database_waiting',
  'Queries of this process that wait for a connection.',
)

export const registerLagSeconds = gauge(
  'nameplate_register_lag_seconds',
  'How far each stream is behind the register at most; -1 while it was never followed. Alert above 900.',
  ['stream'],
)

export const registerGap = gauge('nameplate_register_gap', '1 while events of a stream are known to be missing.', [
  'stream',
])

export const registerSnapshotAgeSeconds = gauge(
  'nameplate_register_snapshot_age_seconds',
  'Since the newest snapshot was loaded; -1 while there is none.',
)

export const registerFileAgeSeconds = gauge(
  'nameplate_register_file_age_seconds',
  'Since the end of the day of the newest file: owners, or figures of accounts. -1 while none was loaded.',
  ['file'],
)

export const registerRestRequests = gauge(
  'nameplate_register_rest_requests',
  'Requests to the REST API of the register in five minutes: limit of the key, and left of it.',
  ['state'],
)

export const rateLimited = counter('nameplate_rate_limited_total', 'Requests refused by a rate limit, by policy.', [
  'policy',
])

/** Events of which many in a short while may be an attack. */
const SECURITY_EVENTS = ['sign_in_failed', 'credential_refused', 'address_blocked'] as const

const securityEvents = counter(
  'nameplate_security_events_total',
  'Wrong passwords, keys and tokens that were refused, and addresses that the guard did not let us call, by kind.',
  ['kind'],
)
// Known from the start: a first event is seen as a rise only after a zero.
for (const kind of SECURITY_EVENTS) securityEvents.inc({ kind }, 0)

export function countSecurityEvent(kind: (typeof SECURITY_EVENTS)[number]): void {
  securityEvents.inc({ kind })
}

export const evidenceStampsLate = gauge(
  'nameplate_evidence_stamps_late',
  'Evidence records and anchors of audit logs without a time stamp after an hour; 0 without an authority.',
)

export const auditAnchorAgeSeconds = gauge(
  'nameplate_audit_anchor_age_seconds',
  'Since the daily job anchored the audit logs; -1 while it never did.',
)

export const evidenceKeysUnpublished = gauge(
  'nameplate_evidence_keys_unpublished',
  'Keys and certificates of evidence that no sealing key opens, and that are therefore not published.',
)

export const pageStoreFailures = counter(
  'nameplate_page_store_failures_total',
  'Times the folder or bucket of kept pages did not answer or refused.',
  [],
)

export const webhookSeconds = histogram(
  'nameplate_webhook_seconds',
  'Time one attempt at a delivery took, by what it came to.',
  ['verdict'],
)

export const webhooksDue = gauge(
  'nameplate_webhooks_due',
  'Deliveries that should have been made by now, those of paused destinations included.',
)

export const webhookDestinationsDisabled = gauge(
  'nameplate_webhook_destinations_disabled',
  'Destinations that were given up on and that their owners have not enabled again.',
)
