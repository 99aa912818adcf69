import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { findCompany, parseCompanyNumber } from '../../../register/index.ts'
import type { Server } from '../../http/instance.ts'
import { admitAddress } from '../../http/limits.ts'
import { describeRoute } from '../../http/route.ts'
import { ExtensionBody, ManifestBody, ProposedPropertiesBody, ResultBatchBody, SuggestionsBody } from './bodies.ts'
import { describeCompany } from './candidates.ts'
import { COMPANY, COMPANY_TYPES, listTypes } from './company-types.ts'
import { extendCompanies, parseExtension } from './extension.ts'
import { BATCH_LIMIT, GLANCE_LIMIT, inSlot } from './limits.ts'
import { presentManifest, viewUrl } from './manifest.ts'
import { formatNoPreview, formatPreview, PREVIEW_POLICY } from './preview.ts'
import { PROPERTIES } from './properties.ts'
import { parseQueries, QUERIES_MAX } from './queries.ts'
import { reconcile, suggestCompanies } from './search.ts'

const SUGGESTIONS_MAX = 10
const SUGGESTIONS_SKIP_MAX = 500

/** Reconciliation Service API 0.2: OpenRefine and its like match a column of names with the register. */
export async function reconcileRoutes(app: App, server: Server): Promise<void> {
  const manifest = presentManifest(app.config)

  server.get('/reconcile', ASK, async (request, reply) => {
    const { queries, extend } = request.query
    return queries === undefined && extend === undefined ? manifest : answer(app, { request, reply }, request.query)
  })

  await server.register(async (scope: Server) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: unknown, text: string) =>
      Object.fromEntries(new URLSearchParams(text)),
    )
    scope.post('/reconcile', SEND, async (request, reply) => answer(app, { request, reply }, request.body))
  })

  addSuggestRoutes(app, server)
  addPreviewRoute(app, server)
}

interface Fields {
  queries?: string | undefined
  extend?: string | undefined
}

