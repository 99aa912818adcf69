import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { openLineStream } from '../../lib/web/line-stream.ts'
import { STATEMENT_STREAMS } from '../pscs/psc-streams.ts'
import { applyEvents, parseEvent } from './apply-events.ts'
import {
  advance,
  dropLease,
  holdLease,
  LeaseLost,
  markCurrent,
  readTimepoint,
  recordGap,
  recordLateStart,
} from './position.ts'
import { STREAM_NAMES, type StreamEvent, type StreamName } from './streams.ts'

/** Waits between tries. The register asks for 10 s and more after failures, and a minute after 429. */
export interface FollowTimes {
  retryMs: number
  retryMsMax: number
  refusedMs: number
  leaseRenewMs: number
  silenceMsMax: number
}

export const FOLLOW_TIMES: FollowTimes = {
  retryMs: 10_000,
  retryMsMax: 300_000,
  refusedMs: 60_000,
  leaseRenewMs: 3_000,
  silenceMsMax: 90_000,
}

const BATCH_EVENTS_MAX = 200
const BATCH_WAIT_MS = 50
const LINE_BYTES_MAX = 4 << 20

export interface Follower {
  close(): Promise<void>
}

/**
 * Follows every stream that no other process follows, until closed. `onApplied` is called after each applied batch, so
 * that its queued changes can be processed; `onGap` in the transaction that forgets what a stream kept fresh.
 */
export function startFollowing(
  app: App,
  options: { onApplied?: () => Promise<void>; onGap?: (tx: Tx) => Promise<void>; times?: FollowTimes } = {},
): Follower {
  const times = options.times ?? FOLLOW_TIMES
  const stop = new AbortController()
  const leader = randomBytes(9).toString('base64url')
  const keys = app.config.register.streamKeys
  const streams = listFollowed(keys.length)
  if (streams.length < STREAM_NAMES.length) {
    const left = STREAM_NAMES.filter((name) => !streams.includes(name))
    app.log.error({ event: 'register.too_few_stream_keys', keys: keys.length, not_followed: left })
  }
  const loops = streams.map((stream, index) => {
    // The register allows few connections per key, so the streams are spread over the keys there are.
    const key = keys[index % Math.max(1, keys.length)] ?? ''
    return followStream({
      app,
      stream,
      leader,
      key,
      times,
      signal: stop.signal,
      onApplied: options.onApplied ?? (async () => undefined),
      onGap: options.onGap ?? (async () => undefined),
    })
  })
  return {
    close: async () => {
      stop.abort()
      await Promise.all(loops)
    },
  }
}

const CONNECTIONS_PER_KEY = 2

/**
 * Returns the streams to follow. One connection too many ends another of its key, so statements and exemptions, of which
 * there are few, are left out where the keys are enough for the others alone. Whose keys are fewer was granted more connections.
 */
export function listFollowed(keyCount: number): StreamName[] {
  const others = STREAM_NAMES.filter((name) => !STATEMENT_STREAMS.some((small) => small === name))
  const connections = keyCount * CONNECTIONS_PER_KEY
  return connections >= others.length && connections < STREAM_NAMES.length ? others : STREAM_NAMES
}

interface Following {
  app: App
  stream: StreamName
  leader: string
  key: string
  times: FollowTimes
  signal: AbortSignal
  onApplied: () => Promise<void>
  onGap: (tx: Tx) => Promise<void>
}

async function followStream(following: Following): Promise<void> {
  const { app, stream, leader, times, signal } = following
  let failures = 0
  while (!signal.aborted) {
    let pauseMs = times.leaseRenewMs
    try {
      if (await holdLease(app.db, stream, leader)) {
        const outcome = await followOnce(following)
        failures = outcome === 'ended' ? 0 : failures + 1
        pauseMs = pauseAfter(outcome, failures, times)
      }
    } catch (error) {
      if (!signal.aborted) {
        failures += 1
        pauseMs = pauseAfter('failed', failures, times)
        app.log.warn({ event: 'register.stream_failed', stream, failures, error })
      }
    }
    await sleep(pauseMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => undefined)
  }
  await dropLease(app.db, stream, leader).catch(() => undefined)
}

type Outcome = 'ended' | 'refused' | 'failed' | 'gone'

function pauseAfter(outcome: Outcome, failures: number, times: FollowTimes): number {
  if (outcome === 'gone') return 0
  if (outcome === 'refused') return Math.min(times.refusedMs * 2 ** Math.min(failures - 1, 10), times.retryMsMax)
  if (outcome === 'ended') return times.retryMs / 10
  return Math.min(times.retryMs * 2 ** Math.min(failures - 1, 10), times.retryMsMax)
}

