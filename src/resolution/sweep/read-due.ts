/**
 * Reads the site of a domain that is due in a crawl store. A reading that claims a company, or whose domain the main database
 * knows, is stored there, because all claims are compared there; any other stays in the store. The two databases are two
 * halves: the reading is kept in the store first, becomes an answer under its own id, and then ends. A run that died between
 * them is repeated and changes nothing.
 */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { endDomain, findQueued, GIVEN_UP, putOff, type QueuedDomain } from '../../lib/crawl/due-domains.ts'
import { findReading, putReading, removeReading } from '../../lib/crawl/readings.ts'
import type { CrawlStore } from '../../lib/crawl/stores.ts'
import type { Db } from '../../lib/db/db.ts'
import { isPassingFailure } from '../../lib/db/failures.ts'
import { JobLost, type JobRun } from '../../lib/jobs/jobs.ts'
import { resolutions } from '../../lib/metrics.ts'
import { type Outcome, type Resolution, resolveDomain, wasBusy } from '../../resolver/index.ts'
import { openSecondReader } from '../../second-reader/index.ts'
import { expiryOf } from '../answers/known.ts'
import { storeAnswer } from '../worker/answer-domain.ts'
import { lockWork, RETRIES_MAX, removeWork } from '../worker/work.ts'

/** The world of the job: an app, and the store whose queue it came from where that is not the main database. */
export type Crawling = App & { crawlStore?: CrawlStore }

/** A customer's work on the domain, a busy address or a database that is away passes within this. */
const PUT_OFF_SECONDS = 120
/** Sites of one address that wait for its pace come back apart from each other. */
const SPREAD_SECONDS = 240

export async function readDueDomain(
  app: Crawling,
  payload: { domain: string; readingId: string },
  run: JobRun,
): Promise<void> {
  const store = app.crawlStore ?? app.crawl.main
  const due = await findQueued(store.db, payload)
  if (!due) return
  const end = due.isPaused ? putOffUntil(app.clock.now()) : await readOrGiveUp(app, store, due, run)
  await store.db.transaction(async (tx) => {
    if ('dueAt' in end) await putOff(tx, due, end.dueAt)
    else await endDomain(tx, due, end)
    if ('reading' in end && end.reading) await putReading(tx, end.reading)
    if ('isInMain' in end) await removeReading(tx, { domain: due.domain, until: end.readAt })
    await run.finish(tx)
  })
  if ('outcome' in end) resolutions.inc({ kind: 'domain', outcome: end.outcome })
}

type Reading = Parameters<typeof putReading>[1]

type End =
  | { dueAt: Date }
  | { outcome: string; readAt: Date; freshUntil: Date | null; reading: Reading | null }
  | { outcome: string; readAt: Date; freshUntil: Date; isInMain: true }

const putOffUntil = (dueAt: Date): End => ({ dueAt })

const putOffFrom = (at: Date, spreadSeconds = 0): End =>
  putOffUntil(addSeconds(at, PUT_OFF_SECONDS + Math.random() * spreadSeconds))

async function readOrGiveUp(app: App, store: CrawlStore, due: QueuedDomain, run: JobRun): Promise<End> {
  try {
    return await readOne(app, store, due, run)
  } catch (error) {
    if (error instanceof JobLost || run.attempt <= RETRIES_MAX) throw error
    // The site is not to blame for a database that is away.
    if (isPassingFailure(error) || run.signal.aborted) return putOffFrom(app.clock.now())
    app.log.error({ event: 'sweep.given_up', domain: due.domain, error })
    return { outcome: GIVEN_UP, readAt: app.clock.now(), freshUntil: null, reading: null }
  }
}

