import { cleanPieces, detached, LINE_BREAK, type LinkedText, type Piece } from './clean-text.ts'
import type { Block, Region } from './document.ts'
import { joinCells, type OpenRow } from './joined-block.ts'

/** An open block element. */
export interface Box {
  id: number
  tag: string
  parent: Box | null
  /** Other blocks are inside it, so its direct text is loose text between them. */
  holdsBlocks: boolean
  region: Region
  outline: Outline
}

/** The element around a text. */
interface TextContext {
  box: Box
  isQuoted: boolean
}

/** Collects text into blocks, in reading order. */
export class BlockWriter {
  readonly blocks: Block[] = []
  visibleCharacters = 0
  isFull = false

  #pieces: Piece[] = []
  #length = 0
  #box: Box | null = null
  #isAllQuoted = true
  #row: OpenRow | null = null
  #count = 0

  get hasText(): boolean {
    return this.visibleCharacters > 0 || this.#box !== null
  }

  write(text: string, context: TextContext, href: string | null): void {
    if (text.length <= RUN_MAX) this.#append(text, context, href)
    else {
      for (let start = 0; start < text.length && !this.isFull; start += RUN_MAX) {
        this.#append(text.slice(start, start + RUN_MAX), context, href)
      }
    }
  }

  breakLine(context: TextContext, href: string | null): void {
    this.write(LINE_BREAK, context, href)
  }

  /** Writes the text so far as a block. */
  endRun(): void {
    const box = this.#box
    if (box !== null) this.#writeBlocks(box, cleanPieces(this.#pieces))
    if (this.#length > 0) this.#pieces = []
    this.#length = 0
    this.#box = null
    this.#isAllQuoted = true
  }

  openBox(box: Box): void {
    if (box.parent !== null) box.parent.holdsBlocks = true
    this.endRun()
    if (box.tag === 'tr') this.#openRow('tr', box.id, box.parent?.id ?? 0)
    else if (box.tag === 'td' || box.tag === 'th') this.#row?.cells.push({ isTerm: false, blocks: [] })
    else if (box.tag === 'dt' || box.tag === 'dd') this.#openTerm(box)
  }

  closeBox(box: Box): void {
    this.endRun()
    while (this.#row?.owner === box.id) this.#closeRow(this.#row)
  }

  finish(): void {
    this.endRun()
    while (this.#row !== null) this.#closeRow(this.#row)
  }

  #append(text: string, { box, isQuoted }: TextContext, href: string | null): void {
    if ((this.#box === null || this.#isAllQuoted) && NOT_SPACE.test(text)) {
      this.#box ??= box
      if (!isQuoted) this.#isAllQuoted = false
    }
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.href === href) last.text += text
    // A link after a number is a word of its own: "<span>SC394194</span><a>Privacy".
    else
      this.#pieces.push({
        text: last && DIGIT_END.test(last.text) && LETTER_START.test(text) ? ` ${text}` : text,
        href,
      })
    this.#length += text.length
    if (this.#length > RUN_MAX) this.endRun()
  }

  #openTerm(box: Box): void {
    const owner = box.parent?.id ?? 0
    const isTerm = box.tag === 'dt'
    const row = this.#row
    const isSameList = row?.kind === 'dl' && row.owner === owner
    if (isSameList && isTerm && row.cells.some((cell) => !cell.isTerm)) this.#closeRow(row)
    if (!isSameList || this.#row !== row) this.#openRow('dl', owner, owner)
    this.#row?.cells.push({ isTerm, blocks: [] })
  }

  #openRow(kind: OpenRow['kind'], owner: number, group: number): void {
    this.#row = { kind, owner, group, cells: [], outer: this.#row }
  }

  #closeRow(row: OpenRow): void {
    this.#row = row.outer
    const blocks = joinCells(row)
    this.#count -= row.cells.reduce((sum, cell) => sum + cell.blocks.length, 0) - blocks.length
    for (const block of blocks) this.#add(block)
  }

  #writeBlocks(box: Box, { text, links }: LinkedText): void {
    if (text === '') return
    const level = HEADING_TAGS.indexOf(box.tag) + 1
    if (level > 0) box.outline.enter(level)
    const isLoose = box.holdsBlocks && !TEXT_TAGS.has(box.tag)
    const shared = {
      region: box.region,
      tag: box.tag,
      headings: box.outline.above,
      group: isLoose ? box.id : (box.parent?.id ?? 0),
      quoted: this.#isAllQuoted,
    }
    for (let start = 0; start < text.length && !this.isFull; ) {
      const end = findPartEnd(text, start)
      this.#count++
      this.#add({ text: cutPart(text, start, end), ...shared, links: cutLinks(links, start, end) })
      this.visibleCharacters += end - start
      this.isFull = this.#count >= BLOCKS_MAX || this.visibleCharacters >= CHARACTERS_MAX
      start = end
    }
    if (level > 0) box.outline.add(level, text.replaceAll('\n', ' '))
  }

  #add(block: Block): void {
    const row = this.#row
    if (row === null) this.blocks.push(block)
    else {
      if (row.cells.length === 0) row.cells.push({ isTerm: false, blocks: [] })
      row.cells.at(-1)?.blocks.push(block)
    }
  }
}

const NOT_SPACE = /\S/
const DIGIT_END = /\d$/
const LETTER_START = /^\p{L}/u
const HEADING_TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS_MAX = 20_000
const CHARACTERS_MAX = 2_000_000
const BLOCK_TEXT_MAX = 20_000
/** Counted before white space is collapsed. */
const RUN_MAX = 40_000
/** Their direct text is not loose even if they contain blocks: a list item above its sublist. */
const TEXT_TAGS = new Set([...HEADING_TAGS, 'p', 'li', 'dt', 'dd', 'td', 'th', 'caption', 'summary', 'figcaption'])

function findPartEnd(text: string, start: number): number {
  if (text.length - start <= BLOCK_TEXT_MAX) return text.length
  const space = text.lastIndexOf(' ', start + BLOCK_TEXT_MAX)
  return space > start + BLOCK_TEXT_MAX / 2 ? space + 1 : start + BLOCK_TEXT_MAX
}

function cutPart(text: string, start: number, end: number): string {
  return start === 0 && end === text.length ? text : detached(text.slice(start, end).toWellFormed().trim())
}

function cutLinks(links: LinkedText['links'], start: number, end: number): LinkedText['links'] {
  if (start === 0 && links.every((link) => link.end <= end)) return links
  return links
    .filter((link) => link.start >= start && link.end <= end)
    .map((link) => ({ start: link.start - start, end: link.end - start, href: link.href }))
}

/** Keeps the headings above the current position. A heading replaces those of its level and below. */
export class Outline {
  readonly #levels: string[]
  #above: string[] | null = null

  constructor(above?: Outline) {
    this.#levels = above === undefined ? [] : [...above.#levels]
  }

  /** The last three, outermost first. Returns the same array until the next heading. */
  get above(): string[] {
    this.#above ??= this.#levels.filter((heading) => heading !== undefined && heading !== '').slice(-SHOWN_MAX)
    return this.#above
  }

  /** Called before the heading's own block is written: only higher headings are above it. */
  enter(level: number): void {
    this.#levels.length = Math.min(this.#levels.length, level - 1)
    this.#above = null
  }

  add(level: number, heading: string): void {
    while (this.#levels.length < level - 1) this.#levels.push('')
    this.#levels[level - 1] = heading.slice(0, HEADING_MAX)
    this.#above = null
  }
}

const SHOWN_MAX = 3
const HEADING_MAX = 200
