import type { App } from '../../app.ts'
import { admitAddress } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'
import { sendMissingPage } from './missing.ts'

const SHARED_LIMIT = { name: 'shared', burst: 20, perSecond: 0.5 }
const TOKEN_MAX = 64
const OVER = 'The link is over, was revoked, or has a mistake in it. Ask the person who sent it for a new one.'

type ReadPage = (app: App, token: string) => Promise<{ page: string; policy: string } | null>

/** The evidence that an account shares by a link: for everyone who has it, and for no search engine. */
export function sharedPageRoutes(readPage: ReadPage) {
  return (app: App, server: Server): void => {
    server.get('/shared/:token', async (request, reply) => {
      await admitAddress(app, request, reply, SHARED_LIMIT)
      const { token } = request.params as { token: string }
      // The address is the permission: it must not travel on, nor stay in a cache that others use.
      void reply
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex, nofollow')
      const shared = await readPage(app, token.slice(0, TOKEN_MAX))
      if (!shared) return sendMissingPage(reply, OVER)
      return reply.header('content-security-policy', shared.policy).type('text/html; charset=utf-8').send(shared.page)
    })
  }
}
