import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { findCompany } from '../register/index.ts'
import { isRefunded, type KnownResolution } from '../resolution/index.ts'
import { type Decision, getLooked, logDecision } from './decision-log.ts'
import { reviewNotFound } from './items.ts'
import { listRequestsFor } from './refund-requests.ts'
import { lockDisputes, withdrawRefunds } from './refunds.ts'
import { nameReviewer } from './reviewer.ts'

/** What a person says of a domain on the account's list. */
export interface Verdict {
  accountId: string
  /** Of the item. */
  id: string
  action: 'accept' | 'reject' | 'reassign'
  companyNumber: string | null
  reviewer: string | null
  reason: string | null
}

/** Keeps the decision and has it answered to this account from now on. Deciding again replaces it. */
export async function decideReview(app: App, verdict: Verdict): Promise<Decision> {
  const { accountId, id, action, reason } = verdict
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const item = await lockItem(tx, { accountId, id })
    const looked = await getLooked(tx, item.resolution_id)
    const companyNumber = await chooseCompany(tx, verdict, looked)
    await assertNotRefunded(tx, { accountId, domain: item.domain, companyNumber, at })
    const reviewer = await nameReviewer(tx, verdict)
    const decided = { accountId, looked, action, companyNumber, reviewer, reason, refunded: false, at }
    const decision = await logDecision(tx, decided)
    await tx.query(
      `update review_item set state = 'decided', decision_id = $2, override_id = $2, updated_at = $3 where id = $1`,
      [id, decision.id, at],
    )
    // What the account says of the domain now is all that counts.
    await unblock(tx, { accountId, domain: item.domain })
    return decision
  })
}

/** Takes the decision in force back: the shared answer counts again, and is looked at again where it needs review. */
export async function withdrawDecision(app: App, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await lockDisputes(tx, accountId)
    // Payments before the item, as a settlement takes them.
    await withdrawRefunds(tx, { accountId, domain: await getDomain(tx, { accountId, id }), at })
    const item = await lockItem(tx, { accountId, id })
    if (item.decision_id === null) return
    const looked = await getLooked(tx, item.resolution_id)
    const reviewer = await nameReviewer(tx, { accountId, reviewer: null })
    const nobody = { companyNumber: null, reason: null, refunded: false }
    await logDecision(tx, { accountId, looked, action: 'withdraw', reviewer, ...nobody, at })
    await unblock(tx, { accountId, domain: item.domain })
    await tx.query(
      `update review_item as item
       set state = case known.outcome when 'needs_review' then 'open' else 'closed' end, decision_id = null,
         override_id = null, resolution_id = r.id, confidence = coalesce(r.confidence, 0), updated_at = $2
       from known_domain as known join resolution r on r.id = known.resolution_id
       where item.id = $1 and known.domain = item.domain`,
      [id, at],
    )
  })
}

async function getDomain(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<string> {
  const [item] = await tx.query<{ domain: string }>(
    'select domain from review_item where id = $1 and account_id = $2',
    [id, accountId],
  )
  if (!item) throw reviewNotFound()
  return item.domain
}

/** A company whose credit came back, or may still, is had by taking the dispute back. */
async function assertNotRefunded(
  tx: Tx,
  {
    accountId,
    domain,
    companyNumber,
    at,
  }: { accountId: string; domain: string; companyNumber: string | null; at: Date },
): Promise<void> {
  if (companyNumber === null) return
  const requests = await listRequestsFor(tx, { accountId, domain })
  const isOpen = requests.some(
    ({ fact, status }) => fact.companyNumber === companyNumber && (status === 'checking' || status === 'waiting'),
  )
  if (isOpen || (await isRefunded(tx, { accountId, fact: { domain, companyNumber }, at }))) {
    throw wrongCompany('is the one that you disputed for a refund; take the dispute back and ask for the domain again')
  }
}

interface LockedItem {
  domain: string
  resolution_id: string
  decision_id: string | null
}

async function lockItem(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<LockedItem> {
  const [item] = await tx.query<LockedItem>(
    'select domain, resolution_id, decision_id from review_item where id = $1 and account_id = $2 for update',
    [id, accountId],
  )
  if (!item) throw reviewNotFound()
  return item
}

async function unblock(tx: Tx, of: { accountId: string; domain: string }): Promise<void> {
  await tx.query('delete from blocked_pair where account_id = $1 and domain = $2', [of.accountId, of.domain])
}

/** The company that the person means; null for none of them. */
async function chooseCompany(tx: Tx, verdict: Verdict, looked: KnownResolution): Promise<string | null> {
  const { action, companyNumber } = verdict
  if (action === 'reject') {
    if (companyNumber !== null) throw wrongCompany('is not needed to reject them all; to name a company, `reassign`')
    return null
  }
  if (action === 'accept') return chooseCandidate(looked, companyNumber)
  if (companyNumber === null) throw wrongCompany('is needed to name another company')
  await assertRegistered(tx, companyNumber)
  return companyNumber
}

function chooseCandidate({ findings }: KnownResolution, companyNumber: string | null): string {
  const candidates = findings.candidates.map((candidate) => candidate.companyNumber)
  const [best] = candidates
  if (best === undefined) throw wrongCompany('cannot be accepted, as there are no candidates; `reassign` names any')
  if (companyNumber === null) return best
  if (candidates.includes(companyNumber)) return companyNumber
  throw wrongCompany(`is none of the candidates ${candidates.join(', ')}; to name another company, \`reassign\``)
}

export async function assertRegistered(db: Db, companyNumber: string): Promise<void> {
  if (await findCompany(db, companyNumber)) return
  throw new DomainError(
    'company_not_found',
    `The register has no company ${companyNumber}. GET /v1/companies/search finds one by its name.`,
  )
}

export function wrongCompany(message: string): DomainError {
  return new DomainError('invalid_request', `company_number ${message}.`, {
    errors: [{ field: 'company_number', message }],
  })
}
