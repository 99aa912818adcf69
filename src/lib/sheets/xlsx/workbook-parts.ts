import { FORMAT_CHARS_MAX } from '../number-text.ts'
import { unescapeText } from './escaped-text.ts'
import { BUILT_IN_FORMATS, type FormatKind, kindOfFormat } from './number-formats.ts'
import type { WorkbookPackage } from './package.ts'
import { damaged } from './xml-scanner.ts'

/** The format of a style. Null for numbers as they are. */
export type CellFormat = { format: string; kind: FormatKind } | null

/** Excel takes about 64,000 styles. */
const STYLES_MAX = 100_000
/** Different texts of a workbook. */
const TEXTS_MAX = 4_000_000

/** Returns the format of each style by its index. */
export async function readStyles(workbook: WorkbookPackage, name: string | null): Promise<CellFormat[]> {
  if (name === null || !workbook.has(name)) return []
  const own = new Map<number, string>()
  const ids: number[] = []
  const open: string[] = []
  const addStyle = (id: number) => {
    if (ids.length >= STYLES_MAX) throw damaged()
    ids.push(id)
  }
  await workbook.scan(name, {
    open: (tag, attributes) => {
      const parent = open.at(-1)
      if (tag === 'numFmt' && parent === 'numFmts')
        own.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      if (tag === 'xf' && parent === 'cellXfs') addStyle(Number(attributes.get('numFmtId') ?? 0))
      open.push(tag)
    },
    close: () => open.pop(),
  })
  const formats = new Map<number, CellFormat>()
  return ids.map((id) => {
    const known = formats.get(id)
    if (known !== undefined) return known
    const format = own.get(id) ?? BUILT_IN_FORMATS.get(id)
    const isPlain = format === undefined || format.length > FORMAT_CHARS_MAX || /^(?:general)?$/i.test(format)
    const made = isPlain ? null : { format, kind: kindOfFormat(format) }
    formats.set(id, made)
    return made
  })
}

/** Collects the text of `<si>` or `<is>`: its runs one after the other, without the reading aids of Japanese text. */
export class TextCollector {
  #text = ''
  #isText = false
  #aids = 0

  open(tag: string): void {
    if (tag === 'rPh') this.#aids += 1
    this.#isText = tag === 't' && this.#aids === 0
  }

  close(tag: string): void {
    if (tag === 'rPh') this.#aids -= 1
    this.#isText = false
  }

  add(text: string): void {
    if (this.#isText) this.#text += text
  }

  take(): string {
    const text = unescapeText(this.#text)
    this.#text = ''
    return text
  }
}

/** Texts that cells refer to by their index. */
export async function readSharedStrings(workbook: WorkbookPackage, name: string | null): Promise<string[]> {
  if (name === null || !workbook.has(name)) return []
  const texts: string[] = []
  const collector = new TextCollector()
  await workbook.scan(name, {
    open: (tag) => collector.open(tag),
    text: (text) => collector.add(text),
    close: (tag) => {
      collector.close(tag)
      if (tag !== 'si') return
      if (texts.length >= TEXTS_MAX) throw damaged()
      texts.push(collector.take())
    },
  })
  return texts
}
