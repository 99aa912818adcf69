import type { FastifyRequest } from 'fastify'
import { findKeyHolder, findSession } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { bearerToken, type Caller } from './caller.ts'

/**
 * Returns the caller of a public route; null without a valid credential. No request is refused here: a credential only
 * shows its holder more.
 */
export async function findViewer(app: App, request: FastifyRequest): Promise<Caller | null> {
  const key = request.headers['x-api-key']
  if (typeof key === 'string' && key.trim() !== '') return findKeyHolder(app, key)
  const token = bearerToken(request)
  const account = token === null ? null : (await findSession(app, token))?.account
  return account ? { accountId: account.id, plan: account.plan, mode: 'live' } : null
}
