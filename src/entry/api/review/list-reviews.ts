/** The list of reviews: its filters, its orders and its counts. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { REVIEW_CURSOR, REVIEW_SORTS } from '../../../decisions/index.ts'
import { DOUBTS, listReviews, type ReviewPage } from '../../../review/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate, PageQuery, presentMembers } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { cursorOf, presentPage, toOffset } from '../cursor-page.ts'
import { presentReview, ReviewPageBody } from './bodies.ts'

const Share = z.coerce.number().min(0).max(1)
const TEXT_LENGTH_MAX = 100

export function listReviewsRoute(app: App, server: Server): void {
  server.get('/v1/reviews', LIST, async (request) => {
    const { accountId, mode } = callerOf(request)
    const { page: _page, q: text, doubt: situation, ...query } = request.query
    const { confidence_min: confidenceMin, confidence_max: confidenceMax, bulk_id: bulkId, ...rest } = query
    const ask = { accountId, text, situation, confidenceMin, confidenceMax, bulkId, ...rest }
    const offset = toOffset(request.query, 'reviews')
    const { items, nextCursor, counts } = mode === 'test' ? NOTHING : await listReviews(app, { ...ask, offset })
    return { ...presentPage(items.map(presentReview), request.query, nextCursor), counts: presentMembers(counts) }
  })
}

const NOTHING: ReviewPage = { items: [], nextCursor: null, counts: { open: 0, decidedToday: 0, total: 0 } }

const LIST = describeRoute({
  operationId: 'listReviews',
  summary: 'Answers that need a person, and decisions',
  description:
    'Open reviews start with the most probable candidate, as they take least time. Decided ones, with disputes, are newest first. ' +
    'The list has every `needs_review` answer of your account, until a person decides or a newer answer leaves ' +
    'nothing to decide.',
  tag: 'Review',
  accepts: ['session', 'key'],
  querystring: PageQuery.extend({
    status: z.enum(['open', 'decided'], { error: 'must be open or decided' }).default('open'),
    domain: z.string().toLowerCase().max(253).optional().describe('Only this one.'),
    q: z
      .string()
      .max(TEXT_LENGTH_MAX)
      .optional()
      .describe('The beginning of a domain, a part of a candidate’s name, or a candidate’s number.'),
    doubt: z.enum(DOUBTS).optional().describe('Only this kind of doubt.'),
    confidence_min: Share.optional().describe('Of the best candidate, from 0 to 1.'),
    confidence_max: Share.optional(),
    bulk_id: z.string().max(64).optional().describe('Only domains of this bulk job.'),
    from: AskedDate.optional().describe('Added on this day in London or later; of those decided, decided.'),
    to: AskedDate.optional().describe('On this day or earlier.'),
    sort: z
      .enum(REVIEW_SORTS)
      .optional()
      .describe('By default `surest` for open reviews and `newest` for decided ones.'),
    cursor: cursorOf(REVIEW_CURSOR),
  }),
  answers: { 200: { description: 'A page of reviews.', schema: ReviewPageBody } },
})
