/** Lets workers run, and die, and has the model follow. */

import type { App } from '../../../src/app.ts'
import { Database, type Tx } from '../../../src/lib/db/db.ts'
import { type AnyJob, JobLost } from '../../../src/lib/jobs/jobs.ts'
import { resolveDomainJob } from '../../../src/resolution/index.ts'
import { findWebsiteJob } from '../../../src/websites/index.ts'
import { isWaiting, keepAnswer, keepWebsite, REREAD, settleWork } from './rules.ts'
import type { Stage } from './stage.ts'
import { DAY, keyOf, type Model, type ModelAnswer, type ModelWebsite, type QueuedJob, siteOf } from './state.ts'

const JOBS = { domain: resolveDomainJob, company: findWebsiteJob } as const
const CLAIM_MS = { domain: 60_000, company: 200_000 } as const
const RETRIES_MAX = 3
const DEATHS_MAX = 2
/** A site that named the company longer ago is no candidate any more. */
const CLAIM_DAYS = 60

/** Questions of both kinds come to their end, domains first. */
export async function workOff(model: Model, stage: Stage): Promise<void> {
  for (const kind of ['domain', 'company'] as const) {
    const jobs = model.queue.filter((job) => job.kind === kind)
    if (jobs.length === 0) continue
    await stage.work([isOrderOfMoney(model, jobs) ? { ...JOBS[kind], concurrency: 1 } : JOBS[kind]])
    model.queue = model.queue.filter((job) => job.kind !== kind)
    for (const job of jobs) {
      const work = claim(model, job)
      if (!work) continue
      if (isGivenUp(model, job)) settleWork(model, job, null)
      else settleWork(model, job, await readResult(model, stage, job))
    }
  }
}

/** A job whose hold has expired pays with a credit that other work may give back: then the order of the work decides. */
function isOrderOfMoney({ accounts }: Model, queued: readonly QueuedJob[]): boolean {
  const isExpired = (one: QueuedJob) =>
    accounts.some(({ jobs }) => jobs.some((job) => isWaiting(job, one) && job.hold === 'expired'))
  return queued.length > 1 && queued.some(isExpired)
}

/** When a worker dies: with the job in hand, over the reading, or with all written and nothing committed. */
export type Death = 'at_once' | 'reading' | 'before_commit' | 'given_up'

/** One worker takes all that is queued of a kind, and dies over it. */
export async function dieOver(model: Model, stage: Stage, kind: 'domain' | 'company', death: Death): Promise<void> {
  const { app } = stage
  const job: AnyJob<App> = JOBS[kind]
  const claimed = await app.jobs.fetch(job.name, 100)
  const signal = AbortSignal.timeout(CLAIM_MS[kind])
  for (const { id, retryCount, data } of death === 'at_once' ? [] : claimed) {
    await using db = new MortalDatabase(app, death)
    const finish = async (tx: Tx) => {
      if (death !== 'given_up') db.die()
      await stage.noticeDeaths(job.name)
      const settled = await app.jobs.complete(job.name, [{ id, retryCount }], tx)
      if (!settled.has(id)) throw new JobLost(id)
    }
    await job.run({ ...app, db }, data, { id, attempt: retryCount + 1, signal, finish }).catch(() => undefined)
  }
  await stage.noticeDeaths(job.name)
  await followDeath(model, stage, kind, death)
}

async function followDeath(model: Model, stage: Stage, kind: 'domain' | 'company', death: Death): Promise<void> {
  for (const job of model.queue.filter((one) => one.kind === kind)) {
    job.attempts += 1
    if (death === 'at_once' || !claim(model, job) || isGivenUp(model, job)) continue
    for (const { jobs } of model.accounts) {
      for (const one of jobs) if (isWaiting(one, job)) one.status = 'processing'
    }
    // A search keeps what each site says as soon as it has read it.
    if (kind === 'company' && death !== 'reading') await readSearched(model, stage, job)
  }
  model.queue = model.queue.filter(({ attempts }) => attempts <= RETRIES_MAX)
}

