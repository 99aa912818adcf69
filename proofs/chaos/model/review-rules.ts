/** The rules for decisions of a person, and what follows from them for the account alone. */
import { giveBack, hasRefundLeft, isFactPaid, isPaid, takePayment } from './charge-rules.ts'
import { keyOf, type Model, type ModelAccount, type ModelAnswer, type ModelRequest, type ModelReview } from './state.ts'

/** The decision is the answer from now on; an earlier dispute no longer counts. */
export function decide(
  account: ModelAccount,
  domain: string,
  verdict: { action: 'accept' | 'reject' | 'reassign'; number: string | null },
): void {
  const review = account.reviews.get(domain)
  if (!review) throw new Error(`the model has no review of ${domain}`)
  Object.assign(review, { state: 'decided', isDecided: true, override: { number: verdict.number } })
  account.looked.add(review.resolutionId)
  unblock(account, domain)
}

export function withdraw(model: Model, account: ModelAccount, domain: string): void {
  const review = account.reviews.get(domain)
  const known = model.known.get(domain)
  if (!review?.isDecided || !known) return
  account.looked.add(review.resolutionId)
  unblock(account, domain)
  restore(model, account, domain)
  const state = known.outcome === 'needs_review' ? 'open' : 'closed'
  account.reviews.set(domain, { state, resolutionId: known.id, isDecided: false, override: null })
}

function unblock({ blocked }: ModelAccount, domain: string): void {
  for (const pair of blocked.keys()) if (pair.startsWith(`${domain} `)) blocked.delete(pair)
}

/** Credits that did not come back pay for what they paid for again. */
function restore({ now }: Model, account: ModelAccount, domain: string): void {
  for (const request of account.requests.filter((one) => one.domain === domain && one.status === 'waiting')) {
    request.status = 'withdrawn'
    if (request.payment.until <= now) continue
    if (!account.paid.has(keyOf('domain', domain))) account.paid.set(keyOf('domain', domain), request.payment)
    account.facts.set(keyOf(domain, request.number), request.payment)
  }
}

export type Disputed = { status: 404 } | { status: 200; request: ModelRequest | null; isNew: boolean }

/** The account says that a match is wrong, and perhaps which company it is. */
export function dispute(
  model: Model,
  account: ModelAccount,
  { looked, right }: { looked: ModelAnswer; right: string | null },
): Disputed {
  const { domain, number: wrong } = looked
  if (wrong === null) return { status: 404 }
  const pair = keyOf(domain, wrong)
  const earlier = account.blocked.get(pair)
  const review = account.reviews.get(domain)
  if (earlier && (right === null || right === account.disputedFor.get(pair))) {
    return { status: 200, request: earlier.request, isNew: false }
  }
  if (!earlier && !wasGiven(model, account, looked)) return { status: 404 }
  const payment = takePayment(model, account, { domain, number: wrong })
  const asked: ModelRequest | null = payment && { domain, number: wrong, payment, status: 'waiting', at: model.now }
  if (asked) account.requests.push(asked)
  const request = asked ?? earlier?.request ?? null
  const override = right === null ? keepOverride(review, wrong) : { number: right }
  account.reviews.set(domain, { state: 'decided', resolutionId: looked.id, isDecided: true, override })
  account.looked.add(looked.id)
  if (right !== null) account.blocked.delete(keyOf(domain, right))
  account.blocked.set(pair, { request })
  account.disputedFor.set(pair, right)
  return { status: 200, request, isNew: asked !== null }
}

function wasGiven(model: Model, account: ModelAccount, { id, domain, number }: ModelAnswer): boolean {
  const hasJob = account.jobs.some(({ kind, resolutionId }) => kind === 'domain' && resolutionId === id)
  const isOwned =
    isPaid(account, { kind: 'domain', subject: domain }, model.now) ||
    (number !== null && isFactPaid(account, { domain, number }, model.now))
  return hasJob || account.looked.has(id) || isOwned
}

/** An earlier decision of the account stays, unless it chose the company that is disputed now. */
function keepOverride(review: ModelReview | undefined, wrong: string): ModelReview['override'] {
  const override = review?.override ?? null
  return override?.number === wrong ? null : override
}

/** By what the site says now: another company, or none, gives the credit back at once. */
export function decideRefund(
  model: Model,
  account: ModelAccount,
  request: ModelRequest,
  { fresh, isByRules }: { fresh: ModelAnswer; isByRules: boolean },
): void {
  const isSame = (isByRules ? fresh.numberByRules : fresh.number) === request.number
  const isRead = fresh.outcome !== 'scrape_failed'
  if ((isSame || !isRead) && !hasRefundLeft(model, account)) return
  request.status = 'refunded'
  giveBack(account, request, request.payment)
}

/** A company whose credit came back is not had by deciding for it. */
export function isForbidden(account: ModelAccount, domain: string, number: string | null): boolean {
  if (number === null) return false
  const isOpen = account.requests.some(
    (one) => one.domain === domain && one.number === number && one.status === 'waiting',
  )
  return isOpen || account.refunded.has(keyOf(domain, number))
}
