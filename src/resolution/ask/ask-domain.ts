import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { isListed, updateReviewList } from '../../decisions/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Company } from '../../register/index.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { applyDecision, type FoundKnown, findKnown, type KnownResolution } from '../answers/known.ts'
import { resolveDomainJob } from '../jobs.ts'
import { type Charge, repeatCharge } from '../money/charge.ts'
import { chargeAtOnce, holdFor } from '../money/charges.ts'
import { lockWork, removeWork } from '../work/work-store.ts'
import { insertJob, type JobShape } from './job-store.ts'

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
