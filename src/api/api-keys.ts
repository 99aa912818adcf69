import { z } from 'zod'
import { OVERLAP_HOURS_MAX, rotateApiKey } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { admitCaller, originOf } from '../http/caller.ts'
import { answerOnce } from '../http/idempotency.ts'
import type { Server } from '../http/instance.ts'
import { presentTime, Time } from '../http/page.ts'
import { describeRoute } from '../http/route.ts'

const OVERLAP_HOURS_DEFAULT = 24

const RotatedKey = z
  .object({
    api_key: z.string().describe('The new key. Login shows it again.'),
    mode: z.enum(['live', 'test']),
    previous_key_valid_until: Time,
  })
  .meta({ id: 'RotatedKey' })

export function apiKeysDoor(app: App, server: Server): void {
  server.post('/v1/auth/api-key/rotate', ROTATE, async (request, reply) => {
    const caller = await admitCaller(app, request, reply)
    return answerOnce(app, { request, reply, caller }, async () => {
      const { mode, overlap_hours: overlapHours } = request.body ?? DEFAULTS
      const rotation = { accountId: caller.accountId, mode, overlapHours, origin: originOf(request) }
      const { apiKey, previousExpiresAt } = await rotateApiKey(app, rotation)
      const body = { api_key: apiKey, mode, previous_key_valid_until: presentTime(previousExpiresAt) }
      return { status: 200, body }
    })
  })
}

const DEFAULTS = { mode: 'live', overlap_hours: OVERLAP_HOURS_DEFAULT } as const

const ROTATE = describeRoute({
  operationId: 'rotateApiKey',
  summary: 'Replace an API key',
  description:
    'Makes a new key at once. The old one goes on working for `overlap_hours`, so that programs can be moved over.',
  tag: 'Account',
  accepts: ['session'],
  idempotent: true,
  body: z
    .object({
      mode: z.enum(['live', 'test']).default(DEFAULTS.mode).describe('Which of the two keys.'),
      overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).default(DEFAULTS.overlap_hours),
    })
    .nullish(),
  answers: { 200: { description: 'The new key.', schema: RotatedKey } },
})
