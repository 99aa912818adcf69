import { Tokenizer } from 'htmlparser2'

export type Attributes = ReadonlyMap<string, string>

export interface TagReader {
  /** True for the local names that the reader wants; all other tags are skipped with their attributes. */
  wants(localName: string): boolean
  open(localName: string, attributes: Attributes): void
  close(localName: string): void
  /** A piece of text, wherever it is; entities come as pieces of their own. */
  text(piece: string): void
}

const NAME_MAX = 120
const VALUE_MAX = 300
const ATTRIBUTES_MAX = 50

/**
 * Calls `reader` for the tags it wants and for text, in one pass over XML or XHTML. Uses only the tokenizer of htmlparser2,
 * which takes linear time and holds no stack: its `Parser` shifts a stack on every tag, so a million nested tags take
 * minutes. No entity is expanded that the document itself declares.
 */
export function readXmlTags(xml: string, reader: TagReader): void {
  let tag = ''
  let isWanted = false
  let attributes = new Map<string, string>()
  let name = ''
  let value = ''
  const ignore = () => {}
  const open = () => {
    if (isWanted) reader.open(tag, attributes)
  }
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = toLocalName(xml.slice(start, Math.min(end, start + NAME_MAX)))
        isWanted = reader.wants(tag)
        if (isWanted) attributes = new Map()
      },
      onattribname(start, end) {
        name = isWanted && end - start <= NAME_MAX && attributes.size < ATTRIBUTES_MAX ? xml.slice(start, end) : ''
        value = ''
      },
      onattribdata(start, end) {
        if (name !== '' && value.length < VALUE_MAX) value += xml.slice(start, Math.min(end, start + VALUE_MAX))
      },
      onattribentity(codePoint) {
        if (name !== '' && value.length < VALUE_MAX) value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (name !== '') attributes.set(toLocalName(name), value)
      },
      onopentagend: open,
      onselfclosingtag() {
        open()
        if (isWanted) reader.close(tag)
      },
      onclosetag(start, end) {
        const closed = toLocalName(xml.slice(start, Math.min(end, start + NAME_MAX)))
        if (reader.wants(closed)) reader.close(closed)
      },
      ontext: (start, end) => reader.text(xml.slice(start, end)),
      ontextentity: (codePoint) => reader.text(String.fromCodePoint(codePoint)),
      oncdata: (start, end, offset) => reader.text(xml.slice(start, end - offset)),
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(xml)
  tokenizer.end()
}

/** The prefix of a name is the choice of the software that wrote the document: `core:`, `uk-core:`, `ns5:`, `d:`. */
export function toLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
