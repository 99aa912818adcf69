import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { isListed, updateReviewList } from '../../decisions/index.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Company } from '../../register/index.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { applyDecision, type FoundKnown, findKnown, type KnownResolution } from '../answers/known.ts'
import { resolveDomainJob } from '../jobs.ts'
import { type Charge, repeatCharge } from '../money/charge.ts'
import { chargeAtOnce, holdFor, holdForMany } from '../money/charges.ts'
import { DEADLINE_SECONDS, lockWork, removeWork } from '../worker/work.ts'
import { insertJob, insertJobs, type JobShape } from './job-store.ts'

export interface DomainAsk {
  accountId: string
  /** As typed; `domain` is the registrable domain in it. */
  input: TypedInput
  domain: string
  maxAgeDays?: number | undefined
  /** The form of the job's answer; an enrichment by default. */
  shape?: JobShape | undefined
  /** The connected program that asks, where it is not the account itself. */
  connectionId?: string | undefined
  /** One row of a bulk job: requests for a single domain are served first. */
  isBulk?: boolean
  /** Records the request in its own transaction; throwing undoes the request. */
  record?: (tx: Tx, asked: Asked) => Promise<void>
}

/** The answer, or the job that will have it, and the credits available afterwards. */
export type Asked = { available: number } & (
  | { kind: 'known'; known: KnownResolution; companies: Company[]; charge: Charge }
  | { kind: 'queued'; jobId: string }
)

/** A single request comes first, then rows of bulk jobs, then background work. */
export const PRIORITY = { wanted: 10, bulk: 5, background: 0 }

/**
 * Returns the known answer, or queues one crawl for all who ask; each asker has its own job and its own held credit.
 */
export async function askForDomain(app: App, ask: DomainAsk): Promise<Asked> {
  const at = app.clock.now()
  const found = await findKnown(app.db, { ...ask, at })
  if (found?.isPaid && found.own === null && isListed(found.known, found.listed)) {
    const { known, companies, available } = found
    const asked: Asked = { kind: 'known', known, companies, charge: repeatCharge(known.outcome), available }
    return ask.record ? app.db.transaction((tx) => recorded(tx, ask, asked)) : asked
  }
  if (found) return app.db.transaction((tx) => answerKnown(tx, ask, found, at))
  return app.db.transaction(async (tx) => {
    const work = { kind: 'domain', subject: ask.domain } as const
    const before = await lockWork(tx, { ...work, isBackground: ask.isBulk === true, at })
    // The work may have ended while we waited for its row.
    const meanwhile = await findKnown(tx, { ...ask, at })
    if (meanwhile) {
      if (before === 'none') await removeWork(tx, work)
      return answerKnown(tx, ask, meanwhile, at)
    }
    const jobId = newId('job')
    const holdId = await holdFor(tx, { ...work, accountId: ask.accountId, connectionId: ask.connectionId, jobId, at })
    await insertJob(tx, {
      ...work,
      id: jobId,
      accountId: ask.accountId,
      input: ask.input,
      shape: ask.shape ?? 'enrich',
      holdId,
      at,
    })
    if (before !== 'wanted') {
      const priority = ask.isBulk ? PRIORITY.bulk : PRIORITY.wanted
      await app.jobs.enqueue(tx, resolveDomainJob, { domain: ask.domain }, { priority })
    }
    return recorded(tx, ask, { kind: 'queued', jobId, available: (await getBalance(tx, ask.accountId)).available })
  })
}

async function recorded(tx: Tx, { record }: DomainAsk, asked: Asked): Promise<Asked> {
  await record?.(tx, asked)
  return asked
}

/** Queues a crawl that no account asked for. False when one is under way. */
export async function warmDomain(app: App, tx: Tx, ask: { domain: string; at: Date }): Promise<boolean> {
  const before = await lockWork(tx, { kind: 'domain', subject: ask.domain, isBackground: true, at: ask.at })
  if (before !== 'none') return false
  await app.jobs.enqueue(tx, resolveDomainJob, { domain: ask.domain }, { priority: PRIORITY.background })
  return true
}

