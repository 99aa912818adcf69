/** Decisions on many reviews at once: those that are alike, and one request that decides or withdraws all of them. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  ALIKE_BY,
  ALIKE_MAX,
  type AlikeReviews,
  DECISIONS_MAX,
  type Done,
  decideMany,
  getReview,
  listAlike,
  withdrawMany,
} from '../../../review/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import { ERRORS } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { presentMembers } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { Compared, Difference, presentReplaced, Replaced, readSeen, Seen } from './bodies.ts'
import { assertLive, decisionWords, ownReview, readNumber, VerdictAction } from './reviews.ts'

const ReviewId = z.string().max(64)

const AlikeBody = z
  .object({
    kinds: z.array(
      z.object({
        alike_by: z.enum(ALIKE_BY),
        says: z.string().describe('What they have in common.'),
        count: z.int(),
        has_more: z.boolean(),
      }),
    ),
    data: z.array(
      z.object({
        id: z.string(),
        domain: z.string(),
        alike_by: z
          .enum(ALIKE_BY)
          .describe(
            '`company`: its best candidate is the same. `group`: its best candidate belongs to the same group. `doubt`: ' +
              'the kind of doubt is the same.',
          ),
        confidence: z.number().nullable(),
        reason: z.string(),
        company_number: z.string().nullable().describe('The candidate that would be accepted; null to reject.'),
        company_name: z.string().nullable(),
        compared: Compared,
        differences: z.array(Difference).describe('Where its site differs from the register’s record of that company.'),
      }),
    ),
  })
  .meta({ id: 'AlikeReviews' })

const DoneBody = z
  .object({
    done: z.int().describe('How many were decided or withdrawn now.'),
    data: z.array(
      z.object({
        id: z.string(),
        result: z
          .enum(['done', 'unchanged', 'refused'])
          .describe('`unchanged`: it was so before, and nothing was written.'),
        company_number: z.string().nullable(),
        replaced: Replaced,
        problem: z
          .object({ code: z.string(), title: z.string(), detail: z.string() })
          .nullable()
          .describe('Why it was refused.'),
        decided_since: z
          .boolean()
          .optional()
          .describe('It was refused because another decision was made after the one that you saw. That one stays.'),
      }),
    ),
  })
  .meta({ id: 'ReviewsDone' })

const ManyBody = z.object({
  items: z
    .array(
      z.object({
        id: ReviewId,
        action: VerdictAction,
        company_number: z.string().max(20).optional(),
        reviewer: decisionWords.reviewer.describe('Instead of the `reviewer` of the request.'),
        reason: decisionWords.reason.describe('Instead of the `reason` of the request.'),
        seen_decision: Seen,
      }),
    )
    .min(1)
    .max(DECISIONS_MAX),
  reviewer: decisionWords.reviewer,
  reason: decisionWords.reason,
})

const WithdrawBody = z
  .object({
    ids: z.array(ReviewId).min(1).max(DECISIONS_MAX).optional(),
    items: z
      .array(z.object({ id: ReviewId, seen_decision: Seen }))
      .min(1)
      .max(DECISIONS_MAX)
      .optional()
      .describe('Instead of `ids`: each with the decision that you saw.'),
  })
  .refine(({ ids, items }) => (ids === undefined) !== (items === undefined), {
    path: ['items'],
    error: 'give `ids` or `items`',
  })

export function togetherRoutes(app: App, server: Server): void {
  server.get('/v1/reviews/:id/similar', ALIKE, async (request) => {
    const { action, company_number: typed } = request.query
    return presentAlike(await listAlike(app, { ...ownReview(request), action, companyNumber: readNumber(typed) }))
  })

  server.post('/v1/reviews/decisions', DECIDE_MANY, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    const { items, reviewer = null, reason = null } = request.body
    const asked = items.map((item) => ({
      id: item.id,
      action: item.action,
      companyNumber: readNumber(item.company_number),
      reviewer: item.reviewer ?? reviewer,
      reason: item.reason ?? reason,
      seen: readSeen(item.seen_decision),
    }))
    return presentDone(await decideMany(app, { accountId, items: asked, origin: originOf(request) }))
  })

  server.post('/v1/reviews/decisions/withdraw', WITHDRAW_MANY, async (request) => {
    const { accountId } = assertLive(callerOf(request))
    const { ids = [], items = ids.map((id) => ({ id, seen_decision: undefined })) } = request.body
    const asked = items.map(({ id, seen_decision: seen }) => ({ id, seen: readSeen(seen) }))
    return presentDone(await withdrawMany(app, { accountId, items: asked, origin: originOf(request) }))
  })
}

function presentAlike({ kinds, items }: AlikeReviews): z.input<typeof AlikeBody> {
  return {
    kinds: kinds.map(({ by, says, count, hasMore }) => ({ alike_by: by, says, count, has_more: hasMore })),
    data: items.map(({ by, company, ...item }) => ({
      ...item,
      alike_by: by,
      company_number: company?.number ?? null,
      company_name: company?.name ?? null,
    })),
  }
}

function presentDone(done: Done[]): z.input<typeof DoneBody> {
  return {
    done: done.filter(({ result }) => result === 'done').length,
    data: done.map(({ problem, replaced, ...one }) => ({
      ...presentMembers(one),
      replaced: presentReplaced(replaced),
      problem: problem && { code: problem.code, title: ERRORS[problem.code].title, detail: problem.detail },
    })),
  }
}

const ALIKE = describeRoute({
  operationId: 'listSimilarReviews',
  summary: 'Open reviews to which the same decision applies',
  description:
    'Each is listed once, by the closest of three kinds: its best candidate is the same company, a company of the same group, or ' +
    `the kind of doubt is the same. At most ${ALIKE_MAX} of each kind. Nothing is decided: send those that you agree with ` +
    'to `POST /v1/reviews/decisions`.',
  tag: 'Review',
  accepts: ['session', 'key'],
  params: z.object({ id: ReviewId }),
  assertOwned: (service, caller, id) => getReview(service, { accountId: assertLive(caller).accountId, id }),
  querystring: z.object({
    action: z.enum(['accept', 'reject']).default('accept').describe('The decision that would apply to them too.'),
    company_number: z.string().max(20).optional().describe('The candidate; by default the best one.'),
  }),
  answers: { 200: { description: 'What is alike, with a preview.', schema: AlikeBody } },
  errors: ['not_found'],
})

const DECIDE_MANY = describeRoute({
  operationId: 'decideReviews',
  summary: 'Decide many reviews in one request',
  description:
    'Free. Each is decided by itself, as `POST /v1/reviews/{id}/decision` does: one that is refused leaves the others in force, and ' +
    `is reported with its problem. The same request again changes nothing. At most ${DECISIONS_MAX} reviews.`,
  tag: 'Review',
  accepts: ['session', 'key'],
  body: ManyBody,
  answers: { 200: { description: 'The result for each review, in the order of the request.', schema: DoneBody } },
  errors: ['not_found'],
})

const WITHDRAW_MANY = describeRoute({
  operationId: 'withdrawDecisions',
  summary: 'Take many decisions back',
  description:
    `The opposite of \`POST /v1/reviews/decisions\`. At most ${DECISIONS_MAX} reviews; the same request again changes nothing. With ` +
    '`items`, a decision that was made after the one that you saw stays.',
  tag: 'Review',
  accepts: ['session', 'key'],
  body: WithdrawBody,
  answers: { 200: { description: 'The result for each review, in the order of the request.', schema: DoneBody } },
  errors: ['not_found'],
})
