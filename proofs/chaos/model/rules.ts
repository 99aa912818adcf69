/** The promises of docs/charging.md and docs/outcomes.md as plain functions over the model. */
import { canAsk, type Fact, holdFor, isFactPaid, isPaid, isRefunded, spend } from './charge-rules.ts'
import {
  availableTo,
  countAnswer,
  DAY,
  keyOf,
  MINUTE,
  type Model,
  type ModelAccount,
  type ModelAnswer,
  type ModelJob,
  type ModelWebsite,
} from './state.ts'

const JOB_DAYS_KEPT = 30
const DAYS_KNOWN: Record<string, number> = { matched: 30, scrape_failed: 1 }
const DAYS_KNOWN_VERIFIED = 30
const DAYS_KNOWN_ELSE = 7
/** An answer of the rules alone, because all who waited refuse the second reader. */
const DAYS_KNOWN_DUE = 1
const DEADLINE = 15 * MINUTE
/** However fresh an answer is wanted, no site is read more often. */
export const REREAD = 15 * MINUTE

export interface ChargedAnswer {
  outcome: string
  number: string | null
  charged: boolean
  reason: string
}

export type Asked = { kind: 'refused' } | { kind: 'queued' } | ({ kind: 'known' } & ChargedAnswer)

export interface DomainAsk {
  domain: string
  maxAgeDays?: number | undefined
  /** Rows of a bulk job are asked for as credits come back, in an order of the service's own. */
  ignoresCredits?: boolean
}

/** Returns the answer that the account decided on instead of the shared one, or null. */
export function decisionOn(account: ModelAccount, answer: ModelAnswer): { number: string | null } | null {
  const { override } = account.reviews.get(answer.domain) ?? { override: null }
  if (override) return override
  return account.blocked.has(keyOf(answer.domain, answer.number ?? '')) ? { number: null } : null
}

export function readAs(account: ModelAccount, answer: ModelAnswer): Pick<ChargedAnswer, 'outcome' | 'number'> {
  const own = decisionOn(account, answer)
  if (!own) return { outcome: answer.outcome, number: answer.number }
  return { outcome: own.number === null ? 'no_match' : 'matched', number: own.number }
}

export function askDomain(model: Model, account: ModelAccount, ask: DomainAsk): Asked {
  const { domain } = ask
  const known = findKnown(model, account, ask)
  if (known) {
    const own = decisionOn(account, known)
    const outcome = own ? 'own_decision' : known.outcome
    const charge = chargeAtOnce(model, account, {
      kind: 'domain',
      subject: domain,
      outcome,
      fact: factOf(known),
      known,
      ask,
    })
    if (!charge) return { kind: 'refused' }
    account.entered.add(known.id)
    if (!own) listForReview(account, known)
    return { kind: 'known', ...readAs(account, known), ...charge }
  }
  return queue(model, account, { kind: 'domain', subject: domain, isFresh: false }, ask.ignoresCredits)
}

function findKnown(model: Model, account: ModelAccount, ask: DomainAsk): ModelAnswer | null {
  const { domain, maxAgeDays } = ask
  const known = model.known.get(domain)
  if (!known) return null
  if (known.expiresAt <= model.now && !account.reviews.get(domain)?.override) return null
  const isFreshEnough = maxAgeDays === undefined || known.resolvedAt >= model.now - Math.max(maxAgeDays * DAY, REREAD)
  return isFreshEnough ? known : null
}

export function askCompany(model: Model, account: ModelAccount, ask: { number: string; refresh: boolean }): Asked {
  const known = ask.refresh ? undefined : model.websites.get(ask.number)
  const subject = { kind: 'company', subject: ask.number } as const
  if (!known || known.expiresAt <= model.now) return queue(model, account, { ...subject, isFresh: ask.refresh })
  const shown = showWebsite(account, known)
  const outcome = shown === known ? outcomeOf(known) : 'own_decision'
  const charge = chargeAtOnce(model, account, { ...subject, outcome, fact: factOf(known), known: null, ask: {} })
  if (!charge) return { kind: 'refused' }
  enterWebsite(account, shown)
  return { kind: 'known', outcome: shown.status, number: ask.number, ...charge }
}

export const outcomeOf = ({ status }: ModelWebsite): string => (status === 'not_found' ? 'no_match' : status)

function enterWebsite(account: ModelAccount, { resolutionId }: ModelWebsite): void {
  if (resolutionId !== null) account.entered.add(resolutionId)
}

/** A site that the account disputed to be the company's is none. */
export function showWebsite(account: ModelAccount, website: ModelWebsite): ModelWebsite {
  const isBlocked = website.domain !== null && account.blocked.has(keyOf(website.domain, website.number))
  return isBlocked ? { ...website, status: 'not_found', domain: null, resolutionId: null } : website
}

