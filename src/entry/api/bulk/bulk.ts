import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  type BulkJob,
  type ClassifiedRow,
  cancelBulk,
  createBulk,
  getBulk,
  KEPT_DAYS,
  listBulkJobs,
  type Preflight,
  ROWS_MAX,
  RUNNING_MAX,
  readCsv,
  readPreflight,
  resumeBulk,
  STATES,
} from '../../../bulk/index.ts'
import { callerOf, changeOf, originOf } from '../../http/caller.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { PageQuery, pageOf, presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

/** 10,000 addresses of 200 characters. */
const BODY_BYTES_MAX = 2 * 1024 * 1024
const EXAMPLES_MAX = 10

const counted = Object.fromEntries(STATES.map((state) => [state, z.int()])) as Record<(typeof STATES)[number], z.ZodInt>

const BulkBody = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    status: z.enum(['running', 'paused', 'completed', 'cancelled']),
    paused_reason: z.string().nullable().describe('`insufficient_credits`: resume it once there are some.'),
    counts: z.object({ total: z.int(), ...counted }).describe('Rows by state. Without `total` they come to `total`.'),
    credits_spent: z.int(),
    credits_max: z.int().describe('The most it could cost when it was sent.'),
    created_at: Time,
    finished_at: Time.nullable(),
    eta_seconds: z.int().nullable().describe('At the pace of the last minute.'),
    results_url: z.string().describe('Every row with what is known of it now.'),
  })
  .meta({ id: 'Bulk' })

const Example = z.object({ row: z.int(), input: z.string(), message: z.string() })

const PreflightBody = z
  .object({
    rows: z.int().describe('The sum of the next four.'),
    unique_domains: z.int().describe('Domains to resolve.'),
    duplicates: z.int(),
    invalid: z.int(),
    free_mail: z.int().describe('Addresses at free e-mail providers.'),
    already_known: z.int().describe('Answers that are there at once.'),
    already_paid: z.int().describe('Free of charge, as you paid for them in the last 30 days.'),
    credits_max: z.int().describe('The most it can cost: only matches do.'),
    credits_available: z.int(),
    enough_credits: z.boolean(),
    examples: z.object({ invalid: z.array(Example), free_mail: z.array(Example) }),
  })
  .meta({ id: 'BulkPreflight' })

export async function bulkRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope: Server) => {
    // A table becomes the body that JSON would have been; elsewhere CSV stays an unsupported type.
    scope.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request: unknown, text: string) => ({
      domains: readCsv(text),
    }))
    createRoute(app, scope)
  })

  server.get('/v1/bulk', LIST, async (request) => {
    const { page, limit } = request.query
    const ask = { ...callerOf(request), at: app.clock.now(), limit, offset: (page - 1) * limit }
    const { bulkJobs, hasMore } = await listBulkJobs(app.db, ask)
    return { data: bulkJobs.map(presentBulk), page, limit, has_more: hasMore }
  })

  server.get('/v1/bulk/:id', READ, async (request) => {
    return presentBulk(await getBulk(app.db, { ...callerOf(request), id: request.params.id, at: app.clock.now() }))
  })

  server.post('/v1/bulk/:id/cancel', CANCEL, async (request) => {
    return presentBulk(await cancelBulk(app, changeOf(request)))
  })

  server.post('/v1/bulk/:id/resume', RESUME, async (request) => {
    return presentBulk(await resumeBulk(app, changeOf(request)))
  })
}

function createRoute(app: App, server: Server): void {
  server.post('/v1/bulk', { ...CREATE, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const caller = callerOf(request)
    const { domains: inputs, name = request.query.name ?? null } = request.body
    const work = async () => {
      if (request.query.preflight)
        return { status: 200, body: presentPreflight(await readPreflight(app, { ...caller, inputs })) }
      const body = presentBulk(await createBulk(app, { ...caller, name, inputs, origin: originOf(request) }))
      setLocationHeader(reply, body)
      return { status: 202, body }
    }
    return respondOnce(app, { request, reply, caller }, work, async (kept) => {
      setLocationHeader(reply, kept.body)
      return kept
    })
  })
}

