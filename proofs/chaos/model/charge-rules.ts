/** The rules of docs/charging.md as plain functions: what an account has paid for, in both directions, and what it holds. */
import { toLondonDate } from '../../../src/lib/clock.ts'
import {
  availableTo,
  countAnswer,
  DAY,
  keyOf,
  type Model,
  type ModelAccount,
  type ModelJob,
  type ModelPayment,
} from './state.ts'

const PAID_DAYS = 30

export interface Subject {
  kind: 'domain' | 'company'
  subject: string
}

export interface Fact {
  domain: string
  number: string
}

const factKey = ({ domain, number }: Fact) => keyOf(domain, number)

export function isPaid(account: ModelAccount, { kind, subject }: Subject, asOf: number): boolean {
  return (account.paid.get(keyOf(kind, subject))?.until ?? 0) > asOf
}

export function isFactPaid(account: ModelAccount, fact: Fact | null, asOf: number): boolean {
  return fact !== null && (account.facts.get(factKey(fact))?.until ?? 0) > asOf
}

/** Some fact about the subject is paid for, and may turn out to be the answer. */
function hasPaidFact({ now }: Model, account: ModelAccount, { kind, subject }: Subject): boolean {
  return [...account.facts].some(([key, { until }]) => {
    const [domain, number] = key.split(' ')
    return until > now && (kind === 'domain' ? domain : number) === subject
  })
}

function sharesHold({ jobs }: ModelAccount, { kind, subject }: Subject): boolean {
  return jobs.some((job) => job.hold === 'held' && job.kind === kind && job.subject === subject)
}

export function canAsk(model: Model, account: ModelAccount, one: Subject): boolean {
  return availableTo(account) >= 1 || holdFor(model, account, one) !== 'held'
}

/** The questions of an account for one subject share one credit. */
export function holdFor(model: Model, account: ModelAccount, one: Subject): ModelJob['hold'] {
  if (isPaid(account, one, model.now)) return 'none'
  if (sharesHold(account, one)) return 'shared'
  return availableTo(account) < 1 && hasPaidFact(model, account, one) ? 'none' : 'held'
}

let payments = 0

export function spend(
  model: Model,
  account: ModelAccount,
  one: Subject & { fact: Fact; outcome: string; jobId: string | null },
): void {
  payments += 1
  const payment: ModelPayment = { until: model.now + PAID_DAYS * DAY, ref: payments, jobId: one.jobId }
  account.balance -= 1
  account.spentAt.push(model.now)
  countAnswer(account, one.outcome, 1)
  account.paid.set(keyOf(one.kind, one.subject), payment)
  account.facts.set(factKey(one.fact), payment)
  account.refunded.delete(factKey(one.fact))
}

/** A dispute takes away what was paid for the fact; null when nothing was. */
export function takePayment({ now }: Model, account: ModelAccount, fact: Fact): ModelPayment | null {
  const [domainKey, companyKey] = [keyOf('domain', fact.domain), keyOf('company', fact.number)]
  const candidates = [account.facts.get(factKey(fact)), account.paid.get(domainKey)]
  const payment = candidates.find((one) => one !== undefined && one.until > now) ?? null
  account.facts.delete(factKey(fact))
  for (const key of [domainKey, companyKey]) {
    if (account.paid.get(key)?.ref === payment?.ref) account.paid.delete(key)
  }
  return payment
}

const REFUNDS_MIN = 5
const SHARE_MAX = 0.1

/** Without a person, so many come back in 30 days. */
export function hasRefundLeft({ now }: Model, account: ModelAccount): boolean {
  const since = now - 30 * DAY
  const refunds = account.requests.filter(({ status, at }) => status === 'refunded' && at > since).length
  const first = toLondonDate(new Date(since))
  const spent = account.spentAt.filter((at) => toLondonDate(new Date(at)) >= first).length
  return refunds < Math.max(REFUNDS_MIN, Math.floor(spent * SHARE_MAX))
}

export function giveBack(account: ModelAccount, fact: Fact, payment: ModelPayment): void {
  account.balance += 1
  countAnswer(account, 'refunded', -1, 0)
  account.refunded.add(factKey(fact))
  const job = account.jobs.find(({ id }) => id === payment.jobId)
  if (job) Object.assign(job, { charged: false, reason: 'refunded' })
}

/** Whether the credit for it came back and it was not paid for again. */
export function isRefunded(account: ModelAccount, fact: Fact): boolean {
  return account.refunded.has(factKey(fact))
}
