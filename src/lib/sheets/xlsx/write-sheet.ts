import { canBeginFormula } from '../../text/csv-writer.ts'
import { CELL_CHARS_MAX, HREF_CHARS_MAX } from '../cell.ts'
import type { OutCell, OutColumn, OutSheet } from '../out-sheet.ts'
import { escapeAttribute, escapeText, XML } from './escaped-text.ts'
import { toSerial } from './number-formats.ts'
import { OPEN_LINK } from './sheet-links.ts'
import { toLetters } from './sheet-scanner.ts'
import { STYLE, type StyleBook } from './style-book.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ROWS_MAX = 1_048_576
/** Excel repairs a sheet with more of them; the rest is text. */
export const LINKS_MAX = 65_530
/** Text of digits would lose its zeros when someone edits the cell. */
const DIGITS = /^[\d\s.,]+$/
/** Excel repairs a sheet with an address that has these as they are. */
const NOT_IN_ADDRESSES = /[\s"<>[\]^`{}]/g
/** Results that every program knows; newer ones are written as text. */
const ERRORS = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'])
const PIECE_CHARS = 64 * 1_024
const PIECE_ITEMS = 500
const WIDTHS: Record<NonNullable<OutColumn['kind']>, number> = {
  text: 22,
  number: 14,
  date: 13,
  link: 36,
  long_text: 60,
}
const [WIDTH_MIN, WIDTH_MAX] = [8, 80]

interface SheetParts {
  styles: StyleBook
  /** Takes the addresses of the sheet's links in their order. */
  links: string[]
  isFirst: boolean
  linksMax: number
}

/** Yields the XML of a sheet: a frozen header in bold, a filter over it, widths, and the rows. */
export async function* writeSheet(sheet: OutSheet, parts: SheetParts): AsyncGenerator<string> {
  const { styles, links, isFirst, linksMax } = parts
  const headers = sheet.headerRows ?? [sheet.columns.map(({ header }) => header)]
  yield* [XML, `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">`, writeView(headers.length, isFirst)]
  yield `${writeColumns(sheet.columns)}<sheetData>`
  const refs: string[] = []
  const own = sheet.ownLinks ?? { columns: 0, count: 0 }
  const isLinked = (cell: OutCell) => cell !== null && typeof cell === 'object' && 'href' in cell
  let ownLeft = own.count + headers.flat().filter(isLinked).length
  const writer = new RowWriter(styles, ({ ref, index, href }) => {
    const isOwn = index < own.columns
    if (links.length + (isOwn ? 0 : ownLeft) >= linksMax) return false
    if (isOwn) ownLeft = Math.max(0, ownLeft - 1)
    refs.push(ref)
    links.push(href)
    return true
  })
  let xml = ''
  for (const header of headers) xml += writer.write(header, STYLE.header)
  for await (const batch of sheet.rows)
    for (const row of batch) {
      xml += writer.write(row)
      if (xml.length < PIECE_CHARS) continue
      yield xml
      xml = ''
    }
  yield `${xml}</sheetData>`
  const last = `${toLetters(Math.max(1, writer.width, sheet.columns.length))}${Math.max(1, writer.rows)}`
  if (headers.length > 0) yield `<autoFilter ref="A${headers.length}:${last}"/>`
  if (refs.length > 0) {
    yield '<hyperlinks>'
    yield* inPieces(refs, (ref, index) => `<hyperlink ref="${ref}" r:id="rId${index + 1}"/>`)
    yield '</hyperlinks>'
  }
  // A company number is text on purpose; without this every cell of the column gets a warning sign.
  yield `<ignoredErrors><ignoredError sqref="A1:${last}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

export async function* writeRelations(links: readonly string[]): AsyncGenerator<string> {
  yield `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
  yield* inPieces(links, (href, index) => {
    const target = escapeAttribute(href)
    return `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/hyperlink" Target="${target}" TargetMode="External"/>`
  })
  yield '</Relationships>'
}

/** Many short texts as few long ones. */
function* inPieces(items: readonly string[], write: (item: string, index: number) => string): Generator<string> {
  for (let at = 0; at < items.length; at += PIECE_ITEMS)
    yield items
      .slice(at, at + PIECE_ITEMS)
      .map((item, index) => write(item, at + index))
      .join('')
}

function writeView(frozen: number, isFirst: boolean): string {
  const pane =
    frozen === 0
      ? ''
      : `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>`
  return `<sheetViews><sheetView workbookViewId="0"${isFirst ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews>`
}

function writeColumns(columns: readonly OutColumn[]): string {
  if (columns.length === 0) return ''
  const cols = columns.map(({ width, kind = 'text', header }, index) => {
    const fitting = width ?? Math.max(WIDTHS[kind], header.length + 2)
    const chosen = Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, fitting))
    return `<col min="${index + 1}" max="${index + 1}" width="${chosen}" customWidth="1"/>`
  })
  return `<cols>${cols.join('')}</cols>`
}

