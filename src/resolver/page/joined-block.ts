import type { Block } from './document.ts'

/** The blocks of a table row by cell, or of a term and its descriptions. */
export interface Joint {
  kind: 'tr' | 'dl'
  /** The element at whose end it is complete. */
  owner: number
  group: number
  parts: Array<{ isTerm: boolean; blocks: Block[] }>
  outer: Joint | null
}

/**
 * One block of a row whose cells hold a text each. A table that lays out a page holds paragraphs, lists and tables in
 * its cells: those stay blocks of their own.
 */
export function joinParts(joint: Joint): Block[] {
  const parts = joint.parts.filter((part) => part.blocks.length > 0)
  const blocks = parts.flatMap((part) => part.blocks)
  const first = blocks[0]
  if (first === undefined) return []
  if (parts.length === 1 && blocks.length === 1) {
    if (CELLS.has(first.tag)) Object.assign(first, { tag: joint.kind, group: joint.group })
    return blocks
  }
  const length = blocks.reduce((sum, block) => sum + block.text.length + GLUE_MAX, 0)
  const isPlain = parts.every((part) => part.blocks.length === 1 && part.blocks.every(isCellText))
  if (!isPlain || length > JOINED_MAX) return blocks
  const joined: Block = { ...first, text: '', tag: joint.kind, group: joint.group, links: [] }
  joined.quoted = blocks.every((block) => block.quoted)
  for (const [place, block] of blocks.entries()) {
    if (place > 0) joined.text = glued(joined.text, joint, place)
    const offset = joined.text.length
    joined.text += block.text
    for (const link of block.links) {
      joined.links.push({ start: link.start + offset, end: link.end + offset, href: link.href })
    }
  }
  return [joined]
}

const GLUE_MAX = 3
const JOINED_MAX = 20_000
const CELLS = new Set(['td', 'th', 'dt', 'dd'])
const WRAPPED_MAX = 300

/** A cell's own text, or one short paragraph that an editor put around it. */
function isCellText(block: Block): boolean {
  return CELLS.has(block.tag) || ((block.tag === 'p' || block.tag === 'div') && block.text.length <= WRAPPED_MAX)
}

function glued(text: string, { kind, parts }: Joint, place: number): string {
  if (kind === 'tr') return `${text} | `
  const filled = parts.filter((part) => part.blocks.length > 0)
  const [before, after] = [filled[place - 1]?.isTerm, filled[place]?.isTerm]
  if (before !== after) return `${text.replace(/ ?:$/, '')}: `
  return `${text}\n`
}
