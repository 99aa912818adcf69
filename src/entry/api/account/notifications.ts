import { z } from 'zod'
import { findAccount } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { readNotifications, setNotifications } from '../../../signals/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'

const Choice = z.object({
  daily_digest: z.boolean().describe('One e-mail each morning after 7:00 in London, on days with new signals.'),
})

const Notifications = Choice.extend({ email: z.string().describe('Where it goes: the address of the account.') }).meta({
  id: 'Notifications',
})

export function notificationsRoutes(app: App, server: Server): void {
  server.get('/v1/account/notifications', SHOW, async (request) => {
    const { accountId } = callerOf(request)
    return presentNotifications(app, accountId)
  })

  server.patch('/v1/account/notifications', CHANGE, async (request) => {
    const { accountId, mode } = callerOf(request)
    // There is no digest of test signals, and to seem to obey would hide that the real one stays as it is.
    if (mode === 'test') throw invalidRequest([{ field: 'X-API-Key', message: 'must be the live key, or a session' }])
    await setNotifications(app, { accountId, dailyDigest: request.body.daily_digest, origin: originOf(request) })
    return presentNotifications(app, accountId)
  })
}

async function presentNotifications(app: App, accountId: string): Promise<z.input<typeof Notifications>> {
  const [account, { dailyDigest }] = await Promise.all([
    findAccount(app.db, accountId),
    readNotifications(app.db, accountId),
  ])
  if (!account) throw new Error(`caller ${accountId} has no account`)
  return { daily_digest: dailyDigest, email: account.email }
}

const describe = describeRoutes({ tag: 'Account', accepts: ['session', 'key'] })

const SHOW = describe({
  operationId: 'getNotifications',
  summary: 'The e-mail notifications of the account',
  answers: { 200: { description: 'Whether the daily digest is on, and where it goes.', schema: Notifications } },
})

const CHANGE = describe({
  operationId: 'changeNotifications',
  summary: 'Turn the daily digest on or off',
  description:
    'The digest lists the signals of the companies you watch, from the moment you turn it on. Every e-mail has a link that turns it off. A test key can read this setting but not change it.',
  body: Choice,
  answers: { 200: { description: 'The setting as it is now.', schema: Notifications } },
})
