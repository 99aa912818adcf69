import { z } from 'zod'
import { recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { getRecord, makeDocument, makeRecord, type StoredRecord } from '../../evidence/index.ts'
import { admitAddress, originOf } from '../http/caller.ts'
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
      const by = { accountId: account.id, origin: originOf(request) }
      const details = { resolution_id: ask.id, format: 'html' }
      await recordAudit(app.db, { at: app.clock.now(), ...by, action: 'evidence_exported', details })
      return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
    })
  }
}

const DOCUMENT_LIMIT = { name: 'evidence-document', burst: 20, perSecond: 0.5 }

/**
 * The document of a record for a person who is signed in on the site. The id is that of a record, or of an answer, whose record is
 * made now where there is none: the same content is one record, so opening the address again changes nothing.
 */
export function evidenceDocumentRoutes(app: App, server: Server): void {
  server.get('/evidence/:id/document', async (request, reply) => {
    const account = await getSignedIn(app, request)
    await admitAddress(app, request, reply, DOCUMENT_LIMIT)
    const id = (request.params as { id: string }).id.slice(0, ID_MAX)
    const [requester, origin] = [{ accountId: account.id, mode: 'live' } as const, originOf(request)]
    const record: StoredRecord | undefined = id.startsWith('evd_')
      ? await getRecord(app, { id, ...requester })
      : (await makeRecord(app, { resolutionId: id, origin, ...requester }))?.record
    if (!record)
      throw new DomainError('not_found', 'There is no such answer. Its id is in the address of its evidence.')
    const { pdf, name } = await makeDocument(app, record)
    const details = { record_id: record.id }
    await recordAudit(app.db, { at: app.clock.now(), ...requester, origin, action: 'document_exported', details })
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${name}"`)
      .header('cache-control', 'private, no-store')
      .send(pdf)
  })
}

const ID_MAX = 64
