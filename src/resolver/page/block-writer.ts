import { cleanPieces, detached, LINE_BREAK, type LinkedText, type Piece } from './clean-text.ts'
import type { Block, Region } from './document.ts'
import { type Joint, joinParts } from './joined-block.ts'
import type { Outline } from './outline.ts'

/** A block element as far as text is concerned. */
export interface Box {
  id: number
  tag: string
  parent: Box | null
  /** Other blocks stand in it, so text of its own is loose text between them. */
  holdsBlocks: boolean
  region: Region
  outline: Outline
}

export interface Place {
  box: Box
  isQuoted: boolean
}

/** Gathers text into blocks, in reading order. */
export class BlockWriter {
  readonly blocks: Block[] = []
  visibleCharacters = 0
  isFull = false

  #pieces: Piece[] = []
  #length = 0
  #box: Box | null = null
  #isAllQuoted = true
  #joint: Joint | null = null
  #count = 0

  get hasText(): boolean {
    return this.visibleCharacters > 0 || this.#box !== null
  }

  write(text: string, place: Place, href: string | null): void {
    if (text.length <= RUN_MAX) this.#append(text, place, href)
    else {
      for (let start = 0; start < text.length && !this.isFull; start += RUN_MAX) {
        this.#append(text.slice(start, start + RUN_MAX), place, href)
      }
    }
  }

  breakLine(place: Place, href: string | null): void {
    this.write(LINE_BREAK, place, href)
  }

  /** The text so far is a block. */
  endRun(): void {
    const box = this.#box
    if (box !== null) this.#emit(box, cleanPieces(this.#pieces))
    if (this.#length > 0) this.#pieces = []
    this.#length = 0
    this.#box = null
    this.#isAllQuoted = true
  }

  openBox(box: Box): void {
    if (box.parent !== null) box.parent.holdsBlocks = true
    this.endRun()
    if (box.tag === 'tr') this.#begin('tr', box.id, box.parent?.id ?? 0)
    else if (box.tag === 'td' || box.tag === 'th') this.#joint?.parts.push({ isTerm: false, blocks: [] })
    else if (box.tag === 'dt' || box.tag === 'dd') this.#beginTerm(box)
  }

  closeBox(box: Box): void {
    this.endRun()
    while (this.#joint?.owner === box.id) this.#end(this.#joint)
  }

  finish(): void {
    this.endRun()
    while (this.#joint !== null) this.#end(this.#joint)
  }

  #append(text: string, { box, isQuoted }: Place, href: string | null): void {
    if ((this.#box === null || this.#isAllQuoted) && INK.test(text)) {
      this.#box ??= box
      if (!isQuoted) this.#isAllQuoted = false
    }
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.href === href) last.text += text
    else this.#pieces.push({ text, href })
    this.#length += text.length
    if (this.#length > RUN_MAX) this.endRun()
  }

  #beginTerm(box: Box): void {
    const owner = box.parent?.id ?? 0
    const isTerm = box.tag === 'dt'
    const joint = this.#joint
    const continues = joint?.kind === 'dl' && joint.owner === owner
    if (continues && isTerm && joint.parts.some((part) => !part.isTerm)) this.#end(joint)
    if (!continues || this.#joint !== joint) this.#begin('dl', owner, owner)
    this.#joint?.parts.push({ isTerm, blocks: [] })
  }

  #begin(kind: Joint['kind'], owner: number, group: number): void {
    this.#joint = { kind, owner, group, parts: [], outer: this.#joint }
  }

  #end(joint: Joint): void {
    this.#joint = joint.outer
    const blocks = joinParts(joint)
    this.#count -= joint.parts.reduce((sum, part) => sum + part.blocks.length, 0) - blocks.length
    for (const block of blocks) this.#put(block)
  }

  #emit(box: Box, { text, links }: LinkedText): void {
    if (text === '') return
    const level = HEADING_TAGS.indexOf(box.tag) + 1
    if (level > 0) box.outline.enter(level)
    const isLoose = box.holdsBlocks && !OWN_TEXT.has(box.tag)
    const shared = {
      region: box.region,
      tag: box.tag,
      headings: box.outline.above,
      group: isLoose ? box.id : (box.parent?.id ?? 0),
      quoted: this.#isAllQuoted,
    }
    for (let start = 0; start < text.length && !this.isFull; ) {
      const end = endOfPart(text, start)
      this.#count++
      this.#put({ text: partOf(text, start, end), ...shared, links: linksWithin(links, start, end) })
      this.visibleCharacters += end - start
      this.isFull = this.#count >= BLOCKS_MAX || this.visibleCharacters >= CHARACTERS_MAX
      start = end
    }
    if (level > 0) box.outline.add(level, text.replaceAll('\n', ' '))
  }

  #put(block: Block): void {
    const joint = this.#joint
    if (joint === null) this.blocks.push(block)
    else {
      if (joint.parts.length === 0) joint.parts.push({ isTerm: false, blocks: [] })
      joint.parts.at(-1)?.blocks.push(block)
    }
  }
}

const INK = /\S/
const HEADING_TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS_MAX = 20_000
const CHARACTERS_MAX = 2_000_000
const BLOCK_TEXT_MAX = 20_000
/** Before white space is collapsed. */
const RUN_MAX = 40_000
/** Their text is theirs even when they hold blocks too: a list item above its sublist. */
const OWN_TEXT = new Set([...HEADING_TAGS, 'p', 'li', 'dt', 'dd', 'td', 'th', 'caption', 'summary', 'figcaption'])

function endOfPart(text: string, start: number): number {
  if (text.length - start <= BLOCK_TEXT_MAX) return text.length
  const space = text.lastIndexOf(' ', start + BLOCK_TEXT_MAX)
  return space > start + BLOCK_TEXT_MAX / 2 ? space + 1 : start + BLOCK_TEXT_MAX
}

function partOf(text: string, start: number, end: number): string {
  return start === 0 && end === text.length ? text : detached(text.slice(start, end).toWellFormed().trim())
}

function linksWithin(links: LinkedText['links'], start: number, end: number): LinkedText['links'] {
  if (start === 0 && links.every((link) => link.end <= end)) return links
  return links
    .filter((link) => link.start >= start && link.end <= end)
    .map((link) => ({ start: link.start - start, end: link.end - start, href: link.href }))
}
