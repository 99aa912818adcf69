import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  type BulkJob,
  type ClassifiedRow,
  cancelBulk,
  createBulk,
  getBulk,
  HEADER_ROWS_MAX,
  HOLDS,
  KEPT_DAYS,
  listBulkJobs,
  mapFile,
  mapText,
  type NewBulk,
  nameOwnColumns,
  type Preflight,
  ROWS_MAX,
  RUNNING_MAX,
  readPreflight,
  resumeBulk,
  rowOfAddress,
  STATES,
} from '../../../bulk/index.ts'
import { type Caller, callerOf, changeOf, originOf } from '../../http/caller.ts'
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
    paused_reason: z
      .string()
      .nullable()
      .describe(
        '`insufficient_credits`: resume it once there are some. `account_disabled`: resume it once the account is enabled.',
      ),
    counts: z.object({ total: z.int(), ...counted }).describe('Rows by state. Without `total` they come to `total`.'),
    credits_spent: z.int(),
    credits_max: z.int().describe('The most it could cost when it was sent.'),
    created_at: Time,
    finished_at: Time.nullable(),
    eta_seconds: z.int().nullable().describe('At the pace of the last minute.'),
    results_url: z.string().describe('Every row with what is known of it now.'),
    source: z
      .object({
        file_name: z.string().nullable(),
        sheet: z.string().describe('Empty for a CSV file.'),
        columns: z.array(z.string()).describe('Your own columns, which come first in a table of the results.'),
      })
      .nullable()
      .describe('The table that you sent; null for a list of domains.'),
  })
  .meta({ id: 'Bulk' })

const Example = z.object({ row: z.int(), input: z.string(), message: z.string() })

const PreflightBody = z
  .object({
    rows: z.int().describe('The sum of the next seven.'),
    unique_domains: z.int().describe('Domains to resolve.'),
    numbers: z.int().describe('Company numbers to look up in the register, free of charge.'),
    names: z.int().describe('Company names to match with the register, free of charge.'),
    duplicates: z.int(),
    invalid: z.int(),
    free_mail: z.int().describe('Addresses at free e-mail providers.'),
    empty: z.int().describe('Rows of a file with nothing in the chosen columns.'),
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
      table: text,
    }))
    createRoute(app, scope)
  })

  server.get('/v1/bulk', LIST, async (request) => {
    const { page, limit, q: text } = request.query
    const ask = { ...callerOf(request), at: app.clock.now(), limit, offset: (page - 1) * limit, text }
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
    const name = request.body.name ?? request.query.name ?? null
    const work = async (once: App) => {
      const table = await readSent(app, caller, request.body)
      if (request.query.preflight)
        return { status: 200, body: presentPreflight(await readPreflight(app, { ...caller, ...table })) }
      const body = presentBulk(await createBulk(once, { ...caller, name, ...table, origin: originOf(request) }))
      setLocationHeader(reply, body)
      return { status: 202, body }
    }
    return respondOnce(app, { request, reply, caller }, work, async (kept) => {
      setLocationHeader(reply, kept.body)
      return kept
    })
  })
}

type Table = Pick<NewBulk, 'sent' | 'source' | 'saved'>

/** The rows of a list, of a table in the body, or of a stored file. */
async function readSent(app: App, caller: Caller, body: z.output<typeof BulkRequest>): Promise<Table> {
  const { domains, table: text, file_id: id, columns: mapping, sheet, header_rows: headerRows } = body
  if (text !== undefined) {
    const { accountId } = caller
    return { ...(await mapText(app, { accountId, text, headerRows, mapping })), saved: null }
  }
  if (id === undefined || mapping === undefined)
    return { sent: (domains ?? []).map(rowOfAddress), source: null, saved: null }
  const table = await mapFile(app, { ...caller, id, sheet, headerRows, mapping })
  return { ...table, saved: table.headerKey === null ? null : { key: table.headerKey, mapping } }
}

function setLocationHeader(reply: FastifyReply, body: { id?: string }): void {
  if (body.id !== undefined) void reply.header('location', `/v1/bulk/${body.id}`)
}

function presentBulk(bulk: BulkJob): z.input<typeof BulkBody> {
  const { rowCount: total, counts, source, ...job } = bulk
  return {
    ...presentMembers(job),
    counts: { total, ...counts },
    results_url: `/v1/bulk/${bulk.id}/results`,
    source: source && { file_name: source.fileName, sheet: source.sheet, columns: nameOwnColumns(bulk) },
  }
}