async function answerKnown(tx: Tx, ask: DomainAsk, found: FoundKnown, at: Date): Promise<Asked> {
  const { known, own, companies } = found
  const charge = await chargeAtOnce(tx, {
    kind: 'domain',
    subject: ask.domain,
    accountId: ask.accountId,
    connectionId: ask.connectionId,
    jobId: newId('job'),
    outcome: own ? 'own_decision' : known.outcome,
    resolutionId: known.id,
    fact: known.companyNumber === null ? null : { domain: ask.domain, companyNumber: known.companyNumber },
    at,
  })
  if (own === null && !isListed(known, found.listed)) {
    const { accountId, domain } = ask
    const { id: resolutionId, outcome, confidence } = known
    await updateReviewList(tx, { accountIds: [accountId], domain, resolutionId, outcome, confidence, at })
  }
  const { available } = await getBalance(tx, ask.accountId)
  return recorded(tx, ask, { kind: 'known', known: applyDecision(known, own), companies, charge, available })
}

export interface NewDomain {
  input: TypedInput
  domain: string
}

interface NewDomains {
  accountId: string
  /** Each domain once. */
  domains: readonly NewDomain[]
  /** Records the job of each domain in the transaction that queues it; throwing undoes it. */
  record: (tx: Tx, jobIds: ReadonlyMap<string, string>) => Promise<void>
}

/**
 * Queues those of many domains that have no answer and no crawl under way, behind single requests. It takes a few
 * statements however many they are, so that the account's balance is not locked once for each. The rest is left to
 * `askForDomain`, as are domains without a credit. Returns how many were queued.
 */
export async function queueNewDomains(app: App, ask: NewDomains): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const fresh = new Set(await insertWork(tx, { ...ask, at }))
    const wanted = ask.domains.filter(({ domain }) => fresh.has(domain)).map((one) => ({ ...one, id: newId('job') }))
    if (wanted.length === 0) return 0
    const holds = await holdForMany(tx, { accountId: ask.accountId, jobIds: wanted.map(({ id }) => id), at })
    const jobs = wanted.flatMap((one) => {
      const holdId = holds.get(one.id)
      return holdId === undefined ? [] : [{ ...one, holdId }]
    })
    await removeWorkExcept(tx, [...fresh], new Set(jobs.map(({ domain }) => domain)))
    if (jobs.length === 0) return 0
    await insertJobs(tx, { accountId: ask.accountId, at }, jobs)
    const inserts = jobs.map(({ domain }) => ({ payload: { domain }, priority: PRIORITY.bulk }))
    await app.jobs.enqueueAll(tx, resolveDomainJob, inserts)
    await ask.record(tx, new Map(jobs.map(({ domain, id }) => [domain, id])))
    return jobs.length
  })
}

/** Inserts work for domains that have no answer, are not paid for and not under way. Returns those domains. */
async function insertWork(tx: Tx, ask: NewDomains & { at: Date }): Promise<string[]> {
  // Ordered by domain, so that two requests for the same domains do not deadlock.
  const inserted = await tx.query<{ subject: string }>(
    `insert into resolution_work (kind, subject, queued_at, deadline_at, is_background)
     select 'domain', domain, $3, $4, true from unnest($2::text[]) wanted (domain)
     where not exists (select from known_domain known where known.domain = wanted.domain)
       and not exists (
         select from paid_subject where account_id = $1 and kind = 'domain' and subject = wanted.domain and paid_until > $3
       )
     order by domain
     on conflict (kind, subject) do nothing returning subject`,
    [ask.accountId, ask.domains.map(({ domain }) => domain), ask.at, addSeconds(ask.at, DEADLINE_SECONDS)],
  )
  const subjects = inserted.map(({ subject }) => subject)
  // Work that ended while we waited for its row has left an answer.
  const answered = await tx.query<{ domain: string }>('select domain from known_domain where domain = any ($1)', [
    subjects,
  ])
  const known = new Set(answered.map(({ domain }) => domain))
  await removeWorkExcept(tx, subjects, new Set(subjects.filter((subject) => !known.has(subject))))
  return subjects.filter((subject) => !known.has(subject))
}

async function removeWorkExcept(tx: Tx, subjects: readonly string[], kept: ReadonlySet<string>): Promise<void> {
  const others = subjects.filter((subject) => !kept.has(subject))
  if (others.length === 0) return
  await tx.query(`delete from resolution_work where kind = 'domain' and subject = any ($1)`, [others])
}
