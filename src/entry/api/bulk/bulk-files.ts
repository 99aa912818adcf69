/** A customer's file before its bulk job: what is in it, and which columns are meant. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  addFile,
  assertFile,
  type BulkFile,
  FILE_BYTES_MAX,
  HEADER_ROWS_MAX,
  HOLDS,
  listNotices,
  readFile,
} from '../../../bulk/index.ts'
import { DomainError } from '../../../errors.ts'
import { cellText } from '../../../lib/sheets/cell.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { XLSX_TYPE } from './row-query.ts'

const FIRST_ROWS = 20
/** Files of 25 MB that arrive at once. */
const ARRIVING_MAX = 6
/** Cells of the preview are cut to this. */
const SHOWN_LENGTH_MAX = 200
const TYPES = ['text/csv', 'text/plain', 'text/tab-separated-values', XLSX_TYPE, 'application/octet-stream']

const FileBody = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    format: z.enum(['csv', 'xlsx']),
    bytes: z.int(),
    encoding: z.string().nullable().describe('Of a CSV file.'),
    delimiter: z.string().nullable().describe('Of a CSV file.'),
    sheets: z
      .array(z.object({ name: z.string(), rows: z.int(), columns: z.int(), hidden: z.boolean() }))
      .describe('A CSV file has one, without a name.'),
    sheet: z.string().describe('The one that was read.'),
    header_rows: z.int().describe('Rows above the data: as guessed, or as you said.'),
    rows: z.int().describe('Rows of data.'),
    columns: z.array(
      z.object({
        column: z.int().describe('From 1.'),
        name: z.string(),
        holds: z.enum(HOLDS).nullable().describe('What the column holds, as far as we can see.'),
        sure: z.boolean().describe('False where a person should look.'),
        examples: z.array(z.string()),
      }),
    ),
    first_rows: z
      .array(z.array(z.string()))
      .describe(`The first ${FIRST_ROWS} rows as they were read, with the header.`),
    notices: z
      .array(z.object({ kind: z.string(), count: z.int(), message: z.string() }))
      .describe(
        'What a person may not expect in the file, such as hidden rows or other sheets. Of the sheet everything is read.',
      ),
    asks: z.boolean().describe('True where no column is certain: say which columns to use.'),
    mapping_from: z.enum(['guess', 'saved']).describe('`saved`: your columns of an earlier file with this header.'),
    rows_max: z.int().describe('Rows that your plan allows in a bulk job.'),
    expires_at: Time,
  })
  .meta({ id: 'BulkFile' })

export async function bulkFilesRoutes(app: App, server: Server): Promise<void> {
  await server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, async (_request: unknown, content: Buffer) => content)
    scope.addContentTypeParser('*', async () => {
      throw new DomainError(
        'unsupported_media_type',
        `Send the file itself as the body, with one of these types: ${TYPES.join(', ')}.`,
      )
    })
    // Before the body is read, which takes the memory of the whole file: one for each account, and few for the process.
    const arriving = new Set<string>()
    scope.addHook('onRequest', async (request, reply) => {
      const { accountId } = callerOf(request)
      if (arriving.size >= ARRIVING_MAX || arriving.has(accountId)) {
        const message = 'Another file of this account is on its way, or many files of others are. Try again shortly.'
        throw new DomainError('busy', message, { retryAfterSeconds: 5 })
      }
      arriving.add(accountId)
      reply.raw.once('close', () => arriving.delete(accountId))
    })
    scope.post('/v1/bulk/files', { ...ADD, bodyLimit: FILE_BYTES_MAX }, async (request, reply) => {
      const content = request.body as Buffer
      const name = request.query.name ?? null
      const file = presentFile(await addFile(app, { ...callerOf(request), name, content }))
      return reply.code(201).header('location', `/v1/bulk/files/${file.id}`).send(file)
    })
  })

  server.get('/v1/bulk/files/:id', READ, async (request) => {
    const { sheet, header_rows: headerRows } = request.query
    return presentFile(await readFile(app, { ...callerOf(request), id: request.params.id, sheet, headerRows }))
  })
}

function presentFile(file: BulkFile): z.input<typeof FileBody> {
  const { shape, columns } = file
  const isUsable = columns.some(({ holds, isSure }) => holds !== null && holds !== 'postcode' && isSure)
  return {
    id: file.id,
    name: file.name,
    format: shape.format,
    bytes: file.bytes,
    encoding: shape.encoding,
    delimiter: shape.delimiter,
    sheets: shape.sheets.map(({ name, rows, columns: count, isHidden }) => ({
      name,
      rows,
      columns: count,
      hidden: isHidden,
    })),
    sheet: shape.sheet,
    header_rows: file.headerRows,
    rows: file.rowCount,
    columns: columns.map(({ index, name, holds, isSure, examples }) => ({
      column: index + 1,
      name: shorten(name),
      holds,
      sure: isSure,
      examples,
    })),
    first_rows: shape.rows.slice(0, FIRST_ROWS).map((cells) => cells.map((cell) => shorten(cellText(cell)))),
    notices: listNotices(shape),
    asks: !isUsable || columns.some(({ holds, isSure }) => holds !== null && !isSure),
    mapping_from: file.isSaved ? 'saved' : 'guess',
    rows_max: file.rowsMax,
    expires_at: file.expiresAt.toISOString(),
  }
}

function shorten(text: string): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}…`
}

const describe = describeRoutes({ tag: 'Resolution', accepts: ['session', 'key'] })

const described = describe({
  operationId: 'addBulkFile',
  summary: 'Send a file for a bulk job',
  description:
    'A CSV file (commas, semicolons, tabs or `|`; UTF-8, UTF-16 or windows-1252), cells copied from a spreadsheet, or a workbook ' +
    '(XLSX), as the body. The answer has its first rows and which columns hold domains, e-mail addresses, web addresses, company names, company numbers and postcodes, as far as ' +
    'the header and the cells show. Correct it and start the job with POST /v1/bulk and `file_id`. Files are stored for a day.',
  querystring: z.object({ name: z.string().trim().max(200).optional().describe('The name of the file.') }),
  body: z.any().meta({ type: 'string', format: 'binary' }),
  answers: { 201: { description: 'The file as it was read.', schema: FileBody } },
  errors: ['busy', 'payload_too_large', 'unsupported_media_type'],
})
const ADD = { ...described, schema: { ...described.schema, consumes: TYPES } }

const READ = describe({
  operationId: 'getBulkFile',
  summary: 'A file for a bulk job, read again',
  description: 'With another sheet, or with another number of header rows.',
  assertOwned: (app, caller, id) => assertFile(app, { ...caller, id }),
  params: z.object({ id: z.string().max(64) }),
  querystring: z.object({
    sheet: z.string().max(200).optional(),
    header_rows: z.coerce.number().int().min(0).max(HEADER_ROWS_MAX).optional(),
  }),
  answers: { 200: { description: 'The file as it was read.', schema: FileBody } },
  errors: ['not_found', 'busy'],
})
