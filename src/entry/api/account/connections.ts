import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  type Connection,
  DAILY_CREDITS_MAX,
  endConnection,
  getConnection,
  listConnections,
  SCOPE,
  setDailyCap,
} from '../../../oauth/index.ts'
import { callerOf, changeOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

const ConnectionBody = z
  .object({
    id: z.string(),
    name: z.string().describe('The name the program gave itself, unchecked.'),
    client_id: z.string(),
    scope: z.string(),
    returns_to: z.string().describe('Its host, or that it is a program on your own computer.'),
    connected_at: Time,
    last_used_at: Time.nullable(),
    daily_credit_cap: z.int(),
    credits_today: z.int().describe('Spent today, or reserved for work under way.'),
  })
  .meta({ id: 'Connection' })

const Connections = z.object({ data: z.array(ConnectionBody) }).meta({ id: 'Connections' })
const Ended = z.object({ id: z.string(), ended: z.literal(true) }).meta({ id: 'EndedConnection' })
const ConnectionId = z.object({ id: z.string().max(64) })

export function connectionsRoutes(app: App, server: Server): void {
  server.get('/v1/connections', LIST, async (request) => {
    const { accountId } = callerOf(request)
    return { data: (await listConnections(app, accountId)).map(presentConnection) }
  })

  server.patch('/v1/connections/:id', CHANGE, async (request) => {
    const dailyCreditCap = request.body.daily_credit_cap
    const connection = await getConnection(app, changeOf(request))
    await setDailyCap(app, { ...changeOf(request), dailyCreditCap })
    return presentConnection({ ...connection, dailyCreditCap })
  })

  server.delete('/v1/connections/:id', END, async (request) => {
    await endConnection(app, changeOf(request))
    return { id: request.params.id, ended: true as const }
  })
}

function presentConnection(connection: Connection): z.input<typeof ConnectionBody> {
  const { clientName: name, redirectHost } = connection
  return { ...presentMembers(connection), name, scope: SCOPE, returns_to: redirectHost }
}

const describe = describeRoutes({ tag: 'Agents', accepts: ['session'] })

const LIST = describe({
  operationId: 'listConnections',
  summary: 'Programs you let use this account',
  description: 'The programs that can still act, newest first.',
  answers: { 200: { description: 'The connections.', schema: Connections } },
})

const CHANGE = describe({
  operationId: 'changeConnection',
  summary: 'Change what a connected program may spend in a day',
  assertOwned: (app, { accountId }, id) => getConnection(app, { accountId, id }),
  params: ConnectionId,
  body: z.object({ daily_credit_cap: z.int().min(0).max(DAILY_CREDITS_MAX) }),
  answers: { 200: { description: 'The connection with its new cap.', schema: ConnectionBody } },
  errors: ['not_found'],
})

const END = describe({
  operationId: 'endConnection',
  summary: 'End a connection',
  description: 'Its tokens stop working at once. Ending a connection twice changes nothing.',
  params: ConnectionId,
  answers: { 200: { description: 'It has ended.', schema: Ended } },
  errors: ['not_found'],
})
