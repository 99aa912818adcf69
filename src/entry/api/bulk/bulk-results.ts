/** The results of a bulk job as a file: one line for each row that was sent, in that order. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import {
  assertBulk,
  type BulkJob,
  type BulkResult,
  countOwnLinks,
  getBulk,
  nameOwnColumns,
  padCells,
  type ResultsAsk,
  SHEET_COLUMN_IDS,
  SHEET_COLUMNS,
  SHEET_DEFAULT,
  type SheetColumnId,
  SheetCounts,
  streamResults,
  streamSheet,
  summarise,
} from '../../../bulk/index.ts'
import { type Cell, cellText } from '../../../lib/sheets/cell.ts'
import { toJsonCell } from '../../../lib/sheets/full-text.ts'
import { writeCsv } from '../../../lib/sheets/write-csv.ts'
import { writeXlsx } from '../../../lib/sheets/write-xlsx.ts'
import { formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { BINARY_FILE, describeRoute, TEXT_FILE, withFile } from '../../http/route.ts'
import { StatusDetail } from '../register/status-detail.ts'
import { BulkId } from './bulk.ts'
import { RowFilterQuery, toRowFilter, XLSX_TYPE } from './row-query.ts'

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
    resolution_url: z.string().nullable().describe('The answer in the console, for a person of your account.'),
  })
  .meta({ id: 'BulkResult' })

type Line = z.input<typeof ResultLine>
const COLUMNS = Object.keys(ResultLine.shape) as Array<keyof Line>

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: XLSX_TYPE,
} as const
type Format = keyof typeof TYPES

export function bulkResultsRoutes(app: App, server: Server): void {
  server.get('/v1/bulk/:id/results', RESULTS, async (request, reply) => {
    const [{ accountId, mode }, at] = [callerOf(request), app.clock.now()]
    const bulk = await getBulk(app.db, { ...callerOf(request), id: request.params.id, at })
    const { format = formatOf(request.headers.accept), layout = format === 'xlsx' ? 'sheet' : 'rows' } = request.query
    const details = { bulk_id: bulk.id, format }
    await recordAudit(app.db, { at, accountId, mode, action: 'bulk_exported', origin: originOf(request), details })
    const { columns = SHEET_DEFAULT, after_row: afterRow, ...query } = request.query
    const ask = {
      bulkId: bulk.id,
      filter: toRowFilter(query),
      afterRow,
      columns,
      columnCount: bulk.source?.columnCount ?? 0,
    }
    const file =
      format === 'xlsx' || layout === 'sheet' ? writeSheet(app, bulk, ask, format) : writeRows(app, ask, format)
    return reply
      .type(TYPES[format])
      .header('content-disposition', `attachment; filename="${bulk.id}.${format}"`)
      .send(Readable.from(file, { objectMode: false }))
  })
}

function formatOf(accept = ''): Format {
  if (accept.includes(XLSX_TYPE)) return 'xlsx'
  return /\btext\/csv\b/i.test(accept) ? 'csv' : 'jsonl'
}

interface Ask extends ResultsAsk {
  columns: readonly SheetColumnId[]
  columnCount: number
}

async function* writeRows(app: App, ask: Ask, format: Format): AsyncGenerator<string> {
  const isCsv = format === 'csv'
  // What continues a file has no header.
  if (isCsv && ask.afterRow === undefined) yield formatCsvLine(COLUMNS)
  for await (const page of streamResults(app, ask)) {
    const lines = page.map((result) => presentLine(result, app.config))
    yield lines.map((line) => (isCsv ? formatCsv(line) : `${JSON.stringify(line)}\n`)).join('')
  }
}

/** The customer's own table with our columns behind it. */
async function* writeSheet(app: App, bulk: BulkJob, ask: Ask, format: Format): AsyncGenerator<string | Uint8Array> {
  const counts = new SheetCounts()
  const rows = () => streamSheet(app, { ...ask, count: (result) => counts.add(result) })
  const added = ask.columns.map((id) => SHEET_COLUMNS[id])
  const addedNames = added.map((column) => column.header)
  const header = [...nameOwnColumns(bulk), ...addedNames]
  if (format === 'jsonl') {
    const writeLine = (cells: Cell[]) => `${JSON.stringify(nameCells(header, cells, ask.columnCount))}\n`
    for await (const page of rows()) yield page.map(writeLine).join('')
  } else if (format === 'csv') {
    yield* writeCsv(withHeader(ask.afterRow === undefined ? headerOf(bulk, addedNames) : [], rows()), {
      hasMark: ask.afterRow === undefined,
    })
  } else {
    const columns = header.map((name, index) => ({
      header: name,
      width: added[index - ask.columnCount]?.width ?? OWN_WIDTH,
    }))
    const ownLinks = { columns: ask.columnCount, count: await countOwnLinks(app.db, bulk.id) }
    yield* writeXlsx({
      sheets: [
        { name: 'Results', columns, headerRows: headerOf(bulk, addedNames), ownLinks, rows: rows() },
        { name: 'Summary', columns: SUMMARY_COLUMNS, rows: whenReached(() => summarise(bulk, counts, ask)) },
      ],
    })
  }
}

