import { findAccount, type Origin, recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import {
  addDecision,
  assertAsSeen,
  findOwnDecision,
  findReview,
  lockReview,
  type ReplacedDecision,
  type ReviewDecision,
  reopenReview,
  reviewNotFound,
  type SeenDecision,
  setDecided,
  unblockPairs,
} from '../decisions/index.ts'
import { DomainError } from '../errors.ts'
import type { Db, Tx } from '../lib/db/db.ts'
import { findCompany } from '../register/index.ts'
import { applyDecision, findLatest, findResolution, isRefunded, type KnownResolution } from '../resolution/index.ts'
import { listRequestsFor } from './refund-requests.ts'
import { lockDisputes, withdrawRefunds } from './refunds.ts'

/** A person's decision on a domain of the account's list. */
export interface DecisionRequest {
  accountId: string
  /** The id of the item on the list. */
  id: string
  action: 'accept' | 'reject' | 'reassign'
  companyNumber: string | null
  reviewer: string | null
  reason: string | null
  origin?: Origin | undefined
  /** The same choice again adds no decision: the one in force stays. */
  keepsSame?: boolean
  /** The decision that the person saw, null for none: another one since then is not replaced. */
  seen?: SeenDecision | null | undefined
  /** It was seen in a row of a bulk job, which also during a dispute shows the decision that replaces the answer. */
  isSeenInRow?: boolean
}

/** Stores the decision, which this account gets as its answer from now on. A new decision replaces it. */
export async function decideReview(
  app: App,
  request: DecisionRequest,
): Promise<Pick<ReviewDecision, 'companyNumber'> & { isNew: boolean; replaced: ReplacedDecision | null }> {
  const { accountId, id, action, reason, origin } = request
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const { domain, resolutionId, inForce, override } = await lockReview(tx, { accountId, id })
    const looked = await getLooked(tx, resolutionId)
    const companyNumber = await chooseCompany(tx, request, looked)
    if (request.keepsSame && inForce?.action === action && inForce.companyNumber === companyNumber) {
      return { companyNumber, isNew: false, replaced: null }
    }
    assertSeen(request, { inForce, override })
    await assertNotRefunded(tx, { accountId, domain, companyNumber, at })
    const reviewer = await nameReviewer(tx, request)
    const decided = { accountId, looked, action, companyNumber, reviewer, reason, origin, at }
    const decision = await logDecision(tx, decided)
    await setDecided(tx, { id, decisionId: decision.id, at })
    // The newest decision on the domain is the only one in force.
    await unblockPairs(tx, { accountId, domain })
    return { companyNumber, isNew: true, replaced: inForce }
  })
}

/**
 * Withdraws the decision in force and returns it: the shared answer counts again, and returns to the list where it needs review.
 * Returns null where there was none.
 */
export async function withdrawDecision(
  app: App,
  { accountId, id, origin, ...said }: Pick<DecisionRequest, 'accountId' | 'id' | 'origin' | 'seen' | 'isSeenInRow'>,
): Promise<ReplacedDecision | null> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockDisputes(tx, accountId)
    const review = await findReview(tx, { accountId, id })
    if (!review) throw reviewNotFound()
    const { domain } = review
    // Payments before the item, in the order of a settlement.
    await withdrawRefunds(tx, { accountId, domain, at })
    const item = await lockReview(tx, { accountId, id })
    if (!item.inForce) return null
    assertSeen(said, item)
    const looked = await getLooked(tx, item.resolutionId)
    const reviewer = await nameReviewer(tx, { accountId, reviewer: null })
    const withdrawn = { action: 'withdraw', companyNumber: null, reviewer, reason: null } as const
    const answer = await findLatest(tx, domain)
    await logDecision(tx, { accountId, looked, ...withdrawn, restored: answer ?? looked, origin, at })
    await unblockPairs(tx, { accountId, domain })
    if (answer) await reopenReview(tx, { id, answer, at })
    return item.inForce
  })
}

function assertSeen(
  { seen, isSeenInRow }: Pick<DecisionRequest, 'seen' | 'isSeenInRow'>,
  { inForce, override }: Record<'inForce' | 'override', ReplacedDecision | null>,
): void {
  assertAsSeen(seen, isSeenInRow ? [inForce, override] : [inForce])
}

type NewDecision = Pick<ReviewDecision, 'action' | 'companyNumber' | 'reviewer' | 'reason'> & {
  accountId: string
  /** The shared answer that the person saw. */
  looked: KnownResolution
  /** The shared answer that applies again, for a withdrawal. */
  restored?: AnswerOfAccount
  origin: Origin | undefined
  at: Date
}

type AnswerOfAccount = Pick<KnownResolution, 'outcome' | 'companyNumber'>

const ACTS = { withdraw: 'decision_withdrawn', dispute: 'match_disputed' } as const

/** Adds a decision to the log, and to the audit log, with the account's answer until now and from now on. */
export async function logDecision(
  tx: Tx,
  { looked, restored, origin, ...decision }: NewDecision,
): Promise<ReviewDecision> {
  const { domain, companyNumber, id: resolutionId } = looked
  const own = await findOwnDecision(tx, { accountId: decision.accountId, domain, companyNumber })
  const before = applyDecision(looked, own)
  const { accountId, action, at } = decision
  await recordAudit(tx, {
    at,
    accountId,
    action: action === 'withdraw' || action === 'dispute' ? ACTS[action] : 'decision_made',
    origin: origin ?? null,
    details: { domain, resolution_id: resolutionId, decision: action },
    before: toFacts(before),
    after: toFacts(restored ?? toNext(decision, { looked, before })),
  })
  return addDecision(tx, {
    ...decision,
    domain,
    resolutionId,
    previousOutcome: before.outcome,
    previousCompanyNumber: before.companyNumber,
  })
}

const toFacts = ({ outcome, companyNumber }: AnswerOfAccount) => ({ outcome, company_number: companyNumber })

/** Returns the account's answer after a decision. A dispute that names no company leaves a decision for another company. */
function toNext(
  { action, companyNumber }: Pick<NewDecision, 'action' | 'companyNumber'>,
  { looked, before }: { looked: KnownResolution; before: KnownResolution },
): AnswerOfAccount {
  const isLeft = action === 'dispute' && companyNumber === null && before.companyNumber !== looked.companyNumber
  const next = isLeft ? before.companyNumber : companyNumber
  return { outcome: next === null ? 'no_match' : 'matched', companyNumber: next }
}

export async function getLooked(db: Db, resolutionId: string): Promise<KnownResolution> {
  const looked = await findResolution(db, resolutionId)
  if (!looked) throw new Error(`answer ${resolutionId} has vanished`)
  return looked
}

/** Returns the name of the person who decides: the given one, or the account's e-mail address. */
export async function nameReviewer(db: Db, by: { accountId: string; reviewer: string | null }): Promise<string> {
  if (by.reviewer !== null) return by.reviewer
  const account = await findAccount(db, by.accountId)
  if (!account) throw new Error(`account ${by.accountId} has vanished`)
  return account.email
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
