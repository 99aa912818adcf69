/** Where people decide: the list of answers that need review, decisions, and disputes of what was matched. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { REVIEW_CURSOR } from '../../../decisions/index.ts'
import { DomainError } from '../../../errors.ts'
import { parseCompanyNumber } from '../../../register/index.ts'
import {
  DISPUTES_MAX,
  decideReview,
  disputeResolution,
  getReview,
  listReviews,
  REFUNDS_MIN,
  type ReviewPage,
  withdrawDecision,
} from '../../../review/index.ts'
import { type Caller, callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { PageQuery } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { cursorOf, presentPage, toOffset } from '../cursor-page.ts'
import {
  DecisionBody,
  presentDecision,
  presentDetail,
  presentReview,
  RefundStatus,
  ReviewDetail,
  ReviewPageBody,
} from './bodies.ts'

const REASON_LENGTH_MAX = 500
const REVIEWER_LENGTH_MAX = 200

const Words = (max: number) => z.string().trim().min(1).max(max)
const said = {
  company_number: z.string().max(20).optional(),
  reviewer: Words(REVIEWER_LENGTH_MAX).optional().describe('Who decides; the account’s e-mail address unless said.'),
  reason: Words(REASON_LENGTH_MAX).optional().describe('Why; shown with every answer that follows from it.'),
}

const VerdictBody = z.object({
  ...said,
  action: z
    .enum(['accept', 'reject', 'reassign'], { error: 'must be accept, reject or reassign' })
    .describe('`accept` a candidate, `reject` them all, or `reassign` the domain to any company of the register.'),
  company_number: said.company_number.describe('To accept: the best candidate unless said. To reassign: needed.'),
})

const DisputeBody = z
  .object({ ...said, company_number: said.company_number.describe('The right company, if you know it.') })
  .nullish()

const DisputeAnswer = z
  .object({
    domain: z.string(),
    blocked_company_number: z.string().describe('Not answered to your account for this domain again.'),
    refunded: z.boolean().describe('Whether the credit has come back.'),
    refund_status: RefundStatus.nullable()
      .optional()
      .describe('What becomes of the credit; null where you had not paid for it in the last 30 days.'),
    credits_available: z.int(),
    decision: DecisionBody,
  })
  .meta({ id: 'Dispute' })

export function reviewsRoutes(app: App, server: Server): void {
  server.get('/v1/reviews', LIST, async (request) => {
    const { accountId, mode } = callerOf(request)
    const { status, domain, limit, cursor } = request.query
    const offset = toOffset(request.query, 'reviews')
    const ask = { accountId, status, domain, limit, offset, cursor }
    const { items, nextCursor } = mode === 'test' ? NOTHING : await listReviews(app.db, ask)
    return presentPage(items.map(presentReview), request.query, nextCursor)
  })

  server.get('/v1/reviews/:id', GET, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    return presentDetail(await getReview(app, { accountId, id: request.params.id }))
  })

  server.post('/v1/reviews/:id/decision', DECIDE, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    const own = { accountId, id: request.params.id }
    await decideReview(app, { ...own, action: request.body.action, ...readSaid(request.body) })
    return presentDetail(await getReview(app, own))
  })

  server.delete('/v1/reviews/:id/decision', WITHDRAW, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    const own = { accountId, id: request.params.id }
    await withdrawDecision(app, own)
    return presentDetail(await getReview(app, own))
  })

  server.post('/v1/resolutions/:id/dispute', DISPUTE, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    const dispute = { accountId, resolutionId: request.params.id, ...readSaid(request.body ?? {}) }
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

const NOTHING: ReviewPage = { items: [], nextCursor: null }

/** Test answers are fixed: there is nothing in them to decide. */
function assertLive(caller: Caller): Caller {
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

function readNumber(typed: string | undefined): string | null {
  if (typed === undefined) return null
  const number = parseCompanyNumber(typed)
  if (number === null) throw invalidRequest([{ field: 'company_number', message: 'is not a company number' }])
  return number
}

const ReviewId = z.object({ id: z.string().max(64) })

const LIST = describeRoute({
  operationId: 'listReviews',
  summary: 'Answers that need a person, and what people decided',
  description:
    'Open ones with the surest candidate first, as they take least time; decided ones newest first, disputes included. ' +
    'Every answer `needs_review` that your account was given is here, until somebody decides or a newer answer leaves ' +
    'nothing to look at.',
  tag: 'Review',
  accepts: ['session', 'key'],
  querystring: PageQuery.extend({
    status: z.enum(['open', 'decided'], { error: 'must be open or decided' }).default('open'),
    domain: z.string().toLowerCase().max(253).optional().describe('Only this one.'),
    cursor: cursorOf(REVIEW_CURSOR),
  }),
  answers: { 200: { description: 'A page of reviews.', schema: ReviewPageBody } },
})

const GET = describeRoute({
  operationId: 'getReview',
  summary: 'All there is to look at for one decision',
  description: 'The candidates with the words on the site, how they were weighed, and what was decided before.',
  tag: 'Review',
  accepts: ['session', 'key'],
  params: ReviewId,
  answers: { 200: { description: 'The review.', schema: ReviewDetail } },
  errors: ['not_found'],
})

const DECIDE = describeRoute({
  operationId: 'decideReview',
  summary: 'Say which company it is, or that it is none of them',
  description:
    'Free. From now on your account is answered this for the domain, at once and for nothing, with `decided_by`; no other ' +
    'account is. Deciding again replaces it, and what was decided before is kept.',
  tag: 'Review',
  accepts: ['session', 'key'],
  assertOwned: (app, caller, id) => getReview(app, { accountId: assertLive(caller).accountId, id }),
  params: ReviewId,
  body: VerdictBody,
  answers: { 200: { description: 'The review as it is now.', schema: ReviewDetail } },
  errors: ['not_found', 'company_not_found'],
})

const WITHDRAW = describeRoute({
  operationId: 'withdrawDecision',
  summary: 'Take a decision back',
  description:
    'The shared answer counts again, and stands on the list again where it needs review. Also takes disputes back: a credit ' +
    'that came back stays, and the next match is charged; otherwise what you paid for is yours again.',
  tag: 'Review',
  accepts: ['session', 'key'],
  params: ReviewId,
  answers: { 200: { description: 'The review as it is now.', schema: ReviewDetail } },
  errors: ['not_found'],
})

const DISPUTE = describeRoute({
  operationId: 'disputeResolution',
  summary: 'Say that a match is wrong',
  description:
    'Needs a `reason`, or the right company as `company_number`. Your account is not answered this company for the domain ' +
    'again; with `company_number`, it is answered that company instead. If your account paid for the match in the last 30 ' +
    'days, the site is read again, unless it was in the last 15 minutes. When it no longer names the company, the credit ' +
    `comes back; when it does, the credit comes back for up to 10 % of the matches you paid for in 30 days (at least ${REFUNDS_MIN}), ` +
    'and our staff decide on the others: `refund_status` says so. What a refund gave back is not shown again. Doing it ' +
    `twice changes nothing. At most ${DISPUTES_MAX} in 24 hours.`,
  tag: 'Review',
  accepts: ['session', 'key'],
  params: ReviewId,
  body: DisputeBody,
  answers: { 200: { description: 'What it came to.', schema: DisputeAnswer } },
  errors: ['not_found', 'company_not_found', 'rate_limited'],
})
