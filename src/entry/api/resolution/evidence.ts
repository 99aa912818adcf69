import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { parseCompanyNumber } from '../../../register/index.ts'
import { readEvidencePack } from '../../../resolution/index.ts'
import { type Caller, callerOf, originOf, prefersHtml } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { EvidenceBody, presentPack } from './evidence-bodies.ts'
import { formatEvidencePage, PAGE_POLICY } from './evidence-page.ts'

export function evidenceRoutes(app: App, server: Server): void {
  server.get('/v1/resolutions/:id/evidence', EVIDENCE, async (request, reply) => {
    const { accountId, mode, actor } = callerOf(request)
    const document = await readDocument(app, { id: request.params.id, accountId, mode, query: request.query })
    const format = wantsPage(request.query.format, request.headers.accept) ? 'html' : 'json'
    const by = { accountId, mode, origin: originOf(request) }
    const details = { resolution_id: document.resolution_id, format }
    // A person who looks at an answer in the console takes nothing away.
    const isLook = format === 'json' && actor.kind === 'person'
    if (!isLook) await recordAudit(app.db, { at: app.clock.now(), ...by, action: 'evidence_exported', details })
    if (format === 'json') return reply.send(document)
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(formatEvidencePage(document))
  })
}

interface PackAsk {
  id: string
  accountId: string
  mode: Caller['mode']
  query: { company_number?: string | undefined }
}

async function readDocument(app: App, { id, accountId, mode, query }: PackAsk) {
  const pack = await readEvidencePack(app, { resolutionId: id, accountId, mode, whyNot: readWhyNot(query) })
  if (!pack) throw new DomainError('not_found', 'There is no such answer. Its id is `resolution_id` of a resolution.')
  return presentPack(pack, app.clock.now())
}

/** The evidence pack as a page for a person, with the content policy that belongs to it. */
export async function readEvidencePage(app: App, ask: PackAsk): Promise<{ page: string; policy: string }> {
  return { page: formatEvidencePage(await readDocument(app, ask)), policy: PAGE_POLICY }
}

/** Browsers ask for HTML first; programs get JSON unless they say otherwise. */
function wantsPage(format: 'json' | 'html' | undefined, accept: string | undefined): boolean {
  return format === undefined ? prefersHtml(accept) : format === 'html'
}

function readWhyNot(query: { company_number?: string | undefined }): string | null {
  if (query.company_number === undefined) return null
  const number = parseCompanyNumber(query.company_number)
  if (number === null) throw invalidRequest([{ field: 'company_number', message: 'is not a company number' }])
  return number
}

const EVIDENCE = describeRoute({
  operationId: 'getEvidence',
  summary: 'The evidence pack of an answer, to file',
  description:
    'The words on the pages with their addresses, times and hashes, the register’s record they were compared with, the ' +
    'weights of the decision and every company that the site names. As JSON, or as one printable page with ' +
    '`?format=html`. `company_number` asks why the answer is not that company. Free of charge; the id, which only those ' +
    'who asked are told, is the permission. A browser without a credential is sent to the same page on the site, which asks ' +
    'the person to sign in. `decided_by` is a decision of your own account, which nobody else is shown.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  sitePage: '/evidence/:id',
  params: z.object({ id: z.string().max(64) }),
  querystring: z.object({
    company_number: z.string().max(20).optional().describe('Why not this company?'),
    format: z.enum(['json', 'html']).optional(),
  }),
  answers: {
    200: { description: 'The evidence pack.', schema: EvidenceBody },
    302: { description: 'A browser without a credential: to the page on the site.', schema: z.null() },
  },
  errors: ['not_found'],
})
