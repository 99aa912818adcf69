/** The rows of a table as a mapping of its columns reads them: what a bulk job begins with. */
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { type Cell, cellText, isBlank } from '../lib/sheets/cell.ts'
import { readTable } from '../lib/sheets/read-table.ts'
import type { BulkOwner } from './bulk.ts'
import { type SentRow, toStorable } from './classify.ts'
import { readInput } from './column-input.ts'
import type { Holds } from './column-kinds.ts'
import { type ColumnGuess, type GuessedColumn, guessColumns, HEADER_ROWS_MAX, keyOfHeader } from './columns.ts'
import { findSavedHeader, type Mapping } from './mapping.ts'
import { getRowsMax, ROWS_MAX, tooManyForPlan, tooManyRows } from './preflight.ts'
import { inspectOrRefuse, readInTurn, toRefusal } from './read-in-turn.ts'
import type { BulkSource } from './source.ts'
import { findFile } from './stored-files.ts'

/** The header is read with every look at the job: beyond this its long cells are cut. */
const HEADER_CHARS_MAX = 65_536
const CUT_CELL_CHARS = 300

function toStoredHeader(header: readonly (readonly Cell[])[]): Cell[][] {
  const chars = header.flat().reduce((sum: number, cell) => sum + cellText(cell).length, 0)
  const max = chars > HEADER_CHARS_MAX ? CUT_CELL_CHARS : HEADER_CHARS_MAX
  return header.map((row) => row.map((cell) => (typeof cell === 'string' ? toStorable(cell.slice(0, max)) : cell)))
}

/** The rows of a file as a mapping reads them. */
export interface MappedTable {
  sent: SentRow[]
  source: BulkSource
  /** By which the mapping is stored. */
  headerKey: string | null
}

export async function mapFile(
  app: App,
  ask: BulkOwner & { id: string; sheet?: string | undefined; headerRows?: number | undefined; mapping: Mapping },
): Promise<MappedTable> {
  const rowsMax = await getRowsMax(app, ask.accountId)
  const findHeaderRows = async (rows: readonly (readonly Cell[])[]) =>
    (await findSavedHeader(app.db, { accountId: ask.accountId, rows }))?.headerRows ?? guessColumns(rows).headerRows
  return readInTurn(ask.accountId, async () => {
    const { name, content } = await findFile(app, ask)
    return mapTable(content, { ...ask, headerRows: ask.headerRows ?? findHeaderRows, fileName: name, rowsMax })
  })
}

/** Where a bulk job is sent as text in one request. Without a mapping the columns are guessed, with no person to ask. */
export async function mapText(
  app: App,
  ask: { accountId: string; text: string; headerRows?: number | undefined; mapping?: Mapping | undefined },
): Promise<MappedTable> {
  const rowsMax = await getRowsMax(app, ask.accountId)
  const content = Buffer.from(ask.text, 'utf8')
  return readInTurn(ask.accountId, async () => {
    const guess = guessColumns((await inspectOrRefuse(content)).rows)
    const { headerRows = guess.headerRows, mapping } = ask
    if (mapping) return mapTable(content, { fileName: null, headerRows, mapping, rowsMax })
    return mapGuessed(content, { guess, headerRows, rowsMax })
  })
}

async function mapGuessed(
  content: Buffer,
  { guess, headerRows, rowsMax }: { guess: ColumnGuess; headerRows: number; rowsMax: number },
): Promise<MappedTable> {
  const mapping = guess.columns.length <= 1 ? { domain: 1 } : chooseSure(guess.columns)
  const table = await mapTable(content, { fileName: null, headerRows, mapping, rowsMax })
  return { ...table, sent: table.sent.filter(({ cells }) => cells?.some((cell) => !isBlank(cell))) }
}

const ADDRESS_KINDS = ['domain', 'web_address', 'email'] as const
const NAME_KINDS = ['company_number', 'company_name', 'postcode'] as const

/** The addresses where there are any; else names and numbers. Refused where no column is certain. */
function chooseSure(columns: readonly GuessedColumn[]): Mapping {
  const sure = columns.filter(({ isSure }) => isSure)
  const mapped = (kinds: readonly Holds[]) =>
    Object.fromEntries(sure.flatMap(({ holds, index }) => (holds && kinds.includes(holds) ? [[holds, index + 1]] : [])))
  const addresses: Mapping = mapped(ADDRESS_KINDS)
  if (Object.keys(addresses).length > 0) return addresses
  const names: Mapping = mapped(NAME_KINDS)
  if (names.company_number !== undefined || names.company_name !== undefined) return names
  const message =
    'No column of this table is certain to hold domains, web addresses, e-mail addresses, company names or company numbers. ' +
    'Name the column `domain`, or send the file to POST /v1/bulk/files and say which columns to use.'
  throw new DomainError('invalid_request', message, { errors: [{ field: 'file', message }] })
}

/** Reads every row of a table. Each has all its cells, whatever columns are mapped. */
async function mapTable(
  content: Uint8Array,
  how: {
    fileName: string | null
    sheet?: string | undefined
    headerRows: number | ((first: readonly (readonly Cell[])[]) => Promise<number>)
    mapping: Mapping
    rowsMax: number
  },
): Promise<MappedTable> {
  const { format, sheet, sheets, rows: first } = await inspectOrRefuse(content, how.sheet)
  const headerRows = typeof how.headerRows === 'number' ? how.headerRows : await how.headerRows(first)
  const count = (sheets.find(({ name }) => name === sheet)?.rows ?? 0) - headerRows
  // Before the rows are in memory.
  if (count > ROWS_MAX) throw tooManyRows(count)
  if (count > how.rowsMax) throw tooManyForPlan(count, how.rowsMax)
  const header: Cell[][] = []
  const sent: SentRow[] = []
  let columnCount = 0
  try {
    for await (const batch of readTable(content, { sheet, rowsMax: ROWS_MAX + HEADER_ROWS_MAX })) {
      for (const cells of batch) {
        columnCount = Math.max(columnCount, cells.length)
        if (header.length < headerRows) header.push(cells)
        else sent.push(toSent(cells, how.mapping))
      }
    }
  } catch (error) {
    throw toRefusal(error)
  }
  const source = {
    fileName: how.fileName && toStorable(how.fileName),
    format,
    sheet: toStorable(sheet),
    header: toStoredHeader(header),
    columnCount,
  }
  return { sent, source, headerKey: keyOfHeader(header) }
}

function toSent(cells: readonly Cell[], mapping: Mapping): SentRow {
  const read = (kind: Holds) => {
    const position = mapping[kind]
    return position === undefined ? '' : readInput(cells[position - 1], kind)
  }
  return {
    companyNumber: read('company_number'),
    addresses: ADDRESS_KINDS.filter((kind) => mapping[kind] !== undefined).map(read),
    companyName: read('company_name'),
    postcode: read('postcode'),
    cells,
  }
}
