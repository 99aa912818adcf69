/** The work on a subject: one row for all who ask, leased to one worker at a time. */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { JobLost, type JobRun } from '../../lib/jobs/jobs.ts'
import { resolutions } from '../../lib/metrics.ts'
import type { DomainWatcher } from '../../resolver/index.ts'
import type { Subject } from '../money/payments.ts'
import { markStatus, type StoredProgress } from '../request/job-store.ts'
import { failWaiting, settleWaiting, type WorkResult } from './settle.ts'

/** The job that searches for a company's site; `websites` defines it. */
export const FIND_WEBSITE = 'resolution.find_website'

/** A single request comes first, then rows of bulk jobs, then background work. */
export const PRIORITY = { wanted: 10, bulk: 5, background: 0 }

export const RETRIES_MAX = 3

/** The slots for sites that a process reads at once: jobs and lists share them. */
export const READING = 'reading'
/** Work that took so many workers with it takes no other. */
const DEATHS_MAX = 2

/**
 * Does the work on a subject once and gives the result to all jobs that wait for it. `find` may take long; the function it
 * returns stores the result in the transaction that ends the work.
 */
export async function runWork(
  app: App,
  work: Subject,
  run: JobRun,
  leaseSeconds: number,
  find: (leased: Pick<LeasedWork, 'isBackground' | 'readAfter'>) => Promise<(tx: Tx) => Promise<WorkResult>>,
): Promise<void> {
  const { kind, subject } = work
  // Done already, or another run has the lease and will serve all who wait.
  const lease = { kind, subject, jobId: run.id, seconds: leaseSeconds, at: app.clock.now() }
  const leased = await leaseWork(app.db, lease)
  if (!leased) return
  if (leased.deaths >= DEATHS_MAX) {
    return giveUp(app, work, run, new Error(`${leased.deaths} workers died over this work`))
  }
  await markStatus(app.db, work, 'processing')
  try {
    const store = await find(leased)
    // A process that stops has cut its own connections, so a failure then is not the site's.
    run.signal.throwIfAborted()
    const outcome = await app.db.transaction(async (tx) => {
      const result = await store(tx)
      await removeWork(tx, work)
      await settleWaiting(app, tx, { kind, subject, ...result, at: app.clock.now() })
      await run.finish(tx)
      return result.outcome
    })
    resolutions.inc({ kind, outcome })
  } catch (error) {
    if (error instanceof JobLost) throw error
    await giveBack(app, work, run, error)
  }
}

/** Returns the work for another run, or gives up after the last: then the error is in the log and not in the queue. */
async function giveBack(app: App, work: Subject, run: JobRun, error: unknown): Promise<void> {
  const { kind, subject } = work
  if (run.attempt <= RETRIES_MAX) {
    await markStatus(app.db, work, 'pending')
    await releaseLease(app.db, { kind, subject, jobId: run.id })
    throw error
  }
  await giveUp(app, work, run, error)
}

/** Fails the waiting jobs, free of charge. No answer is stored: the subject may not have been the cause. */
async function giveUp(app: App, work: Subject, run: JobRun, error: unknown): Promise<void> {
  const { kind, subject } = work
  app.log.error({ event: 'resolution.given_up', kind, subject, error })
  await app.db.transaction(async (tx) => {
    await removeWork(tx, work)
    await failWaiting(app, tx, { kind, subject, at: app.clock.now() })
    await run.finish(tx)
  })
  resolutions.inc({ kind, outcome: 'given_up' })
}

/** Gives up one subject per transaction: one that has locked the balances of many accounts must not wait for more. */
export async function giveUpOverdue(app: App, at: Date): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const work = await lockOverdueWork(tx, at)
    if (work === null) return false
    await removeWork(tx, work)
    await failWaiting(app, tx, { ...work, at })
    return true
  })
}

/** For all runs on a subject together; past it the askers get their credits back. */
export const DEADLINE_SECONDS = 15 * 60

/** The work on a subject before this request. */
type WorkBefore = 'none' | 'background' | 'wanted'

interface NewWork extends Subject {
  isBackground: boolean
  /** The oldest answer that the caller accepts; null where any that is fresh will do. */
  readAfter?: Date | null
  at: Date
}

/**
 * Makes sure that there is work for the subject, and locks its row until the transaction ends: no worker can finish it
 * between the lookup and the request.
 */
export async function lockWork(tx: Tx, work: NewWork): Promise<WorkBefore> {
  const deadline = addSeconds(work.at, DEADLINE_SECONDS)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const inserted = await tx.query(
      `insert into resolution_work (kind, subject, queued_at, deadline_at, is_background, read_after)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (kind, subject) do nothing returning subject`,
      [work.kind, work.subject, work.at, deadline, work.isBackground, work.readAfter ?? null],
    )
    if (inserted.length > 0) return 'none'
    const [row] = await tx.query<{ is_background: boolean }>(
      'select is_background from resolution_work where kind = $1 and subject = $2 for update',
      [work.kind, work.subject],
    )
    // Finished between the two statements: the row is free now.
    if (row) return overtake(tx, { ...work, deadline }, row.is_background)
  }
  throw new Error(`the work on ${work.subject} ends faster than it can be joined`)
}