const OWN_WIDTH = 20
const SUMMARY_COLUMNS = [
  { header: 'Summary', width: 28 },
  { header: '', width: 40 },
]

async function* withHeader(header: Cell[][], rows: AsyncIterable<Cell[][]>): AsyncGenerator<Cell[][]> {
  yield header
  yield* rows
}

/** The sums are known when the rows are written. */
async function* whenReached(read: () => Cell[][]): AsyncGenerator<Cell[][]> {
  yield read()
}

/** The rows above the customer's data as they were, with ours in the last one. A table without a header gets one. */
function headerOf(bulk: BulkJob, added: readonly string[]): Cell[][] {
  const { header = [], columnCount = 0 } = bulk.source ?? {}
  const last = header.at(-1)
  const own = last ? padCells(last, columnCount) : nameOwnColumns(bulk)
  return [...header.slice(0, -1), [...own, ...added]]
}

/** The first cells are the customer's own. Two columns of one name are two members: the second has its number. */
function nameCells(
  header: readonly string[],
  cells: readonly Cell[],
  ownCount: number,
): Record<string, string | number | boolean | null> {
  const named = new Map<string, string | number | boolean | null>()
  for (const [index, name] of header.entries()) {
    const key = named.has(name) ? `${name} (${index + 1})` : name
    const cell = cells[index] ?? null
    named.set(
      key,
      index < ownCount ? toJsonCell(cell) : cell !== null && typeof cell === 'object' ? cellText(cell) : cell,
    )
  }
  return Object.fromEntries(named)
}

function presentLine(result: BulkResult, { baseUrl, siteUrl }: App['config']): Line {
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
    resolution_url: resolutionId && new URL(`/console/resolutions/${resolutionId}`, siteUrl).href,
  }
}

function formatCsv(line: Line): string {
  return formatCsvLine(COLUMNS.map((column) => line[column] ?? null))
}

const described = describeRoute({
  operationId: 'getBulkResults',
  summary: 'Every row of a bulk job with its result',
  description:
    'One line for each row that was sent, in that order, as JSON lines, CSV or a workbook: by `format`, else by `Accept`, else JSON ' +
    'lines. Works at any time; rows without an answer say `waiting` or `running`. With `layout=sheet`, and in a workbook, your own columns ' +
    'come first as you sent them, then the columns that you choose. A download that broke off continues with `after_row`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  assertOwned: (app, caller, id) => assertBulk(app.db, { ...caller, id, at: app.clock.now() }),
  params: BulkId,
  querystring: z.object({
    ...RowFilterQuery,
    format: z.enum(['csv', 'jsonl', 'xlsx']).optional(),
    layout: z.enum(['rows', 'sheet']).optional().describe('`sheet`: your own table with our columns behind it.'),
    columns: z
      .string()
      .max(500)
      .transform((list) => list.split(',').filter((id) => id !== ''))
      .pipe(z.array(z.enum(SHEET_COLUMN_IDS)).max(SHEET_COLUMN_IDS.length))
      .optional()
      .describe(`For \`layout=sheet\`, separated by commas: ${SHEET_COLUMN_IDS.join(', ')}.`),
    after_row: z.coerce
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe(
        'Only rows after this one. JSON lines and CSV continue a file, so CSV has no header; a workbook has one.',
      ),
  }),
  answers: {},
  errors: ['not_found'],
})

const RESULTS = withFile(described, {
  'application/x-ndjson': { schema: ResultLine },
  'text/csv': TEXT_FILE,
  [XLSX_TYPE]: BINARY_FILE,
})
