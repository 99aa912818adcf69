/** The state of the model: one plain object for each account, and what all accounts share. */
import type { ModelSite } from './subjects.ts'

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

export interface ModelJob {
  id: string
  kind: 'domain' | 'company'
  subject: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  /** `shared`: an earlier job of the account holds the credit. `expired`: it went back while the work was still open. */
  hold: 'none' | 'held' | 'shared' | 'settled' | 'expired'
  charged: boolean
  reason: string
  resolutionId: string | null
  website: ModelWebsite | null
  isTest: boolean
  createdAt: number
  keptUntil: number
}

/** The shared answer for a domain. */
export interface ModelAnswer {
  id: string
  domain: string
  outcome: string
  number: string | null
  resolvedAt: number
  expiresAt: number
  /** The company by the rules alone. */
  numberByRules: string | null
}

export interface ModelWebsite {
  number: string
  /** `needs_review`: the second reader objects to what the rules matched. */
  status: 'verified' | 'needs_review' | 'not_found'
  domain: string | null
  resolutionId: string | null
  expiresAt: number
}

export interface ModelWork {
  deadlineAt: number
  claimedBy: QueuedJob | null
  claimedUntil: number
  /** Claims that were never given back. */
  deaths: number
}

/** A job of the engine: one attempt after another until it is done or dead. */
export interface QueuedJob {
  kind: 'domain' | 'company'
  subject: string
  isFresh: boolean
  attempts: number
}

export interface ModelReview {
  state: 'open' | 'decided' | 'closed'
  resolutionId: string
  isDecided: boolean
  /** Answered in place of the shared answer; null for none of them. */
  override: { number: string | null } | null
}

export interface KeptReply {
  path: string
  body: string
  until: number
  status: number
  answer: unknown
}

export interface ModelBulk {
  id: string
  status: 'running' | 'paused' | 'completed' | 'cancelled'
  rows: ModelRow[]
  forgottenAt: number
}

export interface ModelRow {
  domain: string | null
  state: string
  /** The company of its answer. */
  number?: string | null
  charged: boolean
}

export interface ModelPayment {
  until: number
  /** The same for a subject and a fact that one credit paid for. */
  ref: number
  jobId: string | null
}

/** The credit of a disputed match. */
export interface ModelRequest {
  domain: string
  number: string
  payment: ModelPayment
  status: 'refunded' | 'waiting' | 'withdrawn'
  at: number
}

export interface ModelAccount {
  name: string
  id: string
  key: string
  testKey: string
  acceptsReader: boolean
  oldKeys: Array<{ key: string; until: number }>
  balance: number
  /** London date of the next month's credits. */
  renewsOn: string | null
  granted: Set<string>
  /** By kind and subject: how long it is free. */
  paid: Map<string, ModelPayment>
  /** By domain and number: how long it is free in both directions. */
  facts: Map<string, ModelPayment>
  /** By domain and number: the credit came back, and it was not paid for again. */
  refunded: Set<string>
  /** When credits were spent. */
  spentAt: number[]
  requests: ModelRequest[]
  jobs: ModelJob[]
  replies: Map<string, KeptReply>
  reviews: Map<string, ModelReview>
  /** Resolutions that this account has decided on. */
  looked: Set<string>
  /** Resolutions that this account got without a job. */
  entered: Set<string>
  /** By domain and number: pairs that are not answered, and what became of the credit. */
  blocked: Map<string, { request: ModelRequest | null }>
  /** By the same pair: the company that the dispute named instead. */
  disputedFor: Map<string, string | null>
  usage: Map<string, { answers: number; credits: number }>
  bulkJobs: ModelBulk[]
}

export interface Model {
  now: number
  sites: ModelSite[]
  accounts: [ModelAccount, ModelAccount]
  known: Map<string, ModelAnswer>
  /** Every answer there ever was, by id. */
  answers: Map<string, ModelAnswer>
  websites: Map<string, ModelWebsite>
  works: Map<string, ModelWork>
  queue: QueuedJob[]
  /** Queued jobs that request the rows of a bulk job. */
  feeds: number
}

export const keyOf = (kind: string, subject: string) => `${kind} ${subject}`

export function heldBy({ jobs }: ModelAccount): number {
  return jobs.filter(({ hold }) => hold === 'held').length
}

export function availableTo(account: ModelAccount): number {
  return account.balance - heldBy(account)
}

export function countAnswer(account: ModelAccount, outcome: string, credits = 0, answers = 1): void {
  const before = account.usage.get(outcome) ?? { answers: 0, credits: 0 }
  account.usage.set(outcome, { answers: before.answers + answers, credits: before.credits + credits })
}

export function siteOf({ sites }: Model, domain: string): ModelSite {
  const site = sites.find((one) => one.domain === domain)
  if (!site) throw new Error(`the model has no site ${domain}`)
  return site
}

export const nameOf = (account: number) => (account % 2 === 0 ? 'A' : 'B')

export function chooseAccount({ accounts }: Model, index: number): ModelAccount {
  return accounts[index % 2 === 0 ? 0 : 1]
}
