/**
 * The streams send every company's events, but an event is only a change where the state before it is known. So the
 * officers, charges, insolvency, controlling persons, filings and remarks of the registrar are read once when a company is
 * watched. What is read then is the baseline and makes no signal.
 */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { getCompanyDetails, PARTS } from '../../register/index.ts'

/** Six requests each: more than the register allows in one go, and still a job that ends. */
const COMPANIES_PER_JOB = 100
const MAX_WAIT_MS = 10_000
const PAUSE_SECONDS = 300

export const FOLLOW_WATCHED_JOB = 'signals.follow_watched'

export interface FollowWatched {
  companyNumbers: string[]
  /** Also of the job with what is left. */
  priority: number
}

const toJob = (payload: FollowWatched) => ({ payload, priority: payload.priority })

/** Queues the first reading of these companies, to begin when `tx` commits. A higher priority comes first. */
export async function startFollowingWatched(
  app: App,
  tx: Tx,
  companyNumbers: readonly string[],
  priority: number,
): Promise<void> {
  if (app.config.register.restKey === null) return
  const jobs = []
  for (let start = 0; start < companyNumbers.length; start += COMPANIES_PER_JOB) {
    jobs.push(toJob({ companyNumbers: companyNumbers.slice(start, start + COMPANIES_PER_JOB), priority }))
  }
  await app.jobs.enqueueAll(tx, { name: FOLLOW_WATCHED_JOB }, jobs)
}

/**
 * Reads what was never read of companies that are watched. When the register's budget is spent, the rest goes into
 * another job for when there is more. Running twice is harmless: what is stored is not read again.
 */
export async function followWatched(app: App, { companyNumbers, priority }: FollowWatched, run: JobRun): Promise<void> {
  if (app.config.register.restKey === null) return
  const watched = await listStillWatched(app.db, companyNumbers)
  const failed: string[] = []
  for (const [index, number] of watched.entries()) {
    run.signal.throwIfAborted()
    const reading = await readParts(app, number)
    if (reading.kind === 'budget_spent') {
      const rest = [...watched.slice(index), ...failed]
      app.log.info({ event: 'signals.watched_followed', companies: index - failed.length, left: rest.length })
      return goOnLater(app, { companyNumbers: rest, priority }, reading.retryAt, run)
    }
    if (reading.kind === 'failed') failed.push(number)
  }
  app.log.info({ event: 'signals.watched_followed', companies: watched.length - failed.length, left: failed.length })
  if (failed.length > 0) throw new DomainError('unavailable', `The register sent nothing for ${failed.join(', ')}.`)
}

/** Leaves out companies that were unwatched meanwhile: they need no request of the budget. */
async function listStillWatched(db: Db, companyNumbers: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ number: string }>(
    `select number from unnest($1::text[]) with ordinality as asked (number, position)
     where exists (select from watch where company_number = number) order by position`,
    [companyNumbers],
  )
  return rows.map(({ number }) => number)
}

type Reading = { kind: 'read' } | { kind: 'failed' } | { kind: 'budget_spent'; retryAt: Date }

async function readParts(app: App, number: string): Promise<Reading> {
  try {
    const details = await getCompanyDetails(app, number, {
      priority: 'background',
      maxWaitMs: MAX_WAIT_MS,
      accountId: null,
    })
    const missing = [...PARTS.map((part) => details[part].missing), details.missingRemarks].filter(
      (each) => each !== null,
    )
    const spent = missing.find(({ reason }) => reason === 'budget_spent')
    if (spent) return { kind: 'budget_spent', retryAt: spent.retryAt ?? addSeconds(app.clock.now(), PAUSE_SECONDS) }
    return { kind: missing.some(({ reason }) => reason === 'register_unavailable') ? 'failed' : 'read' }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    // The register has nothing of this company any more, or does not answer.
    return { kind: error.code === 'not_found' ? 'read' : 'failed' }
  }
}

async function goOnLater(app: App, rest: Required<FollowWatched>, retryAt: Date, run: JobRun): Promise<void> {
  // The engine's clock is the machine's; ours may be moved. So the wait is passed on as a duration.
  const waitMs = Math.max(0, retryAt.getTime() - app.clock.now().getTime())
  await app.db.transaction(async (tx) => {
    const startAfter = new Date(Date.now() + waitMs)
    await app.jobs.enqueueAll(tx, { name: FOLLOW_WATCHED_JOB }, [{ ...toJob(rest), startAfter }])
    await run.finish(tx)
  })
}
