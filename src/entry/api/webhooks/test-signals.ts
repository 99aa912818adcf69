import { z } from 'zod'
import type { App } from '../../../app.ts'
import { presentSignal, raiseTestSignal, SIGNAL_TYPES, TEST_COMPANY_NUMBERS } from '../../../signals/index.ts'
import { assertNotTooOften, callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { SignalBody } from '../register/company-signals.ts'

/** Each may be sent to twenty destinations, eleven times. */
const LIMIT = { name: 'test-signals', burst: 120, perSecond: 120 / 3_600 }

export function testSignalsRoutes(app: App, server: Server): void {
  server.post('/v1/test/signals', RAISE, async (request, reply) => {
    const caller = callerOf(request)
    if (caller.mode !== 'test') {
      const message = 'must be your test key (np_test_…), which login shows; real signals come from the register alone'
      throw invalidRequest([{ field: 'X-API-Key', message }])
    }
    return respondOnce(app, { request, reply, caller }, async (once) => {
      await assertNotTooOften(app, caller, LIMIT)
      const { company_number: companyNumber, signal_type: signalType } = request.body ?? DEFAULTS
      const signal = await raiseTestSignal(once, { accountId: caller.accountId, companyNumber, signalType })
      return { status: 201, body: presentSignal(signal) }
    })
  })
}

const DEFAULTS = { company_number: 'TS000001', signal_type: 'status_changed' } as const

const RAISE = describeRoute({
  operationId: 'raiseTestSignal',
  summary: 'Make a signal on a test company',
  description:
    'Only with the test key. The signal goes to the destinations and listeners of its type that the test key registered, with ' +
    '`test: true` in the event, and to the feed of the test key, which watches the company from now on. Live destinations ' +
    `and other accounts do not get it. We keep it for 30 days. At most ${LIMIT.burst} an hour.`,
  tag: 'Webhooks',
  accepts: ['session', 'key'],
  idempotent: true,
  body: z
    .object({
      signal_type: z
        .enum(SIGNAL_TYPES, { error: `must be one of ${SIGNAL_TYPES.join(', ')}` })
        .default(DEFAULTS.signal_type),
      company_number: z
        .enum(TEST_COMPANY_NUMBERS, { error: `must be one of ${TEST_COMPANY_NUMBERS.join(', ')}` })
        .default(DEFAULTS.company_number),
    })
    .nullish(),
  answers: { 201: { description: 'The signal.', schema: SignalBody } },
  errors: ['plan_limit_reached'],
})
