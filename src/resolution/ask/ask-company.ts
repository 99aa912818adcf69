import type { App } from '../../app.ts'
import { getBalance } from '../../credits/index.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { type Charge, NO_CREDITS_CHARGE } from '../money/charge.ts'
import { chargeAtOnce, holdFor } from '../money/charges.ts'
import { findKnownWebsite, hideDisputed, type KnownWebsite, outcomeOf } from '../website/website-record.ts'
import { FIND_WEBSITE, lockWork, removeWork } from '../worker/work.ts'
import { PRIORITY } from './ask-domain.ts'
import { insertJob } from './job-store.ts'

export interface WebsiteAsk {
  accountId: string
  companyNumber: string
  input: TypedInput
  /** Search again whatever is known. */
  refresh: boolean
  /** The connected program that asks, where it is not the account itself. */
  connectionId?: string | undefined
}

export type AskedWebsite = { available: number } & (
  | { kind: 'known'; website: KnownWebsite; charge: Charge }
  | { kind: 'queued'; jobId: string }
  | { kind: 'not_searched'; charge: Charge; refusal: DomainError }
)

/**
 * Returns what is known of the company's site, or queues one search for all who ask. Without a credit for what would cost
 * one it returns `not_searched`, as the company's record is free all the same.
 */
export async function askForWebsite(app: App, ask: WebsiteAsk): Promise<AskedWebsite> {
  try {
    return await findOrSearch(app, ask)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'insufficient_credits') throw error
    const { available } = await getBalance(app.db, ask.accountId)
    return { kind: 'not_searched', charge: NO_CREDITS_CHARGE, refusal: error, available }
  }
}

async function findOrSearch(app: App, ask: WebsiteAsk): Promise<AskedWebsite> {
  const at = app.clock.now()
  const work = { kind: 'company', subject: ask.companyNumber } as const
  const known = ask.refresh ? null : await findKnownWebsite(app.db, ask.companyNumber, at)
  if (known) return app.db.transaction((tx) => answerKnown(tx, ask, known, at))
  return app.db.transaction(async (tx) => {
    const before = await lockWork(tx, { ...work, isBackground: false, at })
    // The search may have ended while we waited for its row.
    const meanwhile = ask.refresh ? null : await findKnownWebsite(tx, ask.companyNumber, at)
    if (meanwhile) {
      if (before === 'none') await removeWork(tx, work)
      return answerKnown(tx, ask, meanwhile, at)
    }
    const jobId = newId('job')
    const { accountId, input, connectionId } = ask
    const holdId = await holdFor(tx, { ...work, accountId, connectionId, jobId, at })
    await insertJob(tx, { ...work, id: jobId, accountId, input, holdId, at })
    if (before !== 'wanted') {
      const payload = { companyNumber: ask.companyNumber, isFresh: ask.refresh }
      await app.jobs.enqueueAll(tx, { name: FIND_WEBSITE }, [{ payload, priority: PRIORITY.wanted }])
    }
    return { kind: 'queued', jobId, available: (await getBalance(tx, accountId)).available }
  })
}

async function answerKnown(tx: Tx, ask: WebsiteAsk, known: KnownWebsite, at: Date): Promise<AskedWebsite> {
  const website = await hideDisputed(tx, ask.accountId, known)
  const charge = await chargeAtOnce(tx, {
    kind: 'company',
    subject: ask.companyNumber,
    accountId: ask.accountId,
    connectionId: ask.connectionId,
    jobId: newId('job'),
    outcome: website === known ? outcomeOf(known.status) : 'own_decision',
    resolutionId: null,
    fact: known.domain === null ? null : { domain: known.domain, companyNumber: ask.companyNumber },
    at,
  })
  return { kind: 'known', website, charge, available: (await getBalance(tx, ask.accountId)).available }
}
