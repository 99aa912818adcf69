/**
 * Workbooks, written as a stream: the memory is that of a few rows, however many there are.
 *
 * Text is always stored as text, never as a formula; text that could begin one is in text format too, so that it stays text
 * when someone edits the cell. The person's own cells keep their values and formats. An added cell with more characters than
 * a cell can hold is cut and ends with an ellipsis; own cells cannot be that long, because reading refuses them.
 */
import type { OutSheet } from './out-sheet.ts'
import { escapeAttribute, XML } from './xlsx/escaped-text.ts'
import { StyleBook } from './xlsx/style-book.ts'
import { LINKS_MAX, writeRelations, writeSheet } from './xlsx/write-sheet.ts'
import { type StreamedEntry, writePackedZip } from './zip-stream.ts'

export type { OutCell, OutColumn, OutSheet } from './out-sheet.ts'

/** Yields the file piece by piece. Nothing is asked of `rows` before the reader wants more. */
export async function* writeXlsx({
  sheets,
  linksMax = LINKS_MAX,
}: {
  sheets: readonly OutSheet[]
  /** The most links that a sheet has. */
  linksMax?: number
}): AsyncGenerator<Uint8Array> {
  yield* writePackedZip(listEntries(sheets, linksMax))
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

async function* listEntries(sheets: readonly OutSheet[], linksMax: number): AsyncGenerator<StreamedEntry> {
  const names = toSheetNames(sheets.map(({ name }) => name))
  const numbers = names.map((_, index) => index + 1)
  const styles = new StyleBook()
  yield text('[Content_Types].xml', [
    `<Types xmlns="${PACKAGE}/content-types">`,
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
    `<Default Extension="xml" ContentType="application/xml"/>`,
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>`,
    ...numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`),
    '</Types>',
  ])
  yield text('_rels/.rels', [
    `<Relationships xmlns="${PACKAGE}/relationships">`,
    `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ])
  yield text('xl/workbook.xml', [
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets>`,
    ...names.map(
      (name, index) => `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    ),
    '</sheets></workbook>',
  ])
  yield text('xl/_rels/workbook.xml.rels', [
    `<Relationships xmlns="${PACKAGE}/relationships">`,
    ...numbers.map(
      (n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    ),
    `<Relationship Id="rId${numbers.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ])
  for (const [index, sheet] of sheets.entries()) {
    const links: string[] = []
    const path = `sheet${index + 1}.xml`
    yield {
      name: `xl/worksheets/${path}`,
      content: writeSheet(sheet, { styles, links, isFirst: index === 0, linksMax }),
    }
    if (links.length > 0) yield { name: `xl/worksheets/_rels/${path}.rels`, content: writeRelations(links) }
  }
  yield text('xl/styles.xml', [styles.toXml()])
}

function text(name: string, parts: readonly string[]): StreamedEntry {
  return { name, content: once([XML, ...parts].join('')) }
}

async function* once(content: string): AsyncGenerator<string> {
  yield content
}

const NAME_CHARS_MAX = 31

/** Names as workbooks allow them: short, without some signs, each once. */
export function toSheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = name.replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ').replaceAll(/^[\s']+|[\s']+$/g, '') || 'Sheet'
    for (let attempt = 1; ; attempt += 1) {
      const ending = attempt === 1 ? '' : ` ${attempt}`
      const made = `${plain
        .slice(0, NAME_CHARS_MAX - ending.length)
        .toWellFormed()
        .trimEnd()}${ending}`
      const key = made.toLowerCase()
      if (taken.has(key) || key === 'history') continue
      taken.add(key)
      return made
    }
  })
}