/** Returns null when the work has ended, or another worker holds its lease. */
function claim(model: Model, job: QueuedJob): boolean {
  const work = model.works.get(keyOf(job.kind, job.subject))
  if (!work) return false
  if (work.claimedBy !== null && work.claimedBy !== job && work.claimedUntil > model.now) return false
  // A claim that was never given back is a worker that died.
  if (work.claimedBy !== null) work.deaths += 1
  Object.assign(work, { claimedBy: job, claimedUntil: model.now + CLAIM_MS[job.kind] })
  return true
}

function isGivenUp(model: Model, { kind, subject }: QueuedJob): boolean {
  return (model.works.get(keyOf(kind, subject))?.deaths ?? 0) >= DEATHS_MAX
}

async function readResult(model: Model, stage: Stage, job: QueuedJob): Promise<ModelAnswer | ModelWebsite> {
  if (job.kind === 'domain') return readSite(model, stage, job.subject, isReaderAsked(model, job))
  return keepWebsite(model, { number: job.subject, ...(await readSearched(model, stage, job)) })
}

type Searched = Pick<ModelWebsite, 'status' | 'domain' | 'resolutionId'>

const NOT_FOUND: Searched = { status: 'not_found', domain: null, resolutionId: null }

/** The domain that turns out to be the company's. */
async function readSearched(model: Model, stage: Stage, { subject, isFresh }: QueuedJob): Promise<Searched> {
  const site = model.sites.find(({ own }) => own.number === subject)
  if (!site) throw new Error(`the model has no company ${subject}`)
  const known = model.known.get(site.domain)
  const isClaimed = known?.numberByRules === subject && known.resolvedAt >= model.now - CLAIM_DAYS * DAY
  if (!isClaimed && !site.isGuessable) return NOT_FOUND
  const isFreshEnough = known !== undefined && (!isFresh || known.resolvedAt >= model.now - REREAD)
  const isServed = isFreshEnough && known.expiresAt > model.now
  const answer = isServed ? known : await readSite(model, stage, site.domain, false)
  // A search goes by the matches of the rules; one that the second reader objects to is left to a person.
  if (answer.numberByRules !== subject) return NOT_FOUND
  const status = answer.number === subject ? 'verified' : 'needs_review'
  return { status, domain: site.domain, resolutionId: answer.id }
}

/** The outcome is the model's; the id is looked up, as no rule predicts it. */
export async function readSite(
  model: Model,
  { app }: Stage,
  domain: string,
  isReaderAsked: boolean,
): Promise<ModelAnswer> {
  const [row] = await app.db.query<{ id: string }>('select resolution_id as id from known_domain where domain = $1', [
    domain,
  ])
  if (!row) throw new Error(`${domain} was read and nothing is known of it`)
  const { outcome, number, read, candidate } = siteOf(model, domain)
  const decided = isReaderAsked && read ? read : { outcome, number }
  const isDue =
    !isReaderAsked &&
    (outcome === 'matched' ||
      (number === null && candidate !== null && outcome !== 'scrape_failed' && read !== null) ||
      outcome === 'needs_review')
  return keepAnswer(model, { id: row.id, domain, ...decided, numberByRules: number }, { isDue })
}

/** No model is asked where all who wait refuse it. */
export function isReaderAsked({ accounts }: Model, work: { kind: string; subject: string }): boolean {
  const waiting = accounts.filter(({ jobs }) => jobs.some((job) => isWaiting(job, work)))
  return waiting.length === 0 || waiting.some(({ acceptsReader }) => acceptsReader)
}

class Dead extends Error {}

/** The connections of a worker that dies: from then on nothing goes through, and what was open is rolled back. */
class MortalDatabase extends Database implements AsyncDisposable {
  readonly #death: Death
  #isDead = false

  constructor({ config }: App, death: Death) {
    super({ url: config.databaseUrl, connectionsMax: 4, applicationName: 'nameplate-mortal' })
    this.#death = death
  }

  die(): never {
    this.#isDead = true
    throw new Dead('this worker is dead')
  }

  override async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.#isDead ? this.die() : super.query<Row>(text, params)
  }

  override async transaction<Result>(body: Parameters<Database['transaction']>[0]): Promise<Result> {
    if (this.#isDead || this.#death === 'reading') this.die()
    return super.transaction(body) as Promise<Result>
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
