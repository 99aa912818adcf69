/**
 * Reads the site of a domain that is due in a crawl store. A reading that claims a company, or whose domain the main database
 * knows, is stored there, because all claims are compared there; any other stays in the store. The two databases are two
 * halves: the reading is kept in the store first, becomes an answer under its own id, and then ends. A run that died between
 * them is repeated and changes nothing.
 */
import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { GIVEN_UP, type QueuedDomain } from '../../lib/crawl/due-domains.ts'
import { type CrawlReading, findReading } from '../../lib/crawl/readings.ts'
import { type BegunDomain, putReadings } from '../../lib/crawl/shared-statements.ts'
import type { CrawlStore } from '../../lib/crawl/stores.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
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
  const due = await store.shared.begin(payload)
  if (!due) return
  const end = due.isPaused ? putOffUntil(app.clock.now()) : await readOrGiveUp(app, store, due, run)
  if ('dueAt' in end) {
    await store.shared.end({ due, run, dueAt: end.dueAt, read: null, reading: null, isInMain: false })
    return
  }
  const reading = 'reading' in end ? end.reading : null
  await store.shared.end({ due, run, dueAt: null, read: end, reading, isInMain: 'isInMain' in end })
  resolutions.inc({ kind: 'domain', outcome: end.outcome })
}

type End =
  | { dueAt: Date }
  | { outcome: string; readAt: Date; freshUntil: Date | null; reading: CrawlReading<object> | null }
  | { outcome: string; readAt: Date; freshUntil: Date; isInMain: true }

const putOffUntil = (dueAt: Date): End => ({ dueAt })

const putOffFrom = (at: Date, spreadSeconds = 0): End =>
  putOffUntil(addSeconds(at, PUT_OFF_SECONDS + Math.random() * spreadSeconds))

async function readOrGiveUp(app: App, store: CrawlStore, due: BegunDomain, run: JobRun): Promise<End> {
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

async function readOne(app: App, store: CrawlStore, due: BegunDomain, run: JobRun): Promise<End> {
  const main = await lookShared(app, due)
  if (main.answer) return toEnd(main.answer)
  if (main.isWanted) return putOffFrom(app.clock.now())
  // One that cannot be stored does not fail the last attempt too.
  const kept = due.isKept && run.attempt <= RETRIES_MAX ? await findKept(store, due) : null
  const reading = kept ?? (await readSite(app, due))
  if (wasBusy(reading.answer.crawl)) return putOffFrom(app.clock.now(), SPREAD_SECONDS)
  run.signal.throwIfAborted()
  const isForMain = main.isKnown || reading.answer.company !== null || (reading.answer.ruled?.company ?? null) !== null
  if (!isForMain) {
    return { outcome: reading.outcome, readAt: reading.resolvedAt, freshUntil: reading.expiresAt, reading }
  }
  await putReadings(store.db, [reading])
  const stored = await storeInMain(app, due, reading)
  return stored ? toEnd(stored) : putOffFrom(app.clock.now())
}

interface MainAnswer {
  outcome: Outcome
  resolvedAt: Date
}

/** The main database answers for this domain, so the store keeps no reading of it. */
function toEnd({ outcome, resolvedAt }: MainAnswer): End {
  return {
    outcome,
    readAt: resolvedAt,
    freshUntil: expiryOf({ outcome, resolvedAt, isSecondReaderDue: false }),
    isInMain: true,
  }
}

interface MainView {
  /** The answer that makes reading the site unnecessary: this reading's own, or one that is fresh and newer than the last. */
  answer: MainAnswer | null
  /** The domain is being read for a customer. */
  isWanted: boolean
  /** The domain has an answer or a claim there, which the new reading replaces. */
  isKnown: boolean
}

/** Domains that begin at the same time are looked for together. */
function lookShared(app: App, due: QueuedDomain): Promise<MainView> {
  const look = (all: object[]) => lookInMain(app.db, all as QueuedDomain[], app.clock.now())
  return app.mainLooks.add(due, look) as Promise<MainView>
}

async function lookInMain(db: Db, all: readonly QueuedDomain[], at: Date): Promise<MainView[]> {
  const rows = await db.query<MainView>(
    `select coalesce(
         (select jsonb_build_object('outcome', outcome, 'resolvedAt', resolved_at) from resolution where id = due.reading_id),
         (select jsonb_build_object('outcome', outcome, 'resolvedAt', resolved_at) from known_domain
          where domain = due.domain and expires_at > $4 and (due.read_at is null or resolved_at > due.read_at))
       ) as answer,
       exists (select from resolution_work where kind = 'domain' and subject = due.domain) as "isWanted",
       exists (select from known_domain where domain = due.domain)
         or exists (select from site_claim where domain = due.domain) as "isKnown"
     from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality due (domain, reading_id, read_at, position)
     order by position`,
    [all.map(({ domain }) => domain), all.map(({ readingId }) => readingId), all.map(({ readAt }) => readAt), at],
  )
  return rows.map((row) => {
    return { ...row, answer: row.answer && { ...row.answer, resolvedAt: new Date(row.answer.resolvedAt) } }
  })
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
  const expiresAt = expiryOf(answer)
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
    const known = onlyRow(await lookInMain(tx, [due], at)).answer
    const stored = known ?? { ...answer, ...(await storeAnswer(app, tx, answer, due.readingId)) }
    await removeWork(tx, work)
    return { outcome: stored.outcome, resolvedAt: stored.resolvedAt }
  })
}
