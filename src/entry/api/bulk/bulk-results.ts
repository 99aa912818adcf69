/** The results of a bulk job as a file: one line for each row that was sent, in that order. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { type BulkResult, getBulk, streamResults } from '../../../bulk/index.ts'
import { formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'
import { StatusDetail } from '../register/status-detail.ts'
import { BulkId } from './bulk.ts'

const STATUSES = ['waiting', 'running', 'completed', 'failed', 'invalid', 'duplicate', 'cancelled'] as const

const ResultLine = z
  .object({
    row: z.int().describe('From 1, as it was sent.'),
    input: z.string(),
    domain: z.string().nullable().describe('The registrable domain.'),
    status: z.enum(STATUSES),
    outcome: z.enum(OUTCOMES).nullable(),
    company_number: z.string().nullable(),
    company_name: z.string().nullable(),
    company_status: z.string().nullable(),
    registered_postcode: z.string().nullable(),
    confidence: z.number().nullable(),
    reason: z.string().nullable().describe('What decided it, or why there is no answer.'),
    duplicate_of: z.int().nullable().describe('The row that has the answer for this domain.'),
    resolution_id: z.string().nullable(),
    evidence_url: z.string().nullable(),
    charged: z.boolean(),
    charge_reason: z.string().nullable(),
    ...StatusDetail,
  })
  .meta({ id: 'BulkResult' })

type Line = z.input<typeof ResultLine>
const COLUMNS = Object.keys(ResultLine.shape) as Array<keyof Line>

const FORMATS = {
  csv: { type: 'text/csv; charset=utf-8', head: formatCsvLine(COLUMNS), format: formatCsv },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', head: '', format: (line: Line) => `${JSON.stringify(line)}\n` },
}

export function bulkResultsRoutes(app: App, server: Server): void {
  server.get('/v1/bulk/:id/results', RESULTS, async (request, reply) => {
    const [{ accountId }, at] = [callerOf(request), app.clock.now()]
    const { id } = await getBulk(app.db, { ...callerOf(request), id: request.params.id, at })
    const name = request.query.format ?? (/\btext\/csv\b/i.test(request.headers.accept ?? '') ? 'csv' : 'jsonl')
    const details = { bulk_id: id, format: name }
    await recordAudit(app.db, { at, accountId, action: 'bulk_exported', origin: originOf(request), details })
    return reply
      .type(FORMATS[name].type)
      .header('content-disposition', `attachment; filename="${id}.${name}"`)
      .send(Readable.from(writeFile(app, id, FORMATS[name]), { objectMode: false }))
  })
}

async function* writeFile(app: App, id: string, { head, format }: (typeof FORMATS)['csv']): AsyncGenerator<string> {
  if (head !== '') yield head
  for await (const page of streamResults(app, id)) {
    yield page.map((result) => format(presentLine(result, app.config.baseUrl))).join('')
  }
}

function presentLine(result: BulkResult, baseUrl: URL): Line {
  const { state, company, resolutionId } = result
  const outcome = OUTCOMES.find((known) => known === state) ?? null
  return {
    row: result.row,
    input: result.input,
    domain: result.domain,
    status: STATUSES.find((status) => status === state) ?? 'completed',
    outcome,
    company_number: company?.number ?? null,
    company_name: company?.name ?? null,
    company_status: company?.status ?? null,
    registered_postcode: company?.postcode ?? null,
    confidence: result.confidence,
    reason: result.reason,
    duplicate_of: result.duplicateOf,
    resolution_id: resolutionId,
    // A file travels: what it names is found from anywhere.
    evidence_url: resolutionId && new URL(`/v1/resolutions/${resolutionId}/evidence`, baseUrl).href,
    charged: result.charged,
    charge_reason: result.chargeReason,
    company_status_detail: company?.statusDetail ?? null,
    company_status_text: company?.statusText ?? null,
  }
}

function formatCsv(line: Line): string {
  return formatCsvLine(COLUMNS.map((column) => line[column] ?? null))
}

const described = describeRoute({
  operationId: 'getBulkResults',
  summary: 'Every row of a bulk job with its result',
  description:
    'One line for each row that was sent, in that order, as JSON lines or CSV: by `format`, else by `Accept`, else JSON ' +
    'lines. Works at any time; rows without an answer say `waiting` or `running`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  assertOwned: (app, caller, id) => getBulk(app.db, { ...caller, id, at: app.clock.now() }),
  params: BulkId,
  querystring: z.object({ format: z.enum(['csv', 'jsonl']).optional() }),
  answers: {},
  errors: ['not_found'],
})

const FILE = {
  description: 'The file.',
  content: { 'application/x-ndjson': { schema: ResultLine }, 'text/csv': { schema: z.string() } },
}
const response: Record<number, unknown> = { ...described.schema.response, 200: FILE }
const RESULTS = { ...described, schema: { ...described.schema, response } }