async function readOne(app: App, store: CrawlStore, due: QueuedDomain, run: JobRun): Promise<End> {
  const main = await lookInMain(app.db, due, app.clock.now())
  if (main.answer) return toEnd(main.answer)
  if (main.isWanted) return putOffFrom(app.clock.now())
  // One that cannot be stored does not fail the last attempt too.
  const kept = run.attempt <= RETRIES_MAX ? await findKept(store, due) : null
  const reading = kept ?? (await readSite(app, due))
  if (wasBusy(reading.answer.crawl)) return putOffFrom(app.clock.now(), SPREAD_SECONDS)
  run.signal.throwIfAborted()
  const isForMain = main.isKnown || reading.answer.company !== null || (reading.answer.ruled?.company ?? null) !== null
  if (!isForMain) {
    return { outcome: reading.outcome, readAt: reading.resolvedAt, freshUntil: reading.expiresAt, reading }
  }
  await putReading(store.db, reading)
  const stored = await storeInMain(app, due, reading)
  return stored ? toEnd(stored) : putOffFrom(app.clock.now())
}

interface MainAnswer {
  outcome: Outcome
  resolvedAt: Date
}

/** The main database answers for this domain, so the store keeps no reading of it. */
function toEnd({ outcome, resolvedAt }: MainAnswer): End {
  return { outcome, readAt: resolvedAt, freshUntil: expiryOf(outcome, resolvedAt), isInMain: true }
}

interface MainView {
  /** The answer that makes reading the site unnecessary: this reading's own, or one that is fresh and newer than the last. */
  answer: MainAnswer | null
  /** The domain is being read for a customer. */
  isWanted: boolean
  /** The domain has an answer or a claim there, which the new reading replaces. */
  isKnown: boolean
}

async function lookInMain(db: Db, due: QueuedDomain, at: Date): Promise<MainView> {
  const [row] = await db.query<MainView>(
    `select coalesce(
         (select jsonb_build_object('outcome', outcome, 'resolvedAt', resolved_at) from resolution where id = $2),
         (select jsonb_build_object('outcome', outcome, 'resolvedAt', resolved_at) from known_domain
          where domain = $1 and expires_at > $3 and ($4::timestamptz is null or resolved_at > $4))
       ) as answer,
       exists (select from resolution_work where kind = 'domain' and subject = $1) as "isWanted",
       exists (select from known_domain where domain = $1) or exists (select from site_claim where domain = $1) as "isKnown"`,
    [due.domain, due.readingId, at, due.readAt],
  )
  if (!row) throw new Error('a statement without a row')
  return { ...row, answer: row.answer && { ...row.answer, resolvedAt: new Date(row.answer.resolvedAt) } }
}

/** A run that died after it had read the site left the reading in the store. */
async function findKept({ db }: CrawlStore, due: QueuedDomain) {
  const kept = await findReading<Resolution>(db, due.domain)
  return kept?.id === due.readingId ? kept : null
}

async function readSite(app: App, { domain, readingId }: QueuedDomain) {
  const secondReader = app.config.secondReader === null ? null : await openSecondReader(app)
  const answer = await resolveDomain({ ...app, secondReader }, domain)
  const { outcome, resolvedAt, explanation } = answer
  const expiresAt = expiryOf(outcome, resolvedAt)
  return { id: readingId, domain, outcome, modelVersion: explanation.version, resolvedAt, expiresAt, answer }
}

/**
 * Stores a reading once, although several jobs may try: this one, one that died, or a customer's that took the reading. Null while a
 * customer's work on the domain is open, which has its own answer soon.
 */
async function storeInMain(
  app: App,
  due: QueuedDomain,
  { answer }: { answer: Resolution },
): Promise<MainAnswer | null> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const work = { kind: 'domain', subject: due.domain } as const
    // No request and no other run can begin or end work on the domain until this transaction ends.
    const before = await lockWork(tx, { ...work, isBackground: true, at })
    if (before !== 'none') return null
    const { answer: known } = await lookInMain(tx, due, at)
    const stored = known ?? { ...answer, ...(await storeAnswer(app, tx, answer, due.readingId)) }
    await removeWork(tx, work)
    return { outcome: stored.outcome, resolvedAt: stored.resolvedAt }
  })
}
