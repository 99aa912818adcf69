/** Recovery after a receiver was down: read deliveries, send a test, enable the destination, replay what it missed. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  enableDestination,
  getDestination,
  type LoggedAttempt,
  listDeliveries,
  replayEvents,
  rotateSecret,
  tryDestination,
} from '../../../webhooks/index.ts'
import { assertNotTooOften, callerOf, changeOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { MaybeText, PageQuery, presentMembers, presentTime, Time } from '../../http/page.ts'
import { cursorPageOf, presentPage, toOffset } from '../cursor-page.ts'
import {
  DestinationBody,
  DestinationId,
  describe,
  HOW_TO_REPLACE,
  presentDestination,
  ReplayNote,
  replayIfStillThere,
  SigningSecret,
} from './destinations.ts'

/** Each test keeps a connection to the receiver open until it responds. */
const TRIAL_LIMIT = { name: 'webhook-test', burst: 20, perSecond: 20 / 60 }

const answered = {
  status: z.int().nullable().describe('The status that the receiver returned; null without a usable response.'),
  error: MaybeText.describe(
    'Why there is no response: `timeout`, `refused`, `reset`, `certificate`, `tls`, `name_not_found`, `blocked`, …',
  ),
  duration_ms: z.int(),
  response: z.string().describe('The first 4 kB of the response, as text.'),
}

const LoggedAttemptBody = z
  .object({
    id: z.int(),
    event_id: z.string().describe('`evt_…`, the same on every attempt.'),
    signal_type: z.string(),
    attempt: z.int().describe('From 1; a replay begins again.'),
    replay: z.boolean(),
    started_at: Time,
    ...answered,
    request: z
      .string()
      .describe('The body that we sent, the same on every attempt; of Slack and Teams the event in their message.'),
    state: z
      .enum(['pending', 'delivered', 'failed', 'missed'])
      .describe(
        'The present state of the delivery. `failed`: the last attempt failed. `missed`: the destination was disabled.',
      ),
    next_attempt_at: Time.nullable(),
  })
  .meta({ id: 'WebhookAttempt' })

const AttemptPage = cursorPageOf(LoggedAttemptBody, 'new attempts arrive').meta({ id: 'WebhookAttempts' })

const TrialBody = z.object({ event_id: z.string(), delivered: z.boolean(), ...answered }).meta({ id: 'WebhookTrial' })

const Rotated = DestinationBody.extend({
  secret: SigningSecret,
  note: ReplayNote,
  previous_secret_valid_until: Time,
}).meta({
  id: 'RotatedSecret',
})

const Replayed = z
  .object({
    queued: z.int().describe('The number of events that we send again.'),
    has_more: z.boolean().describe('True if there may be more events.'),
    next_cursor: z.string().nullable().describe('Send as `cursor`, with the same other members, for the next events.'),
  })
  .meta({ id: 'Replay' })

export function webhookRecoveryRoutes(app: App, server: Server): void {
  server.get('/v1/partner/webhooks/:id/deliveries', DELIVERIES, async (request) => {
    const { limit, cursor = null, event_id: eventId = null, result = null } = request.query
    const ask = { ...changeOf(request), limit, offset: toOffset(request.query, 'attempts'), cursor, eventId, result }
    const { attempts, nextCursor } = await listDeliveries(app.db, ask)
    return presentPage(attempts.map(presentAttempt), request.query, nextCursor === null ? null : String(nextCursor))
  })

  server.post('/v1/partner/webhooks/:id/test', TEST, async (request) => {
    await assertNotTooOften(app, callerOf(request), TRIAL_LIMIT)
    return presentMembers(await tryDestination(app, changeOf(request)))
  })

  server.post('/v1/partner/webhooks/:id/rotate-secret', ROTATE, async (request, reply) => {
    const caller = callerOf(request)
    const work = async (once: App) => {
      const { destination, secret, previousUntil } = await rotateSecret(once, changeOf(request))
      const until = { previous_secret_valid_until: presentTime(previousUntil) }
      const shownOnce = { member: 'secret', note: HOW_TO_REPLACE }
      return { status: 200, body: { ...(await presentDestination(app, destination)), secret, ...until }, shownOnce }
    }
    return respondOnce(app, { request, reply, caller }, work, (kept) => replayIfStillThere(app, caller, kept))
  })

  server.post('/v1/partner/webhooks/:id/enable', ENABLE, async (request) => {
    return presentDestination(app, await enableDestination(app, changeOf(request)))
  })

  server.post('/v1/partner/webhooks/:id/replay', REPLAY, async (request, reply) => {
    const caller = callerOf(request)
    return respondOnce(app, { request, reply, caller }, async (once) => {
      const { queued, nextCursor } = await replayEvents(once, { ...changeOf(request), ...readRange(request.body) })
      const next = nextCursor === null ? null : String(nextCursor)
      return { status: 202, body: { queued, has_more: next !== null, next_cursor: next } }
    })
  })
}

