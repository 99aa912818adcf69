import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Server } from '../http/instance.ts'
import { getSignedIn } from './session.ts'

const Query = z.object({ company_number: z.string().max(20).optional() })

interface EvidencePage {
  page: string
  policy: string
}

type ReadPage = (
  app: App,
  ask: { id: string; accountId: string; mode: 'live'; query: z.output<typeof Query> },
) => Promise<EvidencePage>

/** The evidence pack for a person who is signed in on the site: where `evidence_url` leads in a browser. */
export function evidencePageRoutes(readPage: ReadPage) {
  return (app: App, server: Server): void => {
    server.get('/evidence/:id', async (request, reply) => {
      const account = await getSignedIn(app, request)
      const { id } = request.params as { id: string }
      const query = Query.safeParse(request.query)
      const ask = { id: id.slice(0, ID_MAX), accountId: account.id, mode: 'live', query: query.data ?? {} } as const
      const { page, policy } = await readPage(app, ask)
      return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
    })
  }
}

const ID_MAX = 64