function presentPreflight({ rows, domains, ...preflight }: Preflight): z.input<typeof PreflightBody> {
  return {
    ...presentMembers(preflight),
    rows: rows.length,
    unique_domains: domains.length,
    enough_credits: preflight.creditsAvailable >= preflight.creditsMax,
    examples: { invalid: examplesOf(rows, 'address'), free_mail: examplesOf(rows, 'free_mail') },
  }
}

function examplesOf(rows: readonly ClassifiedRow[], refusal: 'address' | 'free_mail'): Array<z.input<typeof Example>> {
  return rows
    .filter((row) => row.state === 'invalid')
    .filter((row) => row.refusal === refusal)
    .slice(0, EXAMPLES_MAX)
    .map(({ row, input, reason }) => ({ row, input, message: reason }))
}

const Name = z.string().trim().min(1).max(200).describe('A name for you, shown with the bulk job.')
export const BulkId = z.object({ id: z.string().max(64) })
/** As many as fit into the body. */
const LISTED = '10,000'
const ROWS = ROWS_MAX.toLocaleString('en-GB')

const Column = z.int().min(1).max(1_000)
const columns = Object.fromEntries(HOLDS.map((kind) => [kind, Column.optional()])) as Record<
  (typeof HOLDS)[number],
  z.ZodOptional<z.ZodInt>
>

const BulkRequest = z
  .object({
    domains: z
      .array(z.string())
      .optional()
      .describe(
        `Domains, addresses or e-mail addresses, up to ${LISTED}; a file has up to ${ROWS}. Rows are counted from 1.`,
      ),
    file_id: z
      .string()
      .max(64)
      .optional()
      .describe('A file that you sent to POST /v1/bulk/files, instead of `domains`.'),
    columns: z
      .object(columns)
      .optional()
      .describe(
        'For a file or a `table`: the column of each kind, counted from 1. Without it the columns of a `table` are guessed. Each row uses the ' +
          'first that it has and that is valid: company number, domain, web address, e-mail address, company name with postcode.',
      ),
    sheet: z
      .string()
      .max(200)
      .optional()
      .describe('For a workbook: the sheet; by default the first one with something in it.'),
    header_rows: z
      .int()
      .min(0)
      .max(HEADER_ROWS_MAX)
      .optional()
      .describe('For a file or a `table`: rows above the data; by default as guessed.'),
    name: Name.optional(),
    table: z.string().optional().describe('A table as CSV, instead of `domains`: what a body of `text/csv` is.'),
  })
  .superRefine((body, context) => {
    const given = [body.domains, body.file_id, body.table].filter((one) => one !== undefined)
    const hasColumn = HOLDS.some((kind) => kind !== 'postcode' && body.columns?.[kind] !== undefined)
    if (given.length !== 1)
      context.addIssue({ code: 'custom', path: ['domains'], message: 'Send `domains`, `file_id` or `table`.' })
    const needsColumn = body.file_id !== undefined || (body.table !== undefined && body.columns !== undefined)
    if (needsColumn && !hasColumn)
      context.addIssue({
        code: 'custom',
        path: ['columns'],
        message: 'Choose a column with domains, addresses, names or numbers.',
      })
  })

const describe = describeRoutes({ tag: 'Resolution', accepts: ['session', 'key'] })

const described = describe({
  operationId: 'createBulk',
  summary: `Resolve up to ${ROWS} domains`,
  description:
    'As JSON, a file (see POST /v1/bulk/files), or a table as `text/csv`: the columns are found by their names (`domain`, `website`, ' +
    '`email` and the like) and what is in them; a table without a certain column is refused. Each row is checked at once, and each registrable domain is resolved once, after requests ' +
    'for single domains. A credit is held per row while it is under way and spent on a match; without credits the bulk job ' +
    `pauses. At most ${RUNNING_MAX} run at once. With \`preflight=true\` nothing is begun and the answer says what it would come to.`,
  idempotent: true,
  querystring: z.object({
    preflight: z.stringbool().optional().describe('Only say what it would come to.'),
    name: Name.optional().describe('The name, for a body that is CSV.'),
  }),
  body: BulkRequest,
  answers: {
    202: { description: 'It runs. `Location` says where to ask for it.', schema: BulkBody },
    200: { description: 'What it would come to.', schema: PreflightBody },
  },
  errors: ['insufficient_credits', 'bulk_limit_reached', 'plan_limit_reached', 'not_found', 'busy'],
})
const CREATE = { ...described, schema: { ...described.schema, consumes: ['application/json', 'text/csv'] } }

const LIST = describe({
  operationId: 'listBulks',
  summary: 'Your bulk jobs',
  description: `The newest first. They are kept for ${KEPT_DAYS} days.`,
  querystring: PageQuery.extend({
    q: z.string().trim().min(1).max(100).optional().describe('Only jobs with this in their name, or in their id.'),
  }),
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
