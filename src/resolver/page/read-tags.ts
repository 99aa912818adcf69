import { Tokenizer } from 'htmlparser2'

/** The attributes that are read; all others are skipped. */
type AttributeName =
  | 'alt'
  | 'aria-controls'
  | 'aria-hidden'
  | 'aria-label'
  | 'class'
  | 'content'
  | 'data-aid'
  | 'data-bs-target'
  | 'data-target'
  | 'data-ux'
  | 'datetime'
  | 'dir'
  | 'hidden'
  | 'href'
  | 'http-equiv'
  | 'id'
  | 'itemprop'
  | 'itemscope'
  | 'itemtype'
  | 'lang'
  | 'media'
  | 'name'
  | 'popovertarget'
  | 'property'
  | 'rel'
  | 'resource'
  | 'role'
  | 'src'
  | 'style'
  | 'title'
  | 'type'
  | 'typeof'
  | 'value'

export type Attributes = { readonly [name in AttributeName]?: string }

export interface TagReader {
  open(tag: string, attributes: Attributes, isSelfClosing: boolean): void
  close(tag: string): void
  text(text: string): void
  /** True inside `<svg>`, where tags have other rules. */
  isInDrawing(): boolean
  /** True when enough was read; the rest is skipped. */
  isFull(): boolean
}

/**
 * Calls `reader` for each start tag, end tag and text, in one pass. Uses only the tokenizer of htmlparser2, which takes linear
 * time: its `Parser` shifts a stack on every tag, so a million nested tags take minutes.
 */
export function readTags(html: string, reader: TagReader): void {
  let tag = ''
  let attributes: { [name in AttributeName]?: string } | null = null
  let attributesSeen = 0
  let name: AttributeName | null = null
  let value = ''

  const open = (isSelfClosing: boolean) => {
    reader.open(tag, attributes ?? NO_ATTRIBUTES, isSelfClosing)
    if (reader.isFull()) tokenizer.pause()
  }
  const text = (piece: string) => {
    reader.text(piece)
    if (reader.isFull()) tokenizer.pause()
  }
  const ignore = () => {}

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, Math.min(end, start + NAME_MAX)).toLowerCase()
        attributes = null
        attributesSeen = 0
      },
      onattribname(start, end) {
        attributesSeen++
        value = ''
        const isRead = attributesSeen <= ATTRIBUTES_MAX && end - start <= NAME_MAX
        name = isRead ? (READ_ATTRIBUTES.get(html.slice(start, end).toLowerCase()) ?? null) : null
      },
      onattribdata(start, end) {
        if (name !== null && value.length < VALUE_MAX) value += html.slice(start, Math.min(end, start + VALUE_MAX))
      },
      onattribentity(codePoint) {
        if (name !== null && value.length < VALUE_MAX) value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (name === null) return
        attributes ??= {}
        attributes[name] ??= value
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => reader.close(html.slice(start, Math.min(end, start + NAME_MAX)).toLowerCase()),
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
      isInForeignContext: () => reader.isInDrawing(),
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}

const ATTRIBUTES_MAX = 200
const NAME_MAX = 40
const VALUE_MAX = 16_384
const NO_ATTRIBUTES: Attributes = Object.freeze({})

const READ_NAMES: Record<AttributeName, true> = {
  alt: true,
  'aria-controls': true,
  'aria-hidden': true,
  'aria-label': true,
  class: true,
  content: true,
  'data-aid': true,
  'data-bs-target': true,
  'data-target': true,
  'data-ux': true,
  datetime: true,
  dir: true,
  hidden: true,
  href: true,
  'http-equiv': true,
  id: true,
  itemprop: true,
  itemscope: true,
  itemtype: true,
  lang: true,
  media: true,
  name: true,
  popovertarget: true,
  property: true,
  rel: true,
  resource: true,
  role: true,
  src: true,
  style: true,
  title: true,
  type: true,
  typeof: true,
  value: true,
}
const READ_ATTRIBUTES = new Map(Object.keys(READ_NAMES).map((name) => [name, name as AttributeName]))
