import type { Cell } from '../cell.ts'
import { refuseMoreRows } from '../refusals.ts'
import { TableMeter } from '../table-meter.ts'
import type { NoticeKind, OpenTable, TableShape } from '../table-shape.ts'
import { LIMITS, UnreadableTable } from '../unreadable-table.ts'
import { WorkbookPackage } from './package.ts'
import { readLinks } from './sheet-links.ts'
import { type SheetContext, SheetScanner } from './sheet-scanner.ts'
import { readSharedStrings, readStyles } from './workbook-parts.ts'
import { damaged, XmlScanner } from './xml-scanner.ts'

interface Sheet {
  name: string
  path: string
  isHidden: boolean
}

type Context = Pick<SheetContext, 'texts' | 'formats' | 'isFrom1904'>

const BATCH_ROWS = 500
const AS_XLSX = 'Save it as XLSX or CSV, and send that.'
const OTHERS: Array<[mark: RegExp, message: string]> = [
  [/^content\.xml$/, `The file is an OpenDocument file (.ods). ${AS_XLSX}`],
  [
    /^index\/.*\.iwa$|^index\.zip$/,
    `The file is a Numbers document. In Numbers, use File, Export To, Excel or CSV, and send that.`,
  ],
  [/^xl\/workbook\.bin$/, `The file is a binary workbook (.xlsb). ${AS_XLSX}`],
  [/^word\//, 'The file is a Word document. Copy its table into a spreadsheet, save that as XLSX or CSV, and send it.'],
]

export async function openWorkbook(bytes: Uint8Array): Promise<OpenTable> {
  const workbook = await WorkbookPackage.open(bytes)
  const { sheets, context } = await readParts(workbook)

  async function* readSheet(sheet: Sheet, rowsMax: number, count: SheetContext['count']): AsyncGenerator<Cell[][]> {
    const { links, leftOut } = await readLinks(workbook, sheet.path)
    if (leftOut > 0) count('links_left_out', leftOut)
    const rows = new SheetScanner({ ...context, links, count })
    const scanner = new XmlScanner(rows)
    let last = 0
    let batch: Cell[][] = []
    const fillGaps = function* (): Generator<Cell[][]> {
      for (const { number, cells } of rows.takeRows()) {
        if (number > rowsMax) throw refuseMoreRows(rowsMax)
        for (last += 1; last < number; last += 1) {
          batch.push([])
          if (batch.length >= BATCH_ROWS) yield batch.splice(0)
        }
        batch.push(cells)
        if (batch.length >= BATCH_ROWS) yield batch.splice(0)
      }
    }
    for await (const text of workbook.readText(sheet.path)) {
      scanner.write(text)
      yield* fillGaps()
    }
    scanner.end()
    rows.countHiddenColumns()
    if (batch.length > 0) yield batch
    batch = []
  }

  return {
    read: async function* ({ sheet: name, rowsMax }) {
      const wanted = name === undefined ? sheets.filter(({ isHidden }) => !isHidden) : [getSheet(sheets, name)]
      for (const sheet of wanted) {
        let rows = 0
        for await (const batch of readSheet(sheet, rowsMax, () => {})) {
          rows += batch.length
          yield batch
        }
        if (rows > 0) return
      }
      throw noRows()
    },
    inspect: async ({ sheet: name, previewRows }): Promise<TableShape> => {
      const asked = name === undefined ? null : getSheet(sheets, name)
      const meters: TableMeter[] = []
      let chosen: { sheet: Sheet; rows: Cell[][] } | null = null
      for (const sheet of sheets) {
        const meter = new TableMeter(sheet)
        const first: Cell[][] = []
        const count = (kind: NoticeKind, by = 1) => meter.count(kind, by)
        for await (const batch of readSheet(sheet, Number.POSITIVE_INFINITY, count)) {
          meter.add(batch)
          first.push(...batch.slice(0, Math.max(0, previewRows - first.length)))
        }
        meters.push(meter)
        const isChosen = asked ? sheet === asked : chosen === null && !sheet.isHidden && first.length > 0
        if (isChosen) chosen = { sheet, rows: first }
      }
      if (chosen === null) throw noRows()
      return {
        format: 'xlsx',
        encoding: null,
        delimiter: null,
        sheets: meters.map(({ shape: { name: sheetName, rows, columns, isHidden } }) => ({
          name: sheetName,
          rows,
          columns,
          isHidden,
        })),
        notices: meters.flatMap(({ notices }) => notices),
        sheet: chosen.sheet.name,
        rows: chosen.rows,
      }
    },
  }
}

async function readParts(workbook: WorkbookPackage): Promise<{ sheets: Sheet[]; context: Context }> {
  const root = [...(await workbook.readRelations('')).values()].find(({ type }) => type.endsWith('/officeDocument'))
  const path = root?.target ?? 'xl/workbook.xml'
  const other = OTHERS.find(([mark]) => workbook.names.some((name) => mark.test(name)))
  if (other) throw new UnreadableTable(other[1])
  if (!workbook.has(path))
    throw new UnreadableTable('The file is an archive (ZIP) and no workbook. Unpack it, and send the table inside.')
  const relations = await workbook.readRelations(path)
  const found = (ending: string) => [...relations.values()].find(({ type }) => type.endsWith(ending))?.target ?? null
  const sheets: Sheet[] = []
  let isFrom1904 = false
  await workbook.scan(path, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.get('date1904') ?? '')
      if (tag !== 'sheet') return
      const relation = relations.get(attributes.get('id') ?? '')
      // A sheet that is a chart has no cells.
      if (!relation?.type.endsWith('/worksheet')) return
      if (sheets.length >= LIMITS.sheets)
        throw new UnreadableTable(`The workbook has more than ${LIMITS.sheets} sheets. Send the one sheet as CSV.`)
      const isHidden = (attributes.get('state') ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.get('name') ?? '', path: relation.target, isHidden })
    },
    close: () => {},
  })
  if (sheets.length === 0 || sheets.some((sheet) => !workbook.has(sheet.path))) throw damaged()
  const formats = await readStyles(workbook, found('/styles'))
  const texts = await readSharedStrings(workbook, found('/sharedStrings'))
  return { sheets, context: { texts, formats, isFrom1904 } }
}

function getSheet(sheets: readonly Sheet[], name: string): Sheet {
  const sheet = sheets.find((each) => each.name === name)
  if (!sheet) throw new UnreadableTable(`The workbook has no sheet with the name ${name}. Choose one of its sheets.`)
  return sheet
}

function noRows(): UnreadableTable {
  return new UnreadableTable('The file has no rows with anything in them.')
}
