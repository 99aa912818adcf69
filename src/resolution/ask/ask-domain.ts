import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Company } from '../../register/index.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { applyDecision } from '../answers/apply-decision.ts'
import { type FoundKnown, findKnown, type KnownResolution } from '../answers/known.ts'
import { isNoted, noteForReview } from '../answers/review-queue.ts'
import { type Charge, chargeAtOnce, holdFor, OWN_DECISION_OUTCOME } from '../money/charges.ts'
import { resolveDomainJob } from '../work/work.ts'
import { lockWork, removeWork } from '../work/work-store.ts'
import { insertJob, type JobShape } from './job-store.ts'

export interface DomainAsk {
  accountId: string
  /** What was typed, and the registrable domain in it. */
  input: TypedInput
  domain: string
  maxAgeDays?: number | undefined
  /** What the answer of the job looks like; an enrichment unless said. */
  shape?: JobShape
  /** The connected program that asks, where it is not the account itself. */
  connectionId?: string | undefined
  /** One of many, for which nobody sits waiting: whoever asks for a single domain is served before. */
  isBulk?: boolean
  /** Notes what was asked in the transaction that asks; what it throws undoes the asking. */
  keep?: (tx: Tx, asked: Asked) => Promise<void>
}

/** The answer, or the job that will have it; and the credits left to spend after. */
export type Asked = { available: number } & (
  | { kind: 'known'; known: KnownResolution; companies: Company[]; charge: Charge }
  | { kind: 'queued'; jobId: string }
)

/** People wait for what is wanted; rows of a bulk stand behind them, and background work behind all. */
export const PRIORITY = { wanted: 10, bulk: 5, background: 0 }

/**
 * Answers from what is known, or has the site read: once, however many ask for it, while each asker has its own job and
 * its own credit set aside.
 */
export async function askForDomain(app: App, ask: DomainAsk): Promise<Asked> {
  const at = app.clock.now()
  const found = await findKnown(app.db, { ...ask, at })
  if (found?.isPaid && found.own === null && isNoted(found.known, found.noted)) {
    const { known, companies, available } = found
    const asked: Asked = { kind: 'known', known, companies, charge: repeatCharge(known), available }
    return ask.keep ? app.db.transaction((tx) => noted(tx, ask, asked)) : asked
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
    return noted(tx, ask, { kind: 'queued', jobId, available: (await getBalance(tx, ask.accountId)).available })
  })
}

async function noted(tx: Tx, { keep }: DomainAsk, asked: Asked): Promise<Asked> {
  await keep?.(tx, asked)
  return asked
}

/** Has a domain read when nobody waits for it. False when it is known or under way. */
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
    outcome: own ? OWN_DECISION_OUTCOME : known.outcome,
    resolutionId: known.id,
    fact: known.companyNumber === null ? null : { domain: ask.domain, companyNumber: known.companyNumber },
    at,
  })
  if (own === null && !isNoted(known, found.noted)) {
    const { accountId, domain } = ask
    await noteForReview(tx, { accountIds: [accountId], domain, resolutionId: known.id, outcome: known.outcome, at })
  }
  const { available } = await getBalance(tx, ask.accountId)
  return noted(tx, ask, { kind: 'known', known: applyDecision(known, own), companies, charge, available })
}

function repeatCharge({ outcome }: KnownResolution): Charge {
  return { charged: false, reason: outcome === 'matched' ? 'already_paid' : `${outcome}_free` }
}
