import type { Block } from './document.ts'

/** The blocks of a table row by cell, or of a term and its descriptions, until the row is complete. */
export interface OpenRow {
  kind: 'tr' | 'dl'
  /** The id of the element whose end completes the row. */
  owner: number
  group: number
  cells: Cell[]
  outer: OpenRow | null
}

interface Cell {
  /** True for `<dt>`. */
  isTerm: boolean
  blocks: Block[]
}

/**
 * Joins a row into one block if each cell is one short text. Tables that lay out a page have paragraphs, lists and tables in
 * their cells; those stay separate blocks.
 */
export function joinCells(row: OpenRow): Block[] {
  const cells = row.cells.filter((cell) => cell.blocks.length > 0)
  const blocks = cells.flatMap((cell) => cell.blocks)
  const first = blocks[0]
  if (first === undefined) return []
  if (cells.length === 1 && blocks.length === 1) {
    if (CELL_TAGS.has(first.tag)) Object.assign(first, { tag: row.kind, group: row.group })
    return blocks
  }
  const length = blocks.reduce((sum, block) => sum + block.text.length + SEPARATOR_MAX, 0)
  const isPlain = cells.every((cell) => cell.blocks.length === 1 && cell.blocks.every(isCellText))
  if (!isPlain || length > JOINED_TEXT_MAX) return blocks
  const joined: Block = { ...first, text: '', tag: row.kind, group: row.group, links: [] }
  joined.quoted = blocks.every((block) => block.quoted)
  for (const [index, block] of blocks.entries()) {
    if (index > 0) joined.text = addSeparator(joined.text, row.kind, cells[index - 1], cells[index])
    const offset = joined.text.length
    joined.text += block.text
    for (const link of block.links) {
      joined.links.push({ start: link.start + offset, end: link.end + offset, href: link.href })
    }
  }
  return [joined]
}

const SEPARATOR_MAX = 3
const JOINED_TEXT_MAX = 20_000
const CELL_TAGS = new Set(['td', 'th', 'dt', 'dd'])
const WRAPPED_MAX = 300

/** True for a cell's text, also if an editor wrapped it in one short paragraph. */
function isCellText(block: Block): boolean {
  return CELL_TAGS.has(block.tag) || ((block.tag === 'p' || block.tag === 'div') && block.text.length <= WRAPPED_MAX)
}

function addSeparator(text: string, kind: OpenRow['kind'], before: Cell | undefined, after: Cell | undefined): string {
  if (kind === 'tr') return `${text} | `
  if (before?.isTerm !== after?.isTerm) return `${text.replace(/ ?:$/, '')}: `
  return `${text}\n`
}