/** Returns whether the cell may be a link. */
type AddLink = (link: { ref: string; index: number; href: string }) => boolean

class RowWriter {
  readonly #styles: StyleBook
  readonly #addLink: AddLink
  readonly #letters: string[] = []
  rows = 0
  width = 0

  constructor(styles: StyleBook, addLink: AddLink) {
    this.#styles = styles
    this.#addLink = addLink
  }

  write(row: readonly OutCell[], style: number = STYLE.plain): string {
    this.rows += 1
    if (this.rows > ROWS_MAX) throw new Error('a sheet has 1,048,576 rows at most')
    this.width = Math.max(this.width, row.length)
    let xml = `<row r="${this.rows}">`
    for (const [index, cell] of row.entries()) if (cell !== null) xml += this.#writeCell(cell, index, style)
    return `${xml}</row>`
  }

  #writeCell(cell: NonNullable<OutCell>, index: number, style: number): string {
    this.#letters[index] ??= toLetters(index + 1)
    const ref = `${this.#letters[index]}${this.rows}`
    if (typeof cell === 'string') return writeText(ref, cell, style)
    if (typeof cell === 'number') return writeNumber(ref, cell, style)
    if (typeof cell === 'boolean') return `<c r="${ref}" t="b"${styled(style)}><v>${cell ? 1 : 0}</v></c>`
    const isHeader = style === STYLE.header
    if ('number' in cell) return writeNumber(ref, cell.number, this.#styles.styleOf(cell.format, isHeader))
    if ('error' in cell) return writeError(ref, cell.error, style)
    if ('href' in cell) {
      const href = toTarget(cell.href)
      const isLink = href !== null && this.#addLink({ ref, index, href })
      return writeText(ref, cell.text, style || (isLink ? STYLE.link : STYLE.plain))
    }
    const serial = cell.serial ?? toSerial(cell.date)
    if (serial === null) return writeText(ref, cell.date, style)
    const format =
      cell.format ??
      (/T/.test(cell.date) ? 'yyyy-mm-dd hh:mm:ss' : /^\d{2}:/.test(cell.date) ? 'hh:mm:ss' : 'yyyy-mm-dd')
    return writeNumber(ref, serial, this.#styles.styleOf(format, isHeader))
  }
}

function writeError(ref: string, error: string, style: number): string {
  return ERRORS.has(error) ? `<c r="${ref}" t="e"${styled(style)}><v>${error}</v></c>` : writeText(ref, error, style)
}

/** The address as a workbook takes it; null where it is none that we link to. */
function toTarget(href: string): string | null {
  if (!OPEN_LINK.test(href) || !URL.canParse(href)) return null
  const target = href.toWellFormed().replaceAll(NOT_IN_ADDRESSES, encodeURIComponent)
  return target.length <= HREF_CHARS_MAX ? target : null
}

function writeNumber(ref: string, number: number, style: number): string {
  return Number.isFinite(number)
    ? `<c r="${ref}"${styled(style)}><v>${number}</v></c>`
    : writeText(ref, String(number), style)
}

function writeText(ref: string, text: string, style: number): string {
  const kept = text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1).toWellFormed()}…` : text
  const isGuarded = canBeginFormula(kept) || DIGITS.test(kept)
  const chosen = style === STYLE.plain && isGuarded ? STYLE.text : style
  return `<c r="${ref}" t="inlineStr"${styled(chosen)}><is><t xml:space="preserve">${escapeText(kept)}</t></is></c>`
}

function styled(style: number): string {
  return style === STYLE.plain ? '' : ` s="${style}"`
}
