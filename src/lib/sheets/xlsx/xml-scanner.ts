import { UnreadableTable } from '../unreadable-table.ts'

export interface XmlHandlers {
  /** Names come without the prefix of their namespace: some programs write `x:row`. */
  open(name: string, attributes: XmlAttributes): void
  close(name: string): void
  text?(text: string): void
}

/** The attributes of one tag; read only where they are needed, and without the prefix of their namespace. */
export interface XmlAttributes {
  get(name: string): string | null
}

/** The length of a tag, a comment or the text between two tags. A cell has at most 32,767 characters, each an entity at worst. */
const PIECE_CHARS_MAX = 1_000_000
const DEPTH_MAX = 100

/**
 * Reads the XML of workbooks as it arrives. It knows what those hold and nothing else: a document with a type (DTD) is
 * refused, so no entity of a stranger is ever expanded. A tag that is never closed is found at the end.
 */
export class XmlScanner {
  readonly #handlers: XmlHandlers
  readonly #open: string[] = []
  #rest = ''

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers
  }

  write(chunk: string): void {
    const text = this.#rest === '' ? chunk : this.#rest + chunk
    let at = 0
    while (at < text.length) {
      const end = this.#readPiece(text, at)
      if (end === null) break
      at = end
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > PIECE_CHARS_MAX) throw damaged()
  }

  end(): void {
    if (this.#rest.trim() !== '' || this.#open.length > 0) throw damaged()
  }

  /** Returns the index behind a tag or a text; null where it goes on beyond what has arrived. */
  #readPiece(text: string, at: number): number | null {
    if (text.charCodeAt(at) !== 0x3c) {
      const end = text.indexOf('<', at)
      if (end === -1) return null
      if (this.#handlers.text && this.#open.length > 0) this.#handlers.text(decodeEntities(text.slice(at, end)))
      return end
    }
    const next = text.charCodeAt(at + 1)
    if (next === 0x21) return this.#readDeclaration(text, at)
    if (next === 0x3f) return behind(text, '?>', at)
    const end = findTagEnd(text, at)
    if (end === null) return null
    if (next === 0x2f) this.#close(text.slice(at + 2, end).trimEnd())
    else this.#readOpening(text, at, end)
    return end + 1
  }

  #readOpening(text: string, at: number, end: number): void {
    const isClosed = text.charCodeAt(end - 1) === 0x2f
    const last = isClosed ? end - 1 : end
    let nameEnd = at + 1
    while (nameEnd < last && text.charCodeAt(nameEnd) > 0x20) nameEnd += 1
    const full = text.slice(at + 1, nameEnd)
    if (full === '') throw damaged()
    if (this.#open.length >= DEPTH_MAX) throw damaged()
    this.#open.push(full)
    this.#handlers.open(localName(full), new TagAttributes(text, nameEnd, last))
    if (isClosed) this.#close(full)
  }

  #close(full: string): void {
    if (this.#open.pop() !== full) throw damaged()
    this.#handlers.close(localName(full))
  }

  #readDeclaration(text: string, at: number): number | null {
    if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4)
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      if (end === -1) return null
      if (this.#open.length > 0) this.#handlers.text?.(text.slice(at + 9, end))
      return end + 3
    }
    if (text.length - at < 9) return null
    throw new UnreadableTable('The workbook holds XML that no spreadsheet program writes, so it is not read.')
  }
}

class TagAttributes implements XmlAttributes {
  readonly #text: string
  readonly #start: number
  readonly #end: number

  constructor(text: string, start: number, end: number) {
    this.#text = text
    this.#start = start
    this.#end = end
  }

  get(name: string): string | null {
    let at = this.#start
    while (at < this.#end) {
      const equals = this.#text.indexOf('=', at)
      if (equals === -1 || equals >= this.#end) return null
      let open = equals + 1
      while (open < this.#end && this.#text.charCodeAt(open) <= 0x20) open += 1
      const quote = this.#text[open]
      if (quote !== '"' && quote !== "'") throw damaged()
      const close = this.#text.indexOf(quote, open + 1)
      if (close === -1 || close > this.#end) throw damaged()
      if (localName(this.#text.slice(at, equals).trim()) === name)
        return decodeEntities(this.#text.slice(open + 1, close))
      at = close + 1
    }
    return null
  }
}

/** The index of the `>` that ends a tag; one in quotes does not. */
function findTagEnd(text: string, at: number): number | null {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    if (code === 0x3e) return end
    if (code !== 0x22 && code !== 0x27) continue
    end = text.indexOf(code === 0x22 ? '"' : "'", end + 1)
    if (end === -1) return null
  }
  return null
}

function behind(text: string, mark: string, at: number): number | null {
  const end = text.indexOf(mark, at)
  return end === -1 ? null : end + mark.length
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function decodeEntities(text: string): string {
  const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  if (!plain.includes('&')) return plain
  return plain.replaceAll(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-z]+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name as string] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
    return code > 0x10_ffff ? whole : String.fromCodePoint(code)
  })
}

export function damaged(): UnreadableTable {
  return new UnreadableTable(
    'The workbook is damaged. Open it in your spreadsheet program, save it again as XLSX, and send that.',
  )
}
