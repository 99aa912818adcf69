import { z } from 'zod'
import type { App } from '../../../app.ts'
import { listFeed, presentSignal, SIGNAL_ID, SIGNAL_TYPES } from '../../../signals/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { PageQuery, pageOf } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { SignalBody, toOffset } from '../register/company-signals.ts'

const SignalFeed = pageOf(SignalBody)
  .extend({
    next_cursor: z.string().nullable().describe('Send as `cursor` to go on; stable while new signals arrive.'),
  })
  .meta({ id: 'SignalFeed' })

export function signalFeedRoutes(app: App, server: Server): void {
  server.get('/v1/signals', FEED, async (request) => {
    const { accountId, mode } = callerOf(request)
    const { signal_type: asked, page, limit, cursor } = request.query
    const offset = toOffset(request.query)
    const signalType = asked === 'all' ? undefined : asked
    const { signals, nextCursor } = await listFeed(app.db, { accountId, mode, signalType, limit, offset, cursor })
    return {
      data: signals.map(presentSignal),
      page,
      limit,
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    }
  })
}

const FEED = describeRoute({
  operationId: 'listSignals',
  summary: 'What changed about the companies you watch',
  description:
    'Newest first by detection. Companies watched now, since they are watched: what was before is in the company’s own ' +
    'history.',
  tag: 'Watchlist',
  accepts: ['session', 'key'],
  querystring: PageQuery.extend({
    signal_type: z
      .enum([...SIGNAL_TYPES, 'all'], { error: `must be one of ${[...SIGNAL_TYPES, 'all'].join(', ')}` })
      .default('all')
      .describe('Only this type.'),
    cursor: z.string().regex(SIGNAL_ID).optional().describe('`next_cursor` of the page before, instead of `page`.'),
  }),
  answers: { 200: { description: 'A page of signals.', schema: SignalFeed } },
})
