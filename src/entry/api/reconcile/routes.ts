import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import type { Config } from '../../../config.ts'
import type { BucketPolicy } from '../../../lib/limits/leased-limiter.ts'
import { runInSlot } from '../../../limits.ts'
import { COMPANY, COMPANY_TYPES, listTypes, PROPERTIES, reconcile, suggestCompanies } from '../../../reconcile/index.ts'
import { findCompany, parseCompanyNumber, REGISTER_SITE } from '../../../register/index.ts'
import { VERSION } from '../../../version.ts'
import { admitAddress } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'
import { ExtensionBody, ManifestBody, ProposedPropertiesBody, ResultBatchBody, SuggestionsBody } from './bodies.ts'
import { extendCompanies, PROPERTY_SETTINGS, parseExtension } from './extension.ts'
import { describeCompany, presentCandidate } from './present-candidate.ts'
import { formatNoPreview, formatPreview, PREVIEW_POLICY, PREVIEW_SIZE } from './preview.ts'
import { parseQueries, QUERIES_MAX } from './queries.ts'

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
  return Object.fromEntries(
    batch
      .entries()
      .map(([id, query]) => [id, { result: (results.get(id) ?? []).map((one) => presentCandidate(query, one)) }]),
  )
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
  'you need no credential; each network address has a limit. Free of charge.'

const describe = describeRoutes({ tag: 'Register' })

const ASK = describe({
  operationId: 'readReconciliation',
  summary: 'Describe the reconciliation service, or match names by GET',
  description: `Without parameters, it returns the service manifest. ${ABOUT}`,
  querystring: z.object({ queries: Queries.optional(), extend: Extend.optional() }),
  answers: {
    200: { description: 'The manifest, or the results.', schema: z.union([ManifestBody, Batch]) },
  },
  errors: ['payload_too_large', 'rate_limited', 'busy'],
})

const described = describe({
  operationId: 'reconcile',
  summary: 'Match a column of company names with the register',
  description:
    `Returns candidates for each name, or facts of matched companies. ${ABOUT} ` +
    '`match` is true for a company number, and for a name that exactly one company on the register has.',
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
  prefix: z.string().max(200).default('').describe('The beginning of the name.'),
  cursor: z.coerce.number().int().min(0).max(SUGGESTIONS_SKIP_MAX).default(0).describe('How many to skip.'),
})
const suggestions = { 200: { description: 'The suggestions.', schema: SuggestionsBody } }

const SUGGEST_ENTITY = describe({
  operationId: 'suggestCompanies',
  summary: 'Suggest companies by the beginning of a name',
  description: `Names that begin so come first, by the alphabet, then similar names. A company number finds its company. ${ABOUT}`,
  querystring: SuggestQuery,
  answers: suggestions,
  errors: ['rate_limited'],
})

const SUGGEST_PROPERTY = describe({
  operationId: 'suggestReconciliationProperties',
  summary: 'Suggest properties to fetch, or to send as hints',
  querystring: SuggestQuery,
  answers: suggestions,
})

const SUGGEST_TYPE = describe({
  operationId: 'suggestReconciliationTypes',
  summary: 'Suggest types of companies',
  querystring: SuggestQuery,
  answers: suggestions,
})

const PROPOSE = describe({
  operationId: 'proposeReconciliationProperties',
  summary: 'Properties to fetch for matched companies',
  querystring: z.object({
    type: z.string().max(200).default(COMPANY.id),
    limit: z.coerce.number().int().min(1).max(100).optional(),
  }),
  answers: { 200: { description: 'The same for every type.', schema: ProposedPropertiesBody } },
})

/** 250 names a second after the first 3,000. */
const BATCH_LIMIT: BucketPolicy = { name: 'reconcile', burst: 60, perSecond: 5 }
/** A person who types or moves a pointer over names. */
const GLANCE_LIMIT: BucketPolicy = { name: 'reconcile_glance', burst: 120, perSecond: 10 }

/** Throws `busy` when more batches wait than can be matched soon. */
function inSlot<Result>({ reconcileSlots }: App, work: () => Promise<Result>): Promise<Result> {
  return runInSlot(
    reconcileSlots,
    'Too many spreadsheets are being matched at this moment. Try again in a few seconds.',
    work,
  )
}

/** Returns the service manifest, which a client reads first: what the service offers, and where. */
function presentManifest({ baseUrl, siteUrl }: Pick<Config, 'baseUrl' | 'siteUrl'>): z.input<typeof ManifestBody> {
  const at = (path: string) => ({ service_url: baseUrl.origin, service_path: path })
  return {
    versions: ['0.2'],
    name: 'UK companies (Nameplate)',
    // The register's own file gives every company this address, so that other services can mean the same companies.
    identifierSpace: 'http://business.data.gov.uk/id/company/',
    schemaSpace: 'https://schema.org/Organization',
    documentation: new URL('/docs/reconcile', siteUrl).href,
    logo: new URL('/assets/icon.svg', siteUrl).href,
    serviceVersion: VERSION,
    defaultTypes: [COMPANY, ...COMPANY_TYPES.slice(0, 3)],
    view: { url: viewUrl('{{id}}') },
    preview: { url: `${baseUrl.origin}/reconcile/preview?id={{id}}`, ...PREVIEW_SIZE },
    suggest: {
      entity: at('/reconcile/suggest/entity'),
      property: at('/reconcile/suggest/property'),
      type: at('/reconcile/suggest/type'),
    },
    extend: { propose_properties: at('/reconcile/properties'), property_settings: [...PROPERTY_SETTINGS] },
    batchSize: QUERIES_MAX,
  }
}

/** The register's own page, which anyone can open. */
function viewUrl(number: string): string {
  return `${REGISTER_SITE}/company/${number}`
}