function setLocationHeader(reply: FastifyReply, body: { id?: string }): void {
  if (body.id !== undefined) void reply.header('location', `/v1/bulk/${body.id}`)
}

function presentBulk(bulk: BulkJob): z.input<typeof BulkBody> {
  const { rowCount: total, counts, ...job } = bulk
  return { ...presentMembers(job), counts: { total, ...counts }, results_url: `/v1/bulk/${bulk.id}/results` }
}

function presentPreflight({ rows, domains, ...preflight }: Preflight): z.input<typeof PreflightBody> {
  return {
    ...presentMembers(preflight),
    rows: rows.length,
    unique_domains: domains.length,
    enough_credits: preflight.creditsAvailable >= preflight.creditsMax,
    examples: { invalid: examplesOf(rows, false), free_mail: examplesOf(rows, true) },
  }
}

function examplesOf(rows: readonly ClassifiedRow[], isFreeMail: boolean): Array<z.input<typeof Example>> {
  return rows
    .filter((row) => row.state === 'invalid')
    .filter((row) => row.isFreeMail === isFreeMail)
    .slice(0, EXAMPLES_MAX)
    .map(({ row, input, reason }) => ({ row, input, message: reason }))
}

const Name = z.string().trim().min(1).max(200).describe('A name for you, shown with the bulk job.')
export const BulkId = z.object({ id: z.string().max(64) })
const ROWS = ROWS_MAX.toLocaleString('en-GB')

const describe = describeRoutes({ tag: 'Resolution', accepts: ['session', 'key'] })

const described = describe({
  operationId: 'createBulk',
  summary: `Resolve up to ${ROWS} domains`,
  description:
    'As JSON, or a table as `text/csv`: the column is found by its name (`domain`, `website`, `url`, `email` and the like), ' +
    'else the first is taken. Each row is checked at once, and each registrable domain is resolved once, after requests ' +
    'for single domains. A credit is held per row while it is under way and spent on a match; without credits the bulk job ' +
    `pauses. At most ${RUNNING_MAX} run at once. With \`preflight=true\` nothing is begun and the answer says what it would come to.`,
  idempotent: true,
  querystring: z.object({
    preflight: z.stringbool().optional().describe('Only say what it would come to.'),
    name: Name.optional().describe('The name, for a body that is CSV.'),
  }),
  body: z.object({
    domains: z
      .array(z.string())
      .describe(`Domains, addresses or e-mail addresses, up to ${ROWS}. Rows are counted from 1.`),
    name: Name.optional(),
  }),
  answers: {
    202: { description: 'It runs. `Location` says where to ask for it.', schema: BulkBody },
    200: { description: 'What it would come to.', schema: PreflightBody },
  },
  errors: ['insufficient_credits', 'bulk_limit_reached'],
})
const CREATE = { ...described, schema: { ...described.schema, consumes: ['application/json', 'text/csv'] } }

const LIST = describe({
  operationId: 'listBulks',
  summary: 'Your bulk jobs',
  description: `The newest first. They are kept for ${KEPT_DAYS} days.`,
  querystring: PageQuery,
  answers: { 200: { description: 'A page of bulk jobs.', schema: pageOf(BulkBody).meta({ id: 'Bulks' }) } },
})

const READ = describe({
  operationId: 'getBulk',
  summary: 'Progress of a bulk job',
  params: BulkId,
  answers: { 200: { description: 'The bulk job with its current counts.', schema: BulkBody } },
  errors: ['not_found'],
})

const CANCEL = describe({
  operationId: 'cancelBulk',
  summary: 'Cancel a bulk job',
  description:
    'Rows that were not asked for are cancelled; those under way come to their end. Doing it again changes nothing.',
  params: BulkId,
  answers: { 200: { description: 'The bulk job, cancelled unless it had ended before.', schema: BulkBody } },
  errors: ['not_found'],
})

const RESUME = describe({
  operationId: 'resumeBulk',
  summary: 'Resume a bulk job',
  description: 'Resolves every row without an answer: queued, cancelled and failed rows.',
  params: BulkId,
  answers: { 200: { description: 'The bulk job, running unless all its rows have answers.', schema: BulkBody } },
  errors: ['not_found', 'insufficient_credits', 'bulk_limit_reached'],
})
