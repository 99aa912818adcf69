import { z } from 'zod'
import type { App } from '../../../app.ts'
import type { Tx } from '../../../lib/db/db.ts'
import { findListIds, lockListRow, SEVERITIES, SIGNAL_TYPES } from '../../../signals/index.ts'
import {
  AUDIT_ENTRY,
  DESTINATION_KINDS,
  type Destination,
  deleteDestination,
  destinationNotFound,
  getDestination,
  listDestinations,
  registerDestination,
} from '../../../webhooks/index.ts'
import { type Caller, callerOf, changeOf, originOf } from '../../http/caller.ts'
import { respondOnce, type StoredResponse } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { MaybeText, pageOf, presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

/** The most there can be, so all of them are one page. */
const PAGE = { page: 1, limit: 20, has_more: false }
const URL_LENGTH_MAX = 2_048

const SUBSCRIPTIONS = [...SIGNAL_TYPES, 'all', 'resolution_completed', AUDIT_ENTRY] as const

/** The event types that a destination or a listener can subscribe to. */
export const Subscription = z
  .enum(SUBSCRIPTIONS, { error: `must be one of ${SUBSCRIPTIONS.join(', ')}` })
  .describe(
    'A type of signal, `all` of them, `resolution_completed` for jobs that ended, or `audit_entry` for the audit log.',
  )

export const DestinationBody = z
  .object({
    id: z.int(),
    kind: z.enum(DESTINATION_KINDS).describe('`slack` and `teams` get messages for people instead of signed events.'),
    webhook_url: z
      .string()
      .describe('Of Slack and Teams only the host and the last characters: the address is a secret.'),
    signal_type: Subscription,
    list: MaybeText.describe('The list whose signals it gets; null for all companies that you watch.'),
    severity_min: z.enum(SEVERITIES).nullable().describe('It gets signals of this severity and graver ones.'),
    status: z.enum(['active', 'disabled']),
    disabled_reason: MaybeText.describe(
      '`gone`: it answered 410, or Slack or Teams answered that the address was removed. `blocked_address`: its name leads to an address that is not public. `no_success`: it failed for five days.',
    ),
    created_at: Time,
    last_success_at: Time.nullable(),
    last_failure_at: Time.nullable(),
    consecutive_failures: z.int(),
    pending: z.int().describe('Deliveries that wait to be sent, counted up to 1,000.'),
    waits_until: Time.nullable().describe('Nothing is sent before then.'),
    waits_because: z
      .enum(['unproven', 'failing', 'busy'])
      .nullable()
      .describe(
        '`unproven`: it has not answered 2xx yet, so all such destinations at its host get one request at a time and few a minute; the first 2xx ends it. `failing`: it failed several times in a row, or asked us to wait. `busy`: its host gets as many requests as it may.',
      ),
  })
  .meta({ id: 'WebhookDestination' })

export const SigningSecret = MaybeText.describe(
  'Shown here and never again: null when the request is repeated under its Idempotency-Key. Deliveries are signed ' +
    'with all of it, `whsec_` included.',
)
export const ReplayNote = z.string().optional().describe('Where the secret is null: how to get a new one.')

const DestinationList = pageOf(DestinationBody).meta({ id: 'WebhookDestinations' })
const Registered = DestinationBody.extend({ secret: SigningSecret, note: ReplayNote }).meta({
  id: 'RegisteredDestination',
})
const Deleted = z.object({ id: z.int(), deleted: z.literal(true) }).meta({ id: 'DeletedDestination' })

const ID_MAX = 2_147_483_647
export const DestinationId = z.object({ id: z.coerce.number().int().min(1).max(ID_MAX) })

export function webhooksRoutes(app: App, server: Server): void {
  server.get('/v1/partner/webhooks', LIST, async (request) => {
    const destinations = await listDestinations(app.db, callerOf(request))
    return { data: await presentDestinations(app, destinations), ...PAGE }
  })

  server.post('/v1/partner/webhooks', REGISTER, async (request, reply) => {
    const caller = callerOf(request)
    const work = async (once: App) => {
      const { webhook_url: webhookUrl, signal_type: signalType, kind, list, severity_min: severityMin } = request.body
      const lockKey = (tx: Tx) => lockListRow(app, tx, caller, list ?? '')
      const filter = {
        kind,
        list: list === undefined ? undefined : { id: list, lockKey },
        severityMin: severityMin ?? null,
      }
      const wanted = { ...caller, webhookUrl, signalType, ...filter, origin: originOf(request) }
      const { destination, secret } = await registerDestination(once, wanted)
      const shown = await presentDestination(app, destination)
      // Slack and Teams check no signature.
      if (kind !== 'webhook') return { status: 201, body: { ...shown, secret: null } }
      const shownOnce = { member: 'secret', note: HOW_TO_REPLACE }
      return { status: 201, body: { ...shown, secret }, shownOnce }
    }
    return respondOnce(app, { request, reply, caller }, work, (kept) => replayIfStillThere(app, caller, kept))
  })

  server.delete('/v1/partner/webhooks/:id', DELETE, async (request) => {
    await deleteDestination(app, changeOf(request))
    return { id: request.params.id, deleted: true as const }
  })
}

export const HOW_TO_REPLACE =
  'The secret was in the first answer alone. POST /v1/partner/webhooks/{id}/rotate-secret, under another Idempotency-Key, gives a new one.'

/** A repeat must not speak of a destination that was deleted since as if it were there. */
export async function replayIfStillThere(app: App, caller: Caller, kept: StoredResponse): Promise<StoredResponse> {
  const { id } = kept.body as { id: number }
  await getDestination(app.db, { ...caller, id })
  return kept
}

export async function presentDestination(app: App, destination: Destination): Promise<z.input<typeof DestinationBody>> {
  const [presented] = await presentDestinations(app, [destination])
  if (!presented) throw destinationNotFound()
  return presented
}

/** A destination whose list was deleted since it was read was deleted with it, and is left out. */
async function presentDestinations(app: App, destinations: readonly Destination[]) {
  const at = app.clock.now()
  const keys = destinations.flatMap(({ listKey }) => listKey ?? [])
  const lists = keys.length > 0 ? await findListIds(app.db, keys) : new Map<number, string>()
  return destinations.flatMap((one) => {
    const list = one.listKey === null ? null : lists.get(one.listKey)
    return list === undefined ? [] : [presentOne(one, list, at)]
  })
}

function presentOne(destination: Destination, list: string | null, at: Date): z.input<typeof DestinationBody> {
  const { pausedUntil } = destination
  const waitsUntil = pausedUntil !== null && pausedUntil > at ? pausedUntil : null
  return {
    ...presentMembers(destination),
    signal_type: destination.signalType as z.input<typeof Subscription>,
    list,
    severity_min: SEVERITIES.find((severity) => severity === destination.severityMin) ?? null,
    waits_until: waitsUntil && presentTime(waitsUntil),
    waits_because: findReasonToWait(destination, waitsUntil),
  }
}

function findReasonToWait(
  { kind, lastSuccessAt, consecutiveFailures, pending }: Destination,
  waitsUntil: Date | null,
): 'unproven' | 'failing' | 'busy' | null {
  if (kind === 'webhook' && lastSuccessAt === null && pending > 0) return 'unproven'
  if (waitsUntil === null) return null
  return consecutiveFailures > 0 ? 'failing' : 'busy'
}

/** The same for every route of destinations. */
export const describe = describeRoutes({ tag: 'Webhooks', accepts: ['session', 'key'], limit: 'partner' })

const BY_MODE =
  'The live key and a session manage the destinations of live events, the test key those of test events; neither sees ' +
  'the other’s.'

const LIST = describe({
  operationId: 'listDestinations',
  stable: true,
  summary: 'Your webhook destinations',
  description: `All of them, at most ${PAGE.limit}, the oldest first. ${BY_MODE}`,
  answers: { 200: { description: 'The destinations, without their secrets.', schema: DestinationList } },
})

const REGISTER = describe({
  operationId: 'registerDestination',
  stable: true,
  summary: 'Send events to an address of yours',
  description:
    'From now on we send signals of the companies you watch, or jobs that ended, to this address by POST, signed with the ' +
    'secret in this response. An event goes to one address once, unless you choose two lists: we refuse types that overlap with those of another ' +
    `destination at the same address with 409, and accept other types. The owner of the account gets an e-mail. At most ${PAGE.limit} destinations. ${BY_MODE}`,
  idempotent: true,
  body: z.object({
    webhook_url: z
      .string()
      .min(1)
      .max(URL_LENGTH_MAX)
      .meta({ format: 'uri' })
      .describe('An https address with a public name, on port 443 or 8443, without user name and password.'),
    signal_type: Subscription,
    kind: z
      .enum(DESTINATION_KINDS)
      .default('webhook')
      .describe(
        '`slack` or `teams`: the address is an incoming webhook or workflow of theirs, and gets messages for people.',
      ),
    list: z.string().max(64).optional().describe('Only signals of companies on this list.'),
    severity_min: z.enum(SEVERITIES).optional().describe('Only signals of this severity and graver ones.'),
  }),
  answers: { 201: { description: 'The destination, with its signing secret.', schema: Registered } },
  errors: ['destination_exists', 'plan_limit_reached', 'not_found'],
})

const DELETE = describe({
  operationId: 'deleteDestination',
  stable: true,
  summary: 'Stop sending to a destination',
  description: 'We delete the events that wait for it, and its log.',
  params: DestinationId,
  answers: { 200: { description: 'The destination is deleted.', schema: Deleted } },
  errors: ['not_found'],
})