export function factOf({ domain, number }: { domain: string | null; number: string | null }): Fact | null {
  return domain === null || number === null ? null : { domain, number }
}

interface ChargedAtOnce {
  kind: 'domain' | 'company'
  subject: string
  outcome: string
  fact: Fact | null
  known: ModelAnswer | null
  ask: { ignoresCredits?: boolean }
}

const COSTS = new Set(['matched', 'verified'])

/** Only a match needs a credit. */
function chargeAtOnce(
  model: Model,
  account: ModelAccount,
  one: ChargedAtOnce,
): Pick<ChargedAnswer, 'charged' | 'reason'> | null {
  const { kind, subject, outcome, fact, known } = one
  const paid = isPaid(account, { kind, subject }, model.now) || isFactPaid(account, fact, model.now)
  if (COSTS.has(outcome) && fact) {
    if (paid) return { charged: false, reason: 'already_paid' }
    if (one.ask.ignoresCredits !== true && availableTo(account) < 1) return null
    spend(model, account, { kind, subject, fact, outcome, jobId: null })
    return { charged: true, reason: outcome }
  }
  const free = { charged: false, reason: `${outcome}_free` }
  const isOwn = outcome === 'own_decision'
  if (!isOwn && known && (isRepeat(account, known, paid) || wasAnswered(account, known))) return free
  countAnswer(account, free.reason)
  return free
}

/** An account that has paid gets an answer of its history again uncounted, unless its list of reviews must change. */
function isRepeat(account: ModelAccount, known: ModelAnswer, paid: boolean): boolean {
  return paid && account.entered.has(known.id) && isListed(account, known)
}

function wasAnswered({ jobs }: ModelAccount, { id }: ModelAnswer): boolean {
  return jobs.some(({ resolutionId, kind }) => kind === 'domain' && resolutionId === id)
}

function queue(
  model: Model,
  account: ModelAccount,
  work: { kind: 'domain' | 'company'; subject: string; isFresh: boolean },
  ignoresCredits = false,
): Asked {
  if (!ignoresCredits && !canAsk(model, account, work)) return { kind: 'refused' }
  const key = keyOf(work.kind, work.subject)
  if (!model.works.has(key)) {
    model.works.set(key, { deadlineAt: model.now + DEADLINE, claimedBy: null, claimedUntil: 0, deaths: 0 })
    model.queue.push({ ...work, attempts: 0 })
  }
  return { kind: 'queued' }
}

/** Adds the job that the service returned to an account. */
export function addJob(
  model: Model,
  account: ModelAccount,
  asked: Pick<ModelJob, 'id' | 'kind' | 'subject'> & { hold?: ModelJob['hold'] },
): ModelJob {
  const { hold, ...job } = asked
  const isTest = job.subject.endsWith('.test')
  const added: ModelJob = {
    ...job,
    status: 'pending',
    hold: isTest ? 'none' : (hold ?? holdFor(model, account, job)),
    charged: false,
    reason: 'pending',
    resolutionId: null,
    website: null,
    isTest,
    createdAt: model.now,
    keptUntil: model.now + JOB_DAYS_KEPT * DAY,
  }
  account.jobs.push(added)
  return added
}

/** A site was read: what it says is what is known of it from now on. */
export function keepAnswer(
  model: Model,
  answer: Omit<ModelAnswer, 'resolvedAt' | 'expiresAt'>,
  { isDue }: { isDue: boolean },
): ModelAnswer {
  const days = isDue ? DAYS_KNOWN_DUE : (DAYS_KNOWN[answer.outcome] ?? DAYS_KNOWN_ELSE)
  const kept = { ...answer, resolvedAt: model.now, expiresAt: model.now + days * DAY }
  model.known.set(answer.domain, kept)
  model.answers.set(kept.id, kept)
  return kept
}

export function keepWebsite(model: Model, found: Omit<ModelWebsite, 'expiresAt'>): ModelWebsite {
  const days = found.status === 'verified' ? DAYS_KNOWN_VERIFIED : DAYS_KNOWN_ELSE
  const website = { ...found, expiresAt: model.now + days * DAY }
  model.websites.set(found.number, website)
  return website
}

