/**
 * Reads the sites of domains that are due on a list. A reading that claims a company, or whose domain has an answer or a claim, is
 * stored as an answer, because all claims are compared; any other is kept beside the answers. Either way it is stored in
 * the transaction that ends the domain's lease.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { isPassingFailure } from '../../lib/db/failures.ts'
import type { JobSlots } from '../../lib/jobs/job-worker.ts'
import { resolutions } from '../../lib/metrics.ts'
import { type Resolution, resolveDomain, wasBusy } from '../../resolver/index.ts'
import { openSecondReader } from '../../second-reader/index.ts'
import { expiryOf } from '../answers/known.ts'
import { storeAnswer } from '../worker/answer-domain.ts'
import { putReading } from '../worker/sweep-reading.ts'
import { lockWork, READING, RETRIES_MAX, removeWork } from '../worker/work.ts'
import { endRead, GIVEN_UP, type LeasedDomain, leaseDue, putOff, type ReadResult } from './due-domains.ts'

/** Fewer than the slots, which requests share: some stay free for them. */
const CONCURRENCY = 28
/** Longer than a crawl and its answer take. */
const LEASE_SECONDS = 90
const ATTEMPTS_MAX = 1 + RETRIES_MAX
/** Doubles with each attempt. */
const RETRY_SECONDS = 5
/** A customer's work on the domain, a busy address or a database that is away passes within this. */
const PUT_OFF_SECONDS = 120
/** Sites of one address that wait for its pace come back apart from each other. */
const SPREAD_SECONDS = 240
/** Between two looks for domains: short while there are some. */
const PAUSE_MS = { min: 25, max: 2_000 }

/** Reads what is due on the lists until it is stopped. */
export class SweepReader {
  readonly #app: App
  readonly #slots: JobSlots
  readonly #live = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #aborted = new AbortController()
  readonly #loop: Promise<void>

  /** `slots` are those that requests for answers use as well. */
  constructor(app: App, slots: JobSlots) {
    this.#app = app
    this.#slots = slots
    this.#loop = this.#run()
  }

  /** Leases no more domains; returns when all that are being read have ended or `graceMs` is over. The leases of the others end by themselves. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await Promise.race([Promise.all(this.#live), sleep(graceMs, undefined, { ref: false })])
    this.#aborted.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let pauseMs = PAUSE_MS.min
    while (!signal.aborted) {
      const free = this.#slots.take(READING, CONCURRENCY, CONCURRENCY)
      const leased = free > 0 ? await this.#lease(free) : []
      this.#slots.giveBack(READING, free - leased.length)
      for (const due of leased) this.#start(due)
      pauseMs = free > 0 && leased.length === 0 ? Math.min(pauseMs * 2, PAUSE_MS.max) : PAUSE_MS.min
      await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
  }

  async #lease(count: number): Promise<LeasedDomain[]> {
    const at = this.#app.clock.now()
    try {
      return await leaseDue(this.#app.db, { count, until: addSeconds(at, LEASE_SECONDS), at })
    } catch (error) {
      this.#app.log.warn({ event: 'sweep.lease_failed', error })
      return []
    }
  }

  #start(due: LeasedDomain): void {
    const reading = this.#read(due).finally(() => {
      this.#live.delete(reading)
      this.#slots.giveBack(READING, 1)
    })
    this.#live.add(reading)
  }

  async #read(due: LeasedDomain): Promise<void> {
    try {
      const outcome = await readDue(this.#app, due, this.#aborted.signal)
      if (outcome !== null) resolutions.inc({ kind: 'domain', outcome })
    } catch (error) {
      // The lease ends by itself.
      this.#app.log.warn({ event: 'sweep.reading_lost', domain: due.domain, error })
    }
  }
}

/** Returns the outcome; null where the domain was put off. */
async function readDue(app: App, due: LeasedDomain, signal: AbortSignal): Promise<string | null> {
  if (due.answer) {
    await endRead(app.db, due, due.answer)
    return null
  }
  if (due.isWanted) return putOffFor(app, due, PUT_OFF_SECONDS)
  if (due.attempt > ATTEMPTS_MAX) return giveUp(app, due, new Error('every worker that read this site died'))
  try {
    return await readSite(app, due, signal)
  } catch (error) {
    if (signal.aborted) throw error
    // The site is not to blame for a database that is away.
    if (isPassingFailure(error)) return putOffFor(app, due, PUT_OFF_SECONDS)
    if (due.attempt >= ATTEMPTS_MAX) return giveUp(app, due, error)
    const dueAt = addSeconds(app.clock.now(), RETRY_SECONDS * 2 ** (due.attempt - 1))
    await putOff(app.db, due, { dueAt, attempts: due.attempt })
    return null
  }
}

async function putOffFor(app: App, due: LeasedDomain, seconds: number): Promise<null> {
  await putOff(app.db, due, { dueAt: addSeconds(app.clock.now(), seconds), attempts: 0 })
  return null
}

async function giveUp(app: App, due: LeasedDomain, error: unknown): Promise<string> {
  app.log.error({ event: 'sweep.given_up', domain: due.domain, error })
  await endRead(app.db, due, { outcome: GIVEN_UP, readAt: app.clock.now(), freshUntil: null })
  return GIVEN_UP
}

async function readSite(app: App, due: LeasedDomain, signal: AbortSignal): Promise<string | null> {
  const secondReader = app.config.secondReader === null ? null : await openSecondReader(app)
  const reading = await resolveDomain({ ...app, secondReader }, due.domain)
  if (wasBusy(reading.crawl)) return putOffFor(app, due, PUT_OFF_SECONDS + Math.random() * SPREAD_SECONDS)
  signal.throwIfAborted()
  const outcome = await app.db.transaction((tx) => store(app, tx, due, reading))
  return outcome ?? putOffFor(app, due, PUT_OFF_SECONDS)
}

/** Stores a reading and ends the lease. Null while a customer's work on the domain is open, which has its own answer soon. */
async function store(app: App, tx: Tx, due: LeasedDomain, reading: Resolution): Promise<string | null> {
  // The rules may claim a company that the second reader objects to.
  const isAnswer = due.isKnown || reading.company !== null || (reading.ruled?.company ?? null) !== null
  if (!isAnswer) await putReading(tx, reading)
  const stored = isAnswer ? await storeAsAnswer(app, tx, due, reading) : toResult(reading)
  if (stored === null) return null
  if (!(await endRead(tx, due, stored))) throw new Error(`the lease of ${due.domain} was over`)
  return stored.outcome
}

async function storeAsAnswer(
  app: App,
  tx: Tx,
  { leasedAt }: LeasedDomain,
  reading: Resolution,
): Promise<ReadResult | null> {
  const work = { kind: 'domain', subject: reading.domain } as const
  // No request and no other run can begin or end work on the domain until this transaction ends.
  const before = await lockWork(tx, { ...work, isBackground: true, at: app.clock.now() })
  if (before !== 'none') return null
  // A customer's work may have ended while the site was read.
  const [other] = await tx.query<ReadResult>(
    `select outcome, resolved_at as "readAt", expires_at as "freshUntil" from known_domain
     where domain = $1 and resolved_at >= $2`,
    [reading.domain, leasedAt],
  )
  const stored = other ?? toResult({ ...reading, ...(await storeAnswer(app, tx, reading)) })
  await removeWork(tx, work)
  return stored
}

const toResult = (reading: Pick<Resolution, 'outcome' | 'resolvedAt' | 'isSecondReaderDue'>): ReadResult => ({
  outcome: reading.outcome,
  readAt: reading.resolvedAt,
  freshUntil: expiryOf(reading),
})
