/** Evidence records: made on request, and returned with everything that seals them. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { STAMP_STATES } from '../../../../packages/evidence-check/index.ts'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { getRecord, makeDocument, makeRecord, type StoredRecord, sealRecord } from '../../../evidence/index.ts'
import { prefersType } from '../../http/accepted-type.ts'
import { assertNotTooOften, callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { BINARY_FILE, describeRoute } from '../../http/route.ts'

const BundleBody = z
  .object({
    format: z.literal('nameplate-evidence-bundle/1'),
    id: z.string(),
    record: z
      .string()
      .describe('Canonical JSON (RFC 8785) as text. These very characters are signed: store them as they are.'),
    jws: z.string().describe('The signature: a JWS by Ed25519 without its payload, which is `record`.'),
    time_stamp: z.object({
      state: z
        .enum(STAMP_STATES)
        .describe('`pending`: the authority has not answered yet. `off`: the operator has none.'),
      token: z
        .string()
        .nullable()
        .describe('RFC 3161 token over the SHA-256 of `record`, a line feed and `jws`; DER in base64.'),
    }),
    keys_url: z.string().describe('Every key that ever signed.'),
    verify_url: z.string().describe('A page that checks the bundle, for everyone.'),
  })
  .meta({ id: 'EvidenceBundle', description: 'An evidence record with all that proves it. Store the whole of it.' })

/** Each document takes a thread for typesetting, and a time stamp of the authority. */
const DOCUMENT_LIMIT = { name: 'evidence-document-account', burst: 30, perSecond: 0.5 }

async function limitDocuments(app: App, request: FastifyRequest): Promise<void> {
  if (wantsPdf(request.headers.accept)) await assertNotTooOften(app, callerOf(request), DOCUMENT_LIMIT)
}

export function evidenceRecordRoutes(app: App, server: Server): void {
  server.post('/v1/resolutions/:id/evidence/record', MAKE, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    await limitDocuments(app, request)
    const [resolutionId, origin] = [request.params.id, originOf(request)]
    const made = await makeRecord(app, { resolutionId, accountId, mode, origin })
    if (!made) throw new DomainError('not_found', 'There is no such answer. Its id is `resolution_id` of a resolution.')
    return sendRecord(app, request, reply.code(made.isNew ? 201 : 200), made.record, made)
  })

  server.get('/v1/evidence/:id', READ, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    await limitDocuments(app, request)
    return sendRecord(app, request, reply, await getRecord(app, { id: request.params.id, accountId, mode }))
  })
}

/** As a document for people where the request asks for one, else as the bundle. The making of a record is an entry already. */
async function sendRecord(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  record: StoredRecord,
  { isNew } = { isNew: false },
) {
  const { accountId, mode } = callerOf(request)
  const by = { at: app.clock.now(), accountId, mode, origin: originOf(request) }
  const details = { record_id: record.id }
  if (!wantsPdf(request.headers.accept)) {
    const bundle = sealRecord(app, record)
    if (!isNew)
      await recordAudit(app.db, { ...by, action: 'evidence_exported', details: { ...details, format: 'json' } })
    return reply.send(bundle)
  }
  const { pdf, name } = await makeDocument(app, record)
  await recordAudit(app.db, { ...by, action: 'document_exported', details })
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(pdf)
}

const wantsPdf = (accept: string | undefined) => prefersType(accept, 'application/pdf', 'application/json')

const PDF = { 'application/pdf': BINARY_FILE }

/** The bundle and the document are the same answer in two forms. */
function withDocument<Route extends { schema: { response: Record<number, unknown> } }>(
  route: Route,
  statuses: number[],
) {
  const response = { ...route.schema.response }
  for (const status of statuses) {
    const json = response[status] as { content: object }
    response[status] = { ...json, content: { ...json.content, ...PDF } }
  }
  return { ...route, schema: { ...route.schema, response } }
}

const MADE = describeRoute({
  operationId: 'makeEvidenceRecord',
  summary: 'The sealed evidence record of an answer',
  description:
    'Makes one record of the answer: question, answer, checklist, every quote, the pages with their hashes, the company as the ' +
    'register has it, the method and your own decision. It is signed and time-stamped, and ' +
    'never changes. Asked again, the same content returns the same record; a new decision, or a change in the register, ' +
    'makes a new one. Free of charge. With `Accept: application/pdf` it is a document of two pages for people, signed (PAdES) and ' +
    'time-stamped, with the bundle and the quoted pages attached. `/verify` checks both, and so does `nameplate verify`. ' +
    `An account may ask for ${DOCUMENT_LIMIT.burst} documents at once, and for one every two seconds after that.`,
  tag: 'Resolution',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
  answers: {
    200: { description: 'The record there is already.', schema: BundleBody },
    201: { description: 'The new record.', schema: BundleBody },
  },
  errors: ['not_found', 'unavailable', 'busy'],
})
const MAKE = withDocument(MADE, [200, 201])

const KEPT = describeRoute({
  operationId: 'getEvidenceRecord',
  summary: 'A sealed evidence record by its id',
  description:
    'The same bundle again, with the time stamp once there is one. With ' +
    '`Accept: application/pdf` it is the document for people. A browser without a credential is sent to the document on the site, ' +
    'which asks the person to sign in. Free of charge.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
  sitePage: '/evidence/:id/document',
  answers: {
    200: { description: 'The bundle.', schema: BundleBody },
    302: { description: 'A browser without a credential: to the document on the site.', schema: z.null() },
  },
  errors: ['not_found', 'unavailable', 'busy'],
})
const READ = withDocument(KEPT, [200])
