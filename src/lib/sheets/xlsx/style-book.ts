import { escapeAttribute } from './escaped-text.ts'
import { BUILT_IN_IDS } from './number-formats.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const FIRST_OWN_ID = 164
/** Excel takes about 200 to 250 formats of a workbook's own; numbers beyond them keep their value and lose the format. */
const OWN_FORMATS_MAX = 200

export const STYLE = { plain: 0, header: 1, text: 2, link: 3 } as const

/** The styles of a workbook, collected while its cells are written. */
export class StyleBook {
  readonly #own = new Map<string, number>()
  readonly #styles = new Map<string, number>()
  readonly #xfs = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>',
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  ]

  /** The style of a number or date with this format; in a header it is bold. */
  styleOf(format: string, isHeader: boolean): number {
    const key = `${isHeader ? 'header' : 'cell'} ${format}`
    const known = this.#styles.get(key)
    if (known !== undefined) return known
    const id = BUILT_IN_IDS.get(format) ?? this.#addFormat(format)
    if (id === null) return isHeader ? STYLE.header : STYLE.plain
    const font = isHeader ? 'fontId="1" applyFont="1"' : 'fontId="0"'
    this.#xfs.push(`<xf numFmtId="${id}" ${font} fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    this.#styles.set(key, this.#xfs.length - 1)
    return this.#xfs.length - 1
  }

  #addFormat(format: string): number | null {
    const known = this.#own.get(format)
    if (known !== undefined) return known
    if (this.#own.size >= OWN_FORMATS_MAX) return null
    const id = FIRST_OWN_ID + this.#own.size
    this.#own.set(format, id)
    return id
  }

  toXml(): string {
    const own = [...this.#own].map(
      ([format, id]) => `<numFmt numFmtId="${id}" formatCode="${escapeAttribute(format)}"/>`,
    )
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
    return [
      `<styleSheet xmlns="${MAIN}">`,
      own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : '',
      `<fonts count="3"><font>${font}</font><font><b/>${font}</font>`,
      `<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/><family val="2"/></font></fonts>`,
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      `<cellXfs count="${this.#xfs.length}">${this.#xfs.join('')}</cellXfs>`,
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
      '</styleSheet>',
    ].join('')
  }
}
