/** What a person decides, and what follows from it for the account alone. */
import {
  countAnswer,
  isPaid,
  keyOf,
  type Model,
  type ModelAccount,
  type ModelAnswer,
  type ModelReview,
} from './state.ts'

/** What the person says is answered from now on; what was disputed before no longer counts. */
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
  const state = known.outcome === 'needs_review' ? 'open' : 'closed'
  account.reviews.set(domain, { state, resolutionId: known.id, isDecided: false, override: null })
}

function unblock({ blocked }: ModelAccount, domain: string): void {
  for (const pair of blocked.keys()) if (pair.startsWith(`${domain} `)) blocked.delete(pair)
}

export type Disputed = { status: 404 } | { status: 200; refunded: boolean }

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
    return { status: 200, refunded: earlier.refunded }
  }
  if (!earlier && !wasGiven(model, account, looked)) return { status: 404 }
  const refunded = refund(model, account, domain) || earlier?.refunded === true
  const override = right === null ? keepOverride(review, wrong) : { number: right }
  account.reviews.set(domain, { state: 'decided', resolutionId: looked.id, isDecided: true, override })
  account.looked.add(looked.id)
  if (right !== null) account.blocked.delete(keyOf(domain, right))
  account.blocked.set(pair, { refunded })
  account.disputedFor.set(pair, right)
  return { status: 200, refunded }
}

function wasGiven(model: Model, account: ModelAccount, { id, domain }: ModelAnswer): boolean {
  const hasJob = account.jobs.some(({ kind, resolutionId }) => kind === 'domain' && resolutionId === id)
  return hasJob || account.looked.has(id) || isPaid(model, account, 'domain', domain)
}

/** What the account decided before stays, unless it was the company that is disputed now. */
function keepOverride(review: ModelReview | undefined, wrong: string): ModelReview['override'] {
  const override = review?.override ?? null
  return override?.number === wrong ? null : override
}

function refund(model: Model, account: ModelAccount, domain: string): boolean {
  const paid = account.paid.get(keyOf('domain', domain))
  if (!paid || paid.until <= model.now || !paid.isSpent) return false
  account.balance += 1
  countAnswer(account, 'refunded', -1, 0)
  account.paid.delete(keyOf('domain', domain))
  const job = account.jobs.find(({ id }) => id === paid.jobId)
  if (job) Object.assign(job, { charged: false, reason: 'refunded' })
  return true
}
