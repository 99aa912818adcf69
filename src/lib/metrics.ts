import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** One registry per process, as a process is what Prometheus scrapes. */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

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
  help: 'Time one attempt at a job took, by job and outcome.',
  labelNames: ['job', 'outcome'],
  buckets: LATENCY_BUCKETS_SECONDS,
  registers,
})

export const jobsInQueue = new Gauge({
  name: 'nameplate_jobs',
  help: 'Jobs by queue and state: ready, deferred, active, dead.',
  labelNames: ['job', 'state'],
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

export const rateLimited = new Counter({
  name: 'nameplate_rate_limited_total',
  help: 'Requests refused by a rate limit, by policy.',
  labelNames: ['policy'],
  registers,
})

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