interface OpenRequest {
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(app: App, { request, reply }: OpenRequest, { queries, extend = '' }: Fields) {
  await admitAddress(app, request, reply, BATCH_LIMIT)
  if (queries === undefined) {
    const wanted = parseExtension(extend)
    return inSlot(app, () => extendCompanies(app.db, wanted))
  }
  const batch = parseQueries(queries)
  const results = await inSlot(app, () => reconcile(app.db, batch))
  return Object.fromEntries([...results].map(([id, result]) => [id, { result }]))
}

function addSuggestRoutes(app: App, server: Server): void {
  server.get('/reconcile/suggest/entity', SUGGEST_ENTITY, async (request, reply) => {
    await admitAddress(app, request, reply, GLANCE_LIMIT)
    const { prefix, cursor } = request.query
    const companies = await suggestCompanies(app.db, { prefix, skip: cursor, limit: SUGGESTIONS_MAX })
    const result = companies.map((company) => {
      const { number, name, type } = company
      return { id: number, name, description: describeCompany(company), notable: listTypes(type) }
    })
    return { result }
  })

  server.get('/reconcile/suggest/property', SUGGEST_PROPERTY, async (request) => ({
    result: suggest(PROPERTIES, request.query).map(({ id, name, description }) => ({ id, name, description })),
  }))

  server.get('/reconcile/suggest/type', SUGGEST_TYPE, async (request) => ({
    result: suggest([COMPANY, ...COMPANY_TYPES], request.query).map(({ id, name }) => ({ id, name })),
  }))

  server.get('/reconcile/properties', PROPOSE, async (request) => {
    const { type, limit } = request.query
    const properties = PROPERTIES.slice(0, limit).map(({ id, name }) => ({ id, name }))
    return { type, ...(limit === undefined ? {} : { limit }), properties }
  })
}

function addPreviewRoute(app: App, server: Server): void {
  server.get('/reconcile/preview', async (request, reply) => {
    await admitAddress(app, request, reply, GLANCE_LIMIT)
    const { id } = request.query as { id?: unknown }
    const typed = typeof id === 'string' ? id : ''
    const number = parseCompanyNumber(typed)
    const company = number === null ? null : await findCompany(app.db, number)
    return reply
      .code(company ? 200 : 404)
      .removeHeader('x-frame-options')
      .header('content-security-policy', PREVIEW_POLICY)
      .type('text/html; charset=utf-8')
      .send(company ? formatPreview(company, viewUrl(company.number)) : formatNoPreview(typed))
  })
}

/** Returns the things whose id or name contains the prefix. */
function suggest<Thing extends { id: string; name: string }>(
  things: readonly Thing[],
  { prefix, cursor }: { prefix: string; cursor: number },
): Thing[] {
  const typed = prefix.trim().toLowerCase()
  return things
    .filter(({ id, name }) => id.includes(typed) || name.toLowerCase().includes(typed))
    .slice(cursor, cursor + PROPERTIES.length + COMPANY_TYPES.length)
}

const FORM = 'application/x-www-form-urlencoded'

const Queries = z.string().describe(`A query batch as JSON text: at most ${QUERIES_MAX} queries by ids of your own.`)
const Extend = z.string().describe('A data extension query as JSON text: `{"ids": […], "properties": [{"id": …}]}`.')
const Batch = z.union([ResultBatchBody, ExtensionBody])
const ABOUT =
  'Implements the Reconciliation Service API 0.2, for OpenRefine and programs like it. The register is open data, so ' +
  'no credential is needed; each address has a limit. Free of charge.'

const ASK = describeRoute({
  operationId: 'readReconciliation',
  summary: 'Describe the reconciliation service, or match names by GET',
  description: `Without parameters the service manifest. ${ABOUT}`,
  tag: 'Register',
  querystring: z.object({ queries: Queries.optional(), extend: Extend.optional() }),
  answers: {
    200: { description: 'The manifest, or what was asked for.', schema: z.union([ManifestBody, Batch]) },
  },
  errors: ['payload_too_large', 'rate_limited', 'busy'],
})

const described = describeRoute({
  operationId: 'reconcile',
  summary: 'Match a column of company names with the register',
  description:
    `Candidates for each name, or facts of companies that were matched. ${ABOUT} ` +
    '`match` is true for the very name of one company on the register alone, and for a company number.',
  tag: 'Register',
  body: z
    .object({ queries: Queries.optional(), extend: Extend.optional() })
    .refine(({ queries, extend }) => queries !== undefined || extend !== undefined, {
      error: 'give `queries` or `extend`',
    }),
  answers: { 200: { description: 'Candidates by query, or cells by company.', schema: Batch } },
  errors: ['rate_limited', 'busy'],
})
const SEND = { ...described, schema: { ...described.schema, consumes: [FORM, 'application/json'] } }

const SuggestQuery = z.object({
  prefix: z.string().max(200).default('').describe('What was typed so far.'),
  cursor: z.coerce.number().int().min(0).max(SUGGESTIONS_SKIP_MAX).default(0).describe('How many to skip.'),
})
const suggestions = { 200: { description: 'What may be meant.', schema: SuggestionsBody } }

const SUGGEST_ENTITY = describeRoute({
  operationId: 'suggestCompanies',
  summary: 'Companies whose name begins so',
  description: `By the alphabet, then names that are like it; a company number finds its company. ${ABOUT}`,
  tag: 'Register',
  querystring: SuggestQuery,
  answers: suggestions,
  errors: ['rate_limited'],
})

const SUGGEST_PROPERTY = describeRoute({
  operationId: 'suggestReconciliationProperties',
  summary: 'Properties that can be fetched, or given as hints',
  tag: 'Register',
  querystring: SuggestQuery,
  answers: suggestions,
})

const SUGGEST_TYPE = describeRoute({
  operationId: 'suggestReconciliationTypes',
  summary: 'Types of companies',
  tag: 'Register',
  querystring: SuggestQuery,
  answers: suggestions,
})

const PROPOSE = describeRoute({
  operationId: 'proposeReconciliationProperties',
  summary: 'Properties to fetch for matched companies',
  tag: 'Register',
  querystring: z.object({
    type: z.string().max(200).default(COMPANY.id),
    limit: z.coerce.number().int().min(1).max(100).optional(),
  }),
  answers: { 200: { description: 'The same for every type.', schema: ProposedPropertiesBody } },
})