function readRange(body: z.output<typeof ReplayRequest>) {
  const since = body?.since === undefined ? null : new Date(body.since)
  const until = body?.until === undefined ? null : new Date(body.until)
  if (since && until && since >= until) throw invalidRequest([{ field: 'until', message: 'must be after `since`' }])
  const cursor = body?.cursor === undefined ? null : Number(body.cursor)
  return { since, until, only: body?.only ?? null, eventId: body?.event_id ?? null, cursor }
}

function presentAttempt(attempt: LoggedAttempt): z.input<typeof LoggedAttemptBody> {
  return { ...presentMembers(attempt), replay: attempt.isReplay }
}

const DELIVERIES = describe({
  operationId: 'listDeliveries',
  summary: 'The attempts to deliver to a destination, with requests and responses',
  description: 'Every attempt of the last 30 days, newest first, with the current state of its delivery.',
  assertOwned: (app, caller, id) => getDestination(app.db, { ...caller, id: Number(id) }),
  params: DestinationId,
  querystring: PageQuery.extend({
    cursor: z.coerce.number().int().min(1).optional().describe('`next_cursor` of the page before, instead of `page`.'),
    event_id: z.string().max(64).optional().describe('Only the attempts at this event.'),
    result: z
      .enum(['delivered', 'failed'], { error: 'must be delivered or failed' })
      .optional()
      .describe('Only attempts that ended so. A page may have none although `next_cursor` goes on.'),
  }),
  answers: { 200: { description: 'A page of attempts.', schema: AttemptPage } },
  errors: ['not_found'],
})

const TEST = describe({
  operationId: 'tryDestination',
  summary: 'Send a test event now',
  description:
    'We sign and log it like any other event, with `type: "test"`. We send it once, while you wait, and it does not change ' +
    `the health of the destination. A disabled destination works too. At most ${TRIAL_LIMIT.burst} a minute, and fewer ` +
    'until the destination has returned 2xx: then 429 says when to try again.',
  params: DestinationId,
  answers: { 200: { description: 'The result, also if it failed.', schema: TrialBody } },
  errors: ['not_found'],
})

const ROTATE = describe({
  operationId: 'rotateSecret',
  summary: 'Replace the signing secret',
  description:
    'The new secret signs at once. For 24 hours the old one signs too (`X-Webhook-Signature-Previous`, and a second ' +
    'signature in `webhook-signature`), so that you can move a receiver over without losing an event.',
  idempotent: true,
  params: DestinationId,
  answers: { 200: { description: 'The destination, with its new secret.', schema: Rotated } },
  errors: ['not_found'],
})

const ENABLE = describe({
  operationId: 'enableDestination',
  summary: 'Send to a disabled destination again',
  description:
    'From now on. To send what it missed, use a replay with `only: missing`. An active destination stays as it is.',
  params: DestinationId,
  answers: { 200: { description: 'The destination as it is now.', schema: DestinationBody } },
  errors: ['not_found'],
})

const Moment = z.iso.datetime({ offset: true, error: 'must be a time, such as 2026-03-02T09:00:00Z' })

const ReplayRequest = z
  .object({
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be the next_cursor of an answer')
      .optional()
      .describe('`next_cursor` of the answer before.'),
    since: Moment.optional().describe('Only events that happened from then on.'),
    until: Moment.optional().describe('Only events that happened before then.'),
    only: z
      .enum(['failed', 'missing'], { error: 'must be failed or missing' })
      .optional()
      .describe('`failed`: the last attempt failed. `missing`: the destination was disabled. Without it, all.'),
    event_id: z.string().max(64).optional().describe('Only this event.'),
  })
  .nullish()

const REPLAY = describe({
  operationId: 'replayEvents',
  summary: 'Send events again',
  description:
    'Sends events of the last 30 days, at most 10,000 at once. Each keeps its id, so that a receiver knows those it has, and ' +
    'starts again with its first attempt. Events that are still waiting, and test events, are not sent again.',
  idempotent: true,
  assertOwned: (app, caller, id) => getDestination(app.db, { ...caller, id: Number(id) }),
  params: DestinationId,
  body: ReplayRequest,
  answers: { 202: { description: 'The number of events that we send again.', schema: Replayed } },
  errors: ['not_found', 'destination_disabled'],
})
