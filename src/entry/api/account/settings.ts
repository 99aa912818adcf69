import { z } from 'zod'
import { acceptsSecondReader, setSecondReader } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'

const Choice = z.object({
  second_reader: z.boolean().describe('`false`: no language model is asked for requests of the account.'),
})

const AccountSettings = Choice.extend({
  second_reader_model: z.string().nullable().describe('The model that this service asks; null if it asks none.'),
}).meta({ id: 'AccountSettings' })

export function settingsRoutes(app: App, server: Server): void {
  server.get('/v1/account/settings', SHOW, async (request) => presentSettings(app, callerOf(request).accountId))

  server.patch('/v1/account/settings', CHANGE, async (request) => {
    const { accountId, mode } = callerOf(request)
    if (mode === 'test') throw invalidRequest([{ field: 'X-API-Key', message: 'must be the live key, or a session' }])
    await setSecondReader(app, { accountId, accepts: request.body.second_reader, origin: originOf(request) })
    return presentSettings(app, accountId)
  })
}

async function presentSettings(app: App, accountId: string): Promise<z.input<typeof AccountSettings>> {
  return {
    second_reader: await acceptsSecondReader(app.db, accountId),
    second_reader_model: app.config.secondReader?.model ?? null,
  }
}

const describe = describeRoutes({ tag: 'Account', accepts: ['session', 'key'] })

const SHOW = describe({
  operationId: 'getSettings',
  summary: 'The settings of the account',
  answers: { 200: { description: 'The settings as they are now.', schema: AccountSettings } },
})

const CHANGE = describe({
  operationId: 'changeSettings',
  summary: 'Allow or forbid questions to the second reader',
  description:
    'A second reader is a language model that reads what the rules leave open. It is not asked for requests of an account that opts out. All accounts share the answer for a domain, so such an account can still get one that the model decided when another account asked: `method` says so. A test key can read this setting but not change it.',
  body: Choice,
  answers: { 200: { description: 'The settings as they are now.', schema: AccountSettings } },
})
