import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { assertListening, closeListener, fetchEvents, openListener, waitForEvents } from '../../../webhooks/index.ts'
import { callerOf, changeOf, originOf } from '../../http/caller.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { DestinationId, ReplayNote, SigningSecret, Subscription } from './destinations.ts'

const RECEIVED_MAX = 100
const WAIT_SECONDS_MAX = 25

const Listener = z
  .object({
    id: z.int(),
    secret: SigningSecret,
    note: ReplayNote,
    expires_at: Time.describe('Each request for events extends it.'),
  })
  .meta({ id: 'WebhookListener' })

const Closed = z.object({ id: z.int(), deleted: z.literal(true) }).meta({ id: 'ClosedListener' })

const FetchedEvents = z
  .object({
    data: z.array(
      z.object({
        event_id: z.string(),
        signal_type: z.string(),
        body: z.string().describe('The text of the event, as a destination gets it.'),
        attempt: z.int(),
      }),
    ),
  })
  .meta({ id: 'FetchedEvents' })

export function webhookListenersRoutes(app: App, server: Server): void {
  server.post('/v1/webhook-listeners', OPEN, async (request, reply) => {
    const caller = callerOf(request)
    const work = async (once: App) => {
      const signalType = request.body?.signal_type ?? 'all'
      const { id, secret, expiresAt } = await openListener(once, { ...caller, signalType, origin: originOf(request) })
      const shownOnce = { member: 'secret', note: 'The secret was in the first answer alone. Open another listener.' }
      return { status: 201, body: { id, secret, expires_at: presentTime(expiresAt) }, shownOnce }
    }
    return respondOnce(app, { request, reply, caller }, work, async (kept) => {
      const { id } = kept.body as { id: number }
      await assertListening(app.db, { ...caller, id }, app.clock.now())
      return kept
    })
  })

  server.post('/v1/webhook-listeners/:id/events', FETCH, async (request, reply) => {
    const own = changeOf(request)
    const { received, wait_seconds: waitSeconds } = request.body
    let events = await fetchEvents(app, { ...own, received })
    if (events.length === 0 && waitSeconds > 0) {
      await waitForEvents(app, own.id, { forMs: waitSeconds * 1_000, signal: signalOfLeaving(reply) })
      events = await fetchEvents(app, { ...own, received: [] })
    }
    return { data: events.map(presentMembers) }
  })

  server.delete('/v1/webhook-listeners/:id', CLOSE, async (request) => {
    await closeListener(app, changeOf(request))
    return { id: request.params.id, deleted: true as const }
  })
}

/** Not `request.signal`, which is silent once a body was read. */
function signalOfLeaving({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => left.abort())
  return left.signal
}

const describe = describeRoutes({ tag: 'Webhooks', accepts: ['session', 'key'] })

const OPEN = describe({
  operationId: 'openListener',
  summary: 'Listen for events from a developer’s machine',
  description:
    'For `nameplate listen`, which forwards your events to a local port while you develop: a destination without an address, ' +
    'whose events you fetch. With the live key or a session it gets live events, with the test key test events. It ends ' +
    'five minutes after the last request for events. At most five at a time.',
  idempotent: true,
  body: z.object({ signal_type: Subscription.default('all') }).nullish(),
  answers: { 201: { description: 'The listener, and the secret to sign with.', schema: Listener } },
  errors: ['listener_limit_reached', 'not_found'],
})

const FETCH = describe({
  operationId: 'fetchEvents',
  summary: 'The events that came for a listener',
  description: 'The oldest first, at most 50. Events that you do not name in `received` the next time come again.',
  assertOwned: ({ db, clock }, caller, id) => assertListening(db, { ...caller, id: Number(id) }, clock.now()),
  params: DestinationId,
  body: z.object({
    received: z
      .array(z.string().max(64))
      .max(RECEIVED_MAX)
      .default([])
      .describe('The ids of events that you forwarded.'),
    wait_seconds: z
      .int()
      .min(0)
      .max(WAIT_SECONDS_MAX)
      .default(0)
      .describe('How long to wait if there are no events; the response comes as soon as there is one.'),
  }),
  answers: { 200: { description: 'Events, or none.', schema: FetchedEvents } },
  errors: ['not_found'],
})

const CLOSE = describe({
  operationId: 'closeListener',
  summary: 'Stop listening',
  params: DestinationId,
  answers: { 200: { description: 'It has ended.', schema: Closed } },
  errors: ['not_found'],
})
