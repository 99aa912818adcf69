import { z } from 'zod'
import type { App } from '../../../app.ts'
import { BriefCache } from '../../../lib/brief-cache.ts'
import { readFreshness, readRestBudget } from '../../../register/index.ts'
import { readBacklog } from '../../../webhooks/index.ts'
import { admitAddress } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, presentMembers, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'

const Stream = z
  .object({
    stream: z.string(),
    lag_seconds: z.int().nullable().describe('At most this far behind the register; null before the first event.'),
    last_event_at: Time.nullable(),
    gap_since: Time.nullable().describe('We missed events from here on; the next snapshot closes the gap.'),
    followed: z.boolean(),
  })
  .meta({ id: 'StreamStatus' })

const Status = z
  .object({
    register: z.object({
      streams: z.array(Stream),
      snapshot: z.object({ as_of: CalendarDate.nullable(), finished_at: Time, companies: z.int() }).nullable(),
      rest_budget: z.object({ limit: z.int(), left: z.int(), window_seconds: z.int() }),
    }),
    webhooks: z.object({
      due: z.int().describe('Deliveries that are due, with those of paused destinations.'),
      waiting: z.int().describe('Deliveries that wait for a later attempt.'),
      disabled_destinations: z.int(),
    }),
    jobs: z.object({ ready: z.int(), active: z.int(), dead: z.int() }),
  })
  .meta({ id: 'Status' })

const KEPT_MS = 1_000
const STATUS_LIMIT = { name: 'operations', burst: 120, perSecond: 20 }

export function statusRoutes(app: App, server: Server): void {
  const status = new BriefCache({ keptMs: KEPT_MS, load: () => readStatus(app) })
  server.get('/v1/status', STATUS, async (request, reply) => {
    await admitAddress(app, request, reply, STATUS_LIMIT)
    // A status that is a few seconds old does no harm.
    void reply.header('cache-control', 'public, max-age=5')
    return status.get()
  })
}

async function readStatus(app: App): Promise<z.input<typeof Status>> {
  const [{ streams, snapshot }, budget, backlog, queues] = await Promise.all([
    readFreshness(app),
    readRestBudget(app),
    readBacklog(app.db, app.clock.now()),
    app.jobs.listQueues(),
  ])
  const sum = (state: 'ready' | 'active' | 'dead') => queues.reduce((total, queue) => total + queue[state], 0)
  return {
    register: {
      streams: streams.map((stream) => ({ ...presentMembers(stream), followed: stream.isFollowed })),
      snapshot: snapshot && { ...presentMembers(snapshot), companies: snapshot.rows },
      rest_budget: budget,
    },
    webhooks: presentMembers(backlog),
    jobs: { ready: sum('ready'), active: sum('active'), dead: sum('dead') },
  }
}

const STATUS = describeRoute({
  operationId: 'getStatus',
  summary: 'How fresh is the register?',
  description:
    'The lag of each stream, the last snapshot, the requests left at the register, the backlog of webhooks, and the queues.',
  tag: 'Operations',
  answers: { 200: { description: 'The status.', schema: Status } },
  errors: ['rate_limited'],
})
