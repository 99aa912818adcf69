import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { findCompany } from '../register/index.ts'
import { isRefunded, type KnownResolution } from '../resolution/index.ts'
import { getLooked, logDecision, type ReviewDecision } from './decision-log.ts'
import { reviewNotFound } from './items.ts'
import { listRequestsFor } from './refund-requests.ts'
import { lockDisputes, withdrawRefunds } from './refunds.ts'
import { nameReviewer } from './reviewer.ts'

/** A person's decision on a domain of the account's list. */
export interface DecisionRequest {
  accountId: string
  /** The id of the item on the list. */
  id: string
  action: 'accept' | 'reject' | 'reassign'
  companyNumber: string | null
  reviewer: string | null
  reason: string | null
}

/** Stores the decision, which this account gets as its answer from now on. A new decision replaces it. */
export async function decideReview(app: App, request: DecisionRequest): Promise<ReviewDecision> {
  const { accountId, id, action, reason } = request
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const item = await lockItem(tx, { accountId, id })
    const looked = await getLooked(tx, item.resolution_id)
    const companyNumber = await chooseCompany(tx, request, looked)
    await assertNotRefunded(tx, { accountId, domain: item.domain, companyNumber, at })
    const reviewer = await nameReviewer(tx, request)
    const decided = { accountId, looked, action, companyNumber, reviewer, reason, refunded: false, at }
    const decision = await logDecision(tx, decided)
    await tx.query(
      `update review_item set state = 'decided', decision_id = $2, override_id = $2, updated_at = $3 where id = $1`,
      [id, decision.id, at],
    )
    // The newest decision on the domain is the only one in force.
    await unblock(tx, { accountId, domain: item.domain })
    return decision
  })
}

/** Withdraws the decision in force: the shared answer counts again, and returns to the list where it needs review. */
export async function withdrawDecision(app: App, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    await lockDisputes(tx, accountId)
    // Payments before the item, in the order of a settlement.
    await withdrawRefunds(tx, { accountId, domain: await getDomain(tx, { accountId, id }), at })
    const item = await lockItem(tx, { accountId, id })
    if (item.decision_id === null) return
    const looked = await getLooked(tx, item.resolution_id)
    const reviewer = await nameReviewer(tx, { accountId, reviewer: null })
    const empty = { companyNumber: null, reason: null, refunded: false }
    await logDecision(tx, { accountId, looked, action: 'withdraw', reviewer, ...empty, at })
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

/** A company whose credit was refunded, or may still be, is available again only by withdrawing the dispute. */
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

/** Returns the company that the person chose; null for none of them. */
async function chooseCompany(tx: Tx, request: DecisionRequest, looked: KnownResolution): Promise<string | null> {
  const { action, companyNumber } = request
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
