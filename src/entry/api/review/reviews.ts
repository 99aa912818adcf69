/** Where people decide: one review, its decision, and disputes of what was matched. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { parseCompanyNumber } from '../../../register/index.ts'
import {
  DISPUTES_MAX,
  decideReview,
  disputeResolution,
  getReview,
  REFUNDS_MIN,
  withdrawDecision,
} from '../../../review/index.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { DecisionBody, presentDecision, presentDetail, RefundStatus, ReviewDetail } from './bodies.ts'

const REASON_LENGTH_MAX = 500
const REVIEWER_LENGTH_MAX = 200

const Words = (max: number) => z.string().trim().min(1).max(max)
/** The person and the reason of a decision. */
export const decisionWords = {
  company_number: z.string().max(20).optional(),
  reviewer: Words(REVIEWER_LENGTH_MAX)
    .optional()
    .describe('The person who decides; by default the account’s e-mail address.'),
  reason: Words(REASON_LENGTH_MAX)
    .optional()
    .describe('The reason; we show it with every answer that follows from the decision.'),
}

export const VerdictAction = z
  .enum(['accept', 'reject', 'reassign'], { error: 'must be accept, reject or reassign' })
  .describe('`accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register.')

const VerdictBody = z.object({
  ...decisionWords,
  action: VerdictAction,
  company_number: decisionWords.company_number.describe(
    'To accept: by default the best candidate. To reassign: required.',
  ),
})

const DisputeBody = z
  .object({
    ...decisionWords,
    company_number: decisionWords.company_number.describe('The right company, if you know it.'),
  })
  .nullish()

const DisputeAnswer = z
  .object({
    domain: z.string(),
    blocked_company_number: z.string().describe('Your account does not get this company for the domain again.'),
    refunded: z.boolean().describe('Whether we refunded the credit.'),
    refund_status: RefundStatus.nullable()
      .optional()
      .describe('The state of the refund; null if you did not pay for the match in the last 30 days.'),
    credits_available: z.int(),
    decision: DecisionBody,
  })
  .meta({ id: 'Dispute' })

export function reviewsRoutes(app: App, server: Server): void {
  server.get('/v1/reviews/:id', GET, async (request) => {
    return presentDetail(await getReview(app, ownReview(request)))
  })

  server.post('/v1/reviews/:id/decision', DECIDE, async (request) => {
    const own = ownReview(request)
    const origin = originOf(request)
    await decideReview(app, { ...own, action: request.body.action, ...readSaid(request.body), origin })
    return presentDetail(await getReview(app, own))
  })

  server.delete('/v1/reviews/:id/decision', WITHDRAW, async (request) => {
    const own = ownReview(request)
    await withdrawDecision(app, { ...own, origin: originOf(request) })
    return presentDetail(await getReview(app, own))
  })

  server.post('/v1/resolutions/:id/dispute', DISPUTE, async (request) => {
    const { accountId, id: resolutionId } = ownReview(request)
    const dispute = { accountId, resolutionId, ...readSaid(request.body ?? {}), origin: originOf(request) }
    const { domain, blockedCompanyNumber, refunded, available, decision } = await disputeResolution(app, dispute)
    return {
      domain,
      blocked_company_number: blockedCompanyNumber,
      refunded,
      refund_status: decision.refundStatus,
      credits_available: available,
      decision: presentDecision(decision),
    }
  })
}

export function ownReview(request: FastifyRequest & { params: { id: string } }): { accountId: string; id: string } {
  return { accountId: assertLive(callerOf(request)).accountId, id: request.params.id }
}

/** Test answers are fixed: there is nothing in them to decide. */
export function assertLive(caller: Caller): Caller {
  if (caller.mode === 'live') return caller
  throw new DomainError('not_found', 'Test keys have no reviews and nothing to dispute. Use your live key.')
}

interface Said {
  company_number?: string | undefined
  reviewer?: string | undefined
  reason?: string | undefined
}

function readSaid({ company_number: typed, reviewer, reason }: Said) {
  return { companyNumber: readNumber(typed), reviewer: reviewer ?? null, reason: reason ?? null }
}

export function readNumber(typed: string | undefined): string | null {
  if (typed === undefined) return null
  const number = parseCompanyNumber(typed)
  if (number === null) throw invalidRequest([{ field: 'company_number', message: 'is not a company number' }])
  return number
}

const OF_REVIEW = {
  tag: 'Review',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
} as const

const GET = describeRoute({
  operationId: 'getReview',
  summary: 'Everything you need for one decision',
  description: 'The candidates with the quotes from the site, their weights, and earlier decisions.',
  ...OF_REVIEW,
  answers: { 200: { description: 'The review.', schema: ReviewDetail } },
  errors: ['not_found'],
})

const DECIDE = describeRoute({
  operationId: 'decideReview',
  summary: 'Say which company it is, or that it is none of them',
  description:
    'Free. From now on your account gets this answer for the domain, at once and free of charge, with `decided_by`. Other ' +
    'accounts do not. A new decision replaces it, and we keep the earlier ones.',
  ...OF_REVIEW,
  assertOwned: (app, caller, id) => getReview(app, { accountId: assertLive(caller).accountId, id }),
  body: VerdictBody,
  answers: { 200: { description: 'The review as it is now.', schema: ReviewDetail } },
  errors: ['not_found', 'company_not_found'],
})

const WITHDRAW = describeRoute({
  operationId: 'withdrawDecision',
  summary: 'Take a decision back',
  description:
    'The shared answer counts again, and returns to the list if it needs review. This also withdraws disputes. If the credit ' +
    'was refunded, you keep it and pay for the next match; otherwise you get back what you paid for.',
  ...OF_REVIEW,
  answers: { 200: { description: 'The review as it is now.', schema: ReviewDetail } },
  errors: ['not_found'],
})

const DISPUTE = describeRoute({
  operationId: 'disputeResolution',
  summary: 'Say that a match is wrong',
  description:
    'Send a `reason`, or the right company as `company_number`. Your account does not get the disputed company for this domain ' +
    'again; with `company_number`, it gets that company instead. If your account paid for the match in the last 30 days, we ' +
    'read the site again, unless we read it in the last 15 minutes. If the site no longer names the company, we refund the ' +
    `credit. If it does, we refund up to 10 % of the matches you paid for in 30 days (at least ${REFUNDS_MIN}), and our ` +
    'staff decide on the others: see `refund_status`. We do not show a refunded answer again. Disputing twice changes ' +
    `nothing. At most ${DISPUTES_MAX} disputes in 24 hours.`,
  ...OF_REVIEW,
  body: DisputeBody,
  answers: { 200: { description: 'The dispute and its refund.', schema: DisputeAnswer } },
  errors: ['not_found', 'company_not_found', 'rate_limited'],
})
