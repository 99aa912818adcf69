/** Workbooks made by hand, in the layouts of different programs, so that no library reads only what it wrote itself. */
import { type ZippedFile, zipFiles } from '../../rig/companies-house/zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

export interface HandmadeSheet {
  name: string
  /** The XML within `<sheetData>`. */
  data: string
  state?: 'hidden' | 'veryHidden'
  /** Between the start of the sheet and its data: `<cols>`, `<dimension>`. */
  before?: string
  /** After the data: `<mergeCells>`, `<hyperlinks>`. */
  after?: string
  /** External addresses, by the order of their ids: rId1, rId2. */
  links?: string[]
}

export interface Handmade {
  sheets: HandmadeSheet[]
  /** The XML of each `<si>`. */
  texts?: string[]
  /** Formats of the styles 1, 2, … by id or by code. */
  formats?: Array<number | string>
  isFrom1904?: boolean
  /** The prefix of every tag, as the Open XML SDK writes it: `x:`. */
  prefix?: string
  /** Sheets come before everything else in the archive. */
  isSheetFirst?: boolean
}

export function makeWorkbook(book: Handmade): Buffer {
  const { sheets, texts, formats = [], prefix: x = '', isFrom1904, isSheetFirst } = book
  const space = x === '' ? `xmlns="${MAIN}"` : `xmlns:x="${MAIN}"`
  const own = formats.map((format, index) => (typeof format === 'string' ? { id: 170 + index, format } : null))
  const files: Array<[name: string, text: string]> = [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<${x}workbook ${space} xmlns:r="${RELATIONS}"><${x}workbookPr${isFrom1904 ? ' date1904="1"' : ''}/><${x}sheets>${sheets
        .map(
          ({ name, state }, index) =>
            `<${x}sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
        )
        .join('')}</${x}sheets></${x}workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}">${sheets
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="/xl/worksheets/sheet${index + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="styles" Type="${RELATIONS}/styles" Target="styles.xml"/><Relationship Id="texts" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts>${own.map((each) => (each ? `<numFmt numFmtId="${each.id}" formatCode="${each.format.replaceAll('"', '&quot;')}"/>` : '')).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
        .map((format, index) => `<xf numFmtId="${own[index]?.id ?? format}" applyNumberFormat="1"/>`)
        .join('')}</cellXfs></styleSheet>`,
    ],
  ]
  if (texts)
    files.push([
      'xl/sharedStrings.xml',
      `${XML}<sst xmlns="${MAIN}" count="${texts.length}" uniqueCount="${texts.length}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ])
  const sheetFiles = sheets.flatMap(({ data, before = '', after = '', links }, index): Array<[string, string]> => {
    const sheet = `${XML}<${x}worksheet ${space} xmlns:r="${RELATIONS}">${before}<${x}sheetData>${data}</${x}sheetData>${after}</${x}worksheet>`
    const relations = links?.map(
      (href, link) =>
        `<Relationship Id="rId${link + 1}" Type="${RELATIONS}/hyperlink" Target="${href}" TargetMode="External"/>`,
    )
    const name = `xl/worksheets/sheet${index + 1}.xml`
    if (!relations) return [[name, sheet]]
    return [
      [name, sheet],
      [
        `xl/worksheets/_rels/sheet${index + 1}.xml.rels`,
        `${XML}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
      ],
    ]
  })
  return zipTexts(isSheetFirst ? [...sheetFiles, ...files] : [...files, ...sheetFiles])
}

export function zipTexts(files: ReadonlyArray<[name: string, text: string]>): Buffer {
  const zipped = files.map(([name, text]): ZippedFile => ({ name, bytes: Buffer.from(text) }))
  return Buffer.concat([...zipFiles(new Date('2026-01-01T00:00:00Z'), zipped)])
}

/** A row of cells: text as inline strings, numbers as they are, null for none, and XML as `{ xml }`. */
export function row(
  number: number,
  cells: ReadonlyArray<string | number | null | { xml: string }>,
  attributes = '',
): string {
  const written = cells.map((cell, index) => {
    const ref = `${String.fromCharCode(65 + index)}${number}`
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c r="${ref}"><v>${cell}</v></c>`
    if (typeof cell === 'object') return cell.xml.replaceAll('REF', ref)
    return `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
  })
  return `<row r="${number}"${attributes}>${written.join('')}</row>`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