/** Reads one connection, from the stored timepoint to its end. */
async function followOnce(following: Following): Promise<Outcome> {
  const { app, stream, leader, times, signal } = following
  const lease = new AbortController()
  let renewing: Promise<void> | undefined
  const renewal = setInterval(() => {
    renewing ??= holdLease(app.db, stream, leader)
      .then(
        (held) => void (held || lease.abort(new LeaseLost(stream))),
        () => undefined,
      )
      .finally(() => (renewing = undefined))
  }, times.leaseRenewMs)
  try {
    const timepoint = await readTimepoint(app.db, stream)
    if (timepoint === null) await recordLateStart(app.db, stream, leader, app.clock.now())
    const opened = await open(following, timepoint, AbortSignal.any([signal, lease.signal]))
    if (opened.kind === 'refused') return await afterRefusal(following, opened.status, timepoint)
    await readBatches(following, opened.lines, timepoint)
    return 'ended'
  } finally {
    clearInterval(renewal)
    // One that is under way would take the lease again after it was given up.
    await renewing
  }
}

async function open({ app, stream, key, times }: Following, timepoint: number | null, signal: AbortSignal) {
  const url = new URL(`/${stream}`, app.config.register.streamUrl)
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
  const options = { headers, silenceMsMax: times.silenceMsMax, lineBytesMax: LINE_BYTES_MAX, signal }
  if (timepoint === null) return openLineStream(url, options)
  url.searchParams.set('timepoint', String(timepoint + 1))
  const next = await openLineStream(url, options)
  if (next.kind === 'open' || next.status !== 416) return next
  // The register sends 416 also when there is no newer event; then the last event itself is still there.
  url.searchParams.set('timepoint', String(timepoint))
  return openLineStream(url, options)
}

async function afterRefusal(
  { app, stream, leader, onGap }: Following,
  status: number,
  timepoint: number | null,
): Promise<Outcome> {
  if (status === 416 && timepoint !== null) {
    const at = app.clock.now()
    app.log.error({
      event: 'register.stream_gap',
      stream,
      timepoint,
      what: 'events were missed; the next snapshot closes the gap',
    })
    await app.db.transaction(async (tx) => {
      await recordGap(tx, { stream, leader, at })
      await onGap(tx)
    })
    return 'gone'
  }
  app.log.warn({ event: 'register.stream_refused', stream, status })
  return status === 429 || status === 403 ? 'refused' : 'failed'
}

/** Gathers what arrives together, so that a busy stream costs one transaction for many events. */
async function readBatches(
  following: Following,
  lines: AsyncGenerator<string>,
  timepoint: number | null,
): Promise<void> {
  const { app, stream, leader } = following
  let last = timepoint ?? 0
  let batch: StreamEvent[] = []
  // A connection may break while a batch is being applied; the error is met when the line is awaited.
  const pull = () => {
    const line = lines.next()
    line.catch(() => undefined)
    return line
  }
  let next = pull()
  const flush = async () => {
    if (batch.length === 0) return
    const events = batch
    batch = []
    await applyBatch(following, events)
    last = events.at(-1)?.timepoint ?? last
  }
  try {
    for (;;) {
      const waited = batch.length > 0 ? await Promise.race([next, sleep(BATCH_WAIT_MS, 'flush' as const)]) : await next
      if (waited === 'flush') {
        await flush()
        continue
      }
      if (waited.done) return
      next = pull()
      if (waited.value === '') {
        await flush()
        await markCurrent(app.db, stream, leader, app.clock.now())
        continue
      }
      const event = parseEvent(waited.value)
      if (!event) app.log.warn({ event: 'register.event_unreadable', stream, start: waited.value.slice(0, 120) })
      // Replay and live overlap, and events are repeated: what we have is skipped by its timepoint.
      else if (event.timepoint > Math.max(last, batch.at(-1)?.timepoint ?? 0)) batch.push(event)
      if (batch.length >= BATCH_EVENTS_MAX) await flush()
    }
  } finally {
    await flush()
  }
}

async function applyBatch(
  { app, stream, leader, onApplied }: Following,
  events: readonly StreamEvent[],
): Promise<void> {
  const newest = events.at(-1)
  if (!newest) return
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await applyEvents(tx, stream, events, at)
    const currentUntil = newest.publishedAt < at ? newest.publishedAt : at
    await advance(tx, { stream, leader, timepoint: newest.timepoint, lastEventAt: newest.publishedAt, currentUntil })
  })
  app.log.info({ event: 'register.events_applied', stream, events: events.length, timepoint: newest.timepoint })
  await onApplied()
}