/** Every account that waits for the work gets the result, and pays or gets the credit back. */
export function settleWork(
  model: Model,
  work: { kind: 'domain' | 'company'; subject: string },
  result: ModelAnswer | ModelWebsite | null,
): void {
  model.works.delete(keyOf(work.kind, work.subject))
  for (const account of model.accounts) {
    const waiting = account.jobs.filter((job) => isWaiting(job, work)).sort(bySettlement)
    for (const job of waiting) settleJob(model, account, { job, result, waiting })
    const isAnswered = waiting.some(({ status, resolutionId }) => status !== 'failed' && resolutionId !== null)
    if (isAnswered && result && 'outcome' in result && !decisionOn(account, result)) listForReview(account, result)
  }
}

/** The order in which the service settles: jobs whose credit is reserved first, jobs of the same moment by their ids. */
function bySettlement(one: ModelJob, other: ModelJob): number {
  const isReserved = ({ hold }: ModelJob) => hold === 'held' || hold === 'shared'
  return (
    Number(isReserved(other)) - Number(isReserved(one)) ||
    one.createdAt - other.createdAt ||
    (one.id < other.id ? -1 : 1)
  )
}

export function isWaiting(job: ModelJob, work: { kind: string; subject: string }): boolean {
  const isOpen = job.status === 'pending' || job.status === 'processing'
  return !job.isTest && isOpen && job.kind === work.kind && job.subject === work.subject
}

function settleJob(
  model: Model,
  account: ModelAccount,
  { job, result, waiting }: { job: ModelJob; result: ModelAnswer | ModelWebsite | null; waiting: ModelJob[] },
): void {
  const outcome = outcomeFor(account, result)
  const fact = result && factOf(result)
  const hadHold = job.hold !== 'none'
  // Without a hold it was free when it was asked, and stays so.
  const asOf = hadHold ? model.now : job.createdAt
  const isFree = !COSTS.has(outcome) || isPaid(account, job, asOf) || isFactPaid(account, fact, asOf)
  const isHeld = hadHold && endHold(waiting)
  const canPay = hadHold && (isHeld || availableTo(account) >= 1)
  job.status = result === null ? 'failed' : 'completed'
  job.keptUntil = model.now + JOB_DAYS_KEPT * DAY
  if (isFree) {
    job.reason = COSTS.has(outcome) ? 'already_paid' : `${outcome}_free`
    if (isHeld) countAnswer(account, job.reason)
  } else if (canPay && fact) {
    spend(model, account, { ...job, fact, outcome, jobId: job.id })
    Object.assign(job, { charged: true, reason: outcome })
  } else {
    Object.assign(job, { status: 'failed', reason: 'no_credits_free' })
  }
  job.hold = hadHold ? 'settled' : 'none'
  if (job.reason === 'no_credits_free' || result === null) return
  if ('outcome' in result) {
    job.resolutionId = result.id
  } else {
    job.website = result
    enterWebsite(account, showWebsite(account, result))
  }
}

/** Ends the hold that the waiting jobs share; false where it has ended before. */
function endHold(waiting: readonly ModelJob[]): boolean {
  const holder = waiting.find(({ hold }) => hold === 'held')
  if (holder) holder.hold = 'shared'
  return holder !== undefined
}

/** A refunded match, or one by the account's own decision, is shown only once it is paid for. */
export function isClosed(model: Model, account: ModelAccount, job: ModelJob, { isOwn }: { isOwn: boolean }): boolean {
  const answer = job.kind === 'domain' ? model.answers.get(job.resolutionId ?? '') : job.website
  const isShown = answer && (!('status' in answer) || answer.status === 'verified')
  const fact = isShown ? factOf(answer) : null
  if (!answer || !fact || (isOwn && outcomeFor(account, answer) === 'own_decision')) return false
  if (isRefunded(account, fact)) return true
  return job.reason === 'own_decision_free' && !isFactPaid(account, fact, model.now)
}

function outcomeFor(account: ModelAccount, result: ModelAnswer | ModelWebsite | null): string {
  if (result === null) return 'failed'
  if ('outcome' in result) return decisionOn(account, result) ? 'own_decision' : result.outcome
  return showWebsite(account, result) === result ? outcomeOf(result) : 'own_decision'
}

export function listForReview(account: ModelAccount, answer: ModelAnswer): void {
  if (isListed(account, answer)) return
  const review = account.reviews.get(answer.domain)
  if (answer.outcome !== 'needs_review') {
    if (review) review.state = 'closed'
    return
  }
  account.reviews.set(answer.domain, { state: 'open', resolutionId: answer.id, isDecided: false, override: null })
}

function isListed(account: ModelAccount, answer: ModelAnswer): boolean {
  const review = account.reviews.get(answer.domain)
  if (answer.outcome === 'scrape_failed') return true
  if (answer.outcome !== 'needs_review') return review?.state !== 'open'
  return review?.state === 'decided' || (review?.state === 'open' && review.resolutionId === answer.id)
}
