import { z } from 'zod'
import {
  confirmPassword,
  endApiKey,
  OVERLAP_HOURS_MAX,
  PASSWORD_LENGTH_MAX,
  rotateApiKey,
  showApiKey,
} from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { callerOf, changeOf, originOf } from '../../http/caller.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { MaybeText, presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

const OVERLAP_HOURS_DEFAULT = 24

const RotatedKey = z
  .object({
    api_key: MaybeText.describe(
      'The new key. Null when the request is repeated under its Idempotency-Key: login shows it.',
    ),
    note: z.string().optional().describe('Where the key is null: how to see it.'),
    mode: z.enum(['live', 'test']),
    previous_key_valid_until: Time,
  })
  .meta({ id: 'RotatedKey' })

const ShownKey = z
  .object({
    api_key: MaybeText.describe('The key in full. Null when it can no longer be shown: then replace it.'),
    mode: z.enum(['live', 'test']),
  })
  .meta({ id: 'ShownKey' })

export function apiKeysRoutes(app: App, server: Server): void {
  server.post('/v1/auth/api-key/show', SHOW, async (request) => {
    const { accountId } = callerOf(request)
    const { mode, current_password: currentPassword } = request.body
    const origin = originOf(request)
    await confirmPassword(app, { accountId, passwordGivenAt: null, currentPassword, origin })
    return { api_key: await showApiKey(app, { accountId, mode, origin }), mode }
  })

  server.post('/v1/auth/api-key/rotate', ROTATE, async (request, reply) => {
    const caller = callerOf(request)
    const { accountId, passwordGivenAt = null } = caller
    const origin = originOf(request)
    // Before the kept answer of an earlier request, which holds a key too.
    const currentPassword = request.body?.current_password
    await confirmPassword(app, { accountId, passwordGivenAt, currentPassword, origin })
    return respondOnce(app, { request, reply, caller }, async (once) => {
      const { mode, overlap_hours: overlapHours } = request.body ?? DEFAULTS
      const { apiKey, previousExpiresAt } = await rotateApiKey(once, { accountId, mode, overlapHours, origin })
      const body = { api_key: apiKey, mode, previous_key_valid_until: presentTime(previousExpiresAt) }
      const shownOnce = {
        member: 'api_key',
        note: 'The key was in the first answer alone. POST /v1/auth/login shows it.',
      }
      return { status: 200, body, shownOnce }
    })
  })

  server.delete('/v1/auth/api-keys/:id', END, async (request) => {
    const { id, mode, isReplaced } = await endApiKey(app, changeOf(request))
    return { id, mode, ended: true as const, replaced: isReplaced }
  })
}

const DEFAULTS = { mode: 'live', overlap_hours: OVERLAP_HOURS_DEFAULT } as const

const describe = describeRoutes({ tag: 'Account', accepts: ['session'] })

const SHOW = describe({
  operationId: 'showApiKey',
  summary: 'Show a current API key',
  description: 'Always needs the password, so that nobody reads a key on an open screen. The audit log records it.',
  body: z.object({
    mode: z.enum(['live', 'test']).default('live').describe('Which of the two keys.'),
    current_password: z.string().min(1).max(PASSWORD_LENGTH_MAX).describe('The password of the account.'),
  }),
  answers: { 200: { description: 'The key.', schema: ShownKey } },
  errors: ['busy'],
})

const ROTATE = describe({
  operationId: 'rotateApiKey',
  summary: 'Replace an API key',
  description:
    'Makes a new key at once. The old one goes on working for `overlap_hours`, so that you can move your programs over; with 0 every older key of the mode ends. Needs `current_password`, unless the session is from a login within the last 15 minutes. The owner gets an e-mail.',
  idempotent: true,
  body: z
    .object({
      mode: z.enum(['live', 'test']).default(DEFAULTS.mode).describe('Which of the two keys.'),
      overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).default(DEFAULTS.overlap_hours),
      current_password: z
        .string()
        .min(1)
        .max(PASSWORD_LENGTH_MAX)
        .optional()
        .describe('The password of the account. May be left out in the first 15 minutes after login.'),
    })
    .nullish(),
  answers: { 200: { description: 'The new key.', schema: RotatedKey } },
  errors: ['password_required', 'plan_limit_reached', 'busy'],
})

const EndedKeyBody = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    ended: z.literal(true),
    replaced: z.boolean().describe('True where it was the current key: a new one has taken its place. Login shows it.'),
  })
  .meta({ id: 'EndedKey' })

const END = describe({
  operationId: 'endApiKey',
  summary: 'End an API key',
  description:
    'Ends one key at once; `GET /v1/auth/me` lists those that work. A new key takes the place of the current one, and login shows it. The owner gets an e-mail.',
  params: z.object({ id: z.string().min(1).max(64).describe('Its `id` in the list of the account’s keys.') }),
  answers: { 200: { description: 'The key has ended.', schema: EndedKeyBody } },
  errors: ['not_found'],
})