const ROUNDS_MAX = 5

async function overtake(tx: Tx, work: NewWork & { deadline: Date }, wasBackground: boolean): Promise<WorkBefore> {
  if (work.readAfter) {
    await tx.query(
      'update resolution_work set read_after = greatest(read_after, $3) where kind = $1 and subject = $2',
      [work.kind, work.subject, work.readAfter],
    )
  }
  if (!wasBackground) return 'wanted'
  if (!work.isBackground) {
    await tx.query(
      'update resolution_work set is_background = false, deadline_at = $3 where kind = $1 and subject = $2',
      [work.kind, work.subject, work.deadline],
    )
  }
  return 'background'
}

/** `deaths` counts earlier leases that were never returned: their workers died. */
interface LeasedWork {
  isBackground: boolean
  /** No answer that is older satisfies all who wait; null where any that is fresh does. */
  readAfter: Date | null
  deaths: number
}

/** Leases the work to one job for so many seconds; null when another has it. */
async function leaseWork(
  db: Db,
  { kind, subject, jobId, seconds, at }: Subject & { jobId: string; seconds: number; at: Date },
): Promise<LeasedWork | null> {
  const [row] = await db.query<LeasedWork>(
    `update resolution_work set claimed_by = $3, claimed_until = $4, progress = $6,
       deaths = deaths + case when claimed_by is null then 0 else 1 end
     where kind = $1 and subject = $2 and (claimed_until is null or claimed_until <= $5 or claimed_by = $3)
     returning is_background as "isBackground", read_after as "readAfter", deaths`,
    [kind, subject, jobId, addSeconds(at, seconds), at, JSON.stringify(firstProgress(at))],
  )
  return row ?? null
}

async function releaseLease(db: Db, work: Subject & { jobId: string }): Promise<void> {
  await db.query(
    `update resolution_work set claimed_by = null, claimed_until = null, progress = null
     where kind = $1 and subject = $2 and claimed_by = $3`,
    [work.kind, work.subject, work.jobId],
  )
}

/** Ends the work. False when it has ended already. */
export async function removeWork(tx: Tx, work: Subject): Promise<boolean> {
  const rows = await tx.query('delete from resolution_work where kind = $1 and subject = $2 returning subject', [
    work.kind,
    work.subject,
  ])
  return rows.length > 0
}

/** Locks the work whose deadline passed first; null when there is none. */
async function lockOverdueWork(tx: Tx, at: Date): Promise<Subject | null> {
  const [row] = await tx.query<Subject>(
    `select kind, subject from resolution_work where deadline_at <= $1
     order by deadline_at limit 1 for update skip locked`,
    [at],
  )
  return row ?? null
}

const EVERY_MS = 400
const PAGES_MAX = 10
const URL_LENGTH_MAX = 500

function firstProgress(startedAt: Date): StoredProgress {
  return { step: 'reading', pages: [], startedAt: startedAt.toISOString() }
}

/**
 * Writes best-effort progress of a crawl, at most every 400 ms and one statement at a time. The crawl never waits for it,
 * and an update that fails is lost.
 */
export class ProgressWriter implements DomainWatcher, Disposable {
  readonly #app: Pick<App, 'db' | 'log'>
  readonly #work: Subject & { jobId: string }
  readonly #progress: StoredProgress
  #timer: NodeJS.Timeout | null = null
  #nextAtMs = 0
  #hasNews = false
  #isOver = false

  constructor(app: Pick<App, 'db' | 'log'>, work: Subject & { jobId: string; startedAt: Date }) {
    this.#app = app
    this.#work = work
    this.#progress = firstProgress(work.startedAt)
  }

  onPage({ url, status }: { url: string; status: number }): void {
    const { pages } = this.#progress
    if (pages.length >= PAGES_MAX) return
    pages.push({ url: url.slice(0, URL_LENGTH_MAX), status })
    this.#writeSoon()
  }

  onDeciding(): void {
    this.#progress.step = 'deciding'
    this.#writeSoon()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #writeSoon(): void {
    this.#hasNews = true
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => void this.#write(), Math.max(0, this.#nextAtMs - performance.now()))
  }

  async #write(): Promise<void> {
    this.#hasNews = false
    this.#nextAtMs = performance.now() + EVERY_MS
    try {
      await this.#store()
    } catch (error) {
      this.#app.log.debug({ event: 'resolution.progress_lost', error })
    }
    this.#timer = null
    if (this.#hasNews) this.#writeSoon()
  }

  async #store(): Promise<void> {
    const { kind, subject, jobId } = this.#work
    // A request that joins the work locks its row for a moment; the next update comes anyway.
    await this.#app.db.query(
      `update resolution_work set progress = $4 where (kind, subject) in (
         select kind, subject from resolution_work where kind = $1 and subject = $2 and claimed_by = $3
         for update skip locked)`,
      [kind, subject, jobId, JSON.stringify(this.#progress)],
    )
  }
}
