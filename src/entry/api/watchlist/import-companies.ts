/** Companies from a file, from pasted numbers or from a bulk job onto a list. */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { assertBulk, type CompanyRow, readCompanyRows, readRows, streamResults } from '../../../bulk/index.ts'
import {
  type AskedCompany,
  getListKey,
  NOTE_MAX,
  TAG_MAX,
  TAGS_MAX,
  WATCH_OUTCOMES,
  watchCompanies,
} from '../../../signals/index.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'
import { assertList, ListId, Words } from './lists.ts'
import { ownerOf } from './watchlist.ts'

const NUMBERS_MAX = 50_000
/** A table may have a header and empty rows, too. */
const ROWS_MAX = 2 * NUMBERS_MAX
/** As large as an export of most lists with their notes. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
/** Rows that need a look are named, as many as a person reads. */
const PROBLEMS_MAX = 100

const counted = Object.fromEntries(WATCH_OUTCOMES.map((outcome) => [outcome, z.int()])) as Record<
  (typeof WATCH_OUTCOMES)[number],
  z.ZodInt
>

const Imported = z
  .object({
    rows: z.int().describe('Numbers that were read. The counts come to this.'),
    counts: z.object(counted),
    problems: z
      .array(z.object({ row: z.int(), company_number: z.string(), outcome: z.enum(WATCH_OUTCOMES) }))
      .describe(`The first ${PROBLEMS_MAX} that are not on the list, counted from 1.`),
    used: z.int().describe('Companies that you watch now.'),
    limit: z.int().describe('The most that the plan allows.'),
  })
  .meta({ id: 'ImportedCompanies' })

export async function importCompaniesRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope: Server) => {
    // A table becomes the body that JSON would have been; elsewhere CSV stays an unsupported type.
    scope.addContentTypeParser('text/csv', { parseAs: 'buffer' }, async (request: FastifyRequest, content: Buffer) => {
      const rows = readCompanyRows(await readRows(callerOf(request).accountId, content, ROWS_MAX), NUMBERS_MAX)
      return { companies: rows.map(toCompany) }
    })
    importRoute(app, scope)
  })
}

/** Throws `invalid_request` where a cell has more than a person can type. */
function toCompany({ number, ...words }: CompanyRow) {
  const { note = '', tags = [] } = words
  const beyond = [
    ...(note.length > NOTE_MAX ? [`a note of more than ${NOTE_MAX.toLocaleString('en-GB')} characters`] : []),
    ...(tags.length > TAGS_MAX ? [`more than ${TAGS_MAX} tags`] : []),
    ...(tags.some(({ length }) => length > TAG_MAX) ? [`a tag of more than ${TAG_MAX} characters`] : []),
  ]
  if (beyond.length > 0)
    throw invalidRequest([
      { field: 'file', message: `has ${beyond.join(' and ')} at ${number}: shorten it, or leave out the column` },
    ])
  return { company_number: number, ...words }
}

function importRoute(app: App, server: Server): void {
  server.post('/v1/watchlists/:id/import', { ...IMPORT, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const caller = callerOf(request)
    return respondOnce(app, { request, reply, caller }, async (once) => {
      await getListKey(app.db, caller, request.params.id)
      const owner = { ...ownerOf(caller), origin: originOf(request) }
      const companies = await readAsked(app, caller, request.body)
      const { items, used } = await watchCompanies(once, owner, companies, request.params.id)
      return { status: 200, body: { ...presentItems(items), used, limit: owner.watchlistMax } }
    })
  })
}

async function readAsked(app: App, caller: Caller, body: z.output<typeof Body>): Promise<Array<string | AskedCompany>> {
  const { company_numbers: numbers, companies, bulk_id: bulkId } = body
  if ([numbers, companies, bulkId].filter((given) => given !== undefined).length !== 1) {
    throw invalidRequest([{ field: 'company_numbers', message: 'send either this, `companies` or `bulk_id`' }])
  }
  if (companies) return companies.map(({ company_number: number, note, tags }) => ({ number, note, tags }))
  return numbers ?? readMatched(app, caller, bulkId ?? '')
}

/** Returns the companies of a bulk job's matches, each once and in the order of its rows. */
async function readMatched(app: App, caller: Caller, bulkId: string): Promise<string[]> {
  await assertBulk(app.db, { ...caller, id: bulkId, at: app.clock.now() })
  const numbers = new Set<string>()
  for await (const page of streamResults(app, { bulkId })) {
    for (const { state, company } of page) if (state === 'matched' && company) numbers.add(company.number)
  }
  return [...numbers]
}

type Items = Awaited<ReturnType<typeof watchCompanies>>['items']

function presentItems(items: Items) {
  const counts = { watched: 0, already_watched: 0, limit_reached: 0, not_found: 0, invalid: 0 }
  for (const { outcome } of items) counts[outcome] += 1
  const problems = items.flatMap(({ companyNumber, outcome }, index) =>
    outcome === 'watched' || outcome === 'already_watched'
      ? []
      : [{ row: index + 1, company_number: companyNumber, outcome }],
  )
  return { rows: items.length, counts, problems: problems.slice(0, PROBLEMS_MAX) }
}

const Typed = z.string().max(100)
const Body = z.object({
  company_numbers: z
    .array(Typed)
    .min(1)
    .max(NUMBERS_MAX)
    .optional()
    .describe('As people write them: `SC 12345` will do.'),
  companies: z
    .array(z.object({ company_number: Typed, ...Words.shape }))
    .min(1)
    .max(NUMBERS_MAX)
    .optional()
    .describe('Instead: with notes and tags. What you leave out stays.'),
  bulk_id: z.string().max(64).optional().describe('Instead: the companies of all matches of this bulk job.'),
})

const described = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })({
  operationId: 'importCompanies',
  summary: 'Put many companies on a list',
  description:
    `Up to ${NUMBERS_MAX.toLocaleString('en-GB')} company numbers as JSON, or a table (CSV or a workbook) as \`text/csv\`: the ` +
    'column is found by its name (`company_number`, `crn` and the like) and its values. A table of several columns of which none ' +
    'is certain is refused. Columns named `note` and `tags` (separated by commas) are taken too. Or the companies that a bulk job matched. Sending it again adds no company twice and writes its notes and tags again. When the plan is full, the first ones are added and the rest are `limit_reached`.',
  idempotent: true,
  assertOwned: assertList,
  params: ListId,
  body: Body,
  answers: { 200: { description: 'What became of each.', schema: Imported } },
  errors: ['not_found', 'busy'],
})
const IMPORT = { ...described, schema: { ...described.schema, consumes: ['application/json', 'text/csv'] } }
