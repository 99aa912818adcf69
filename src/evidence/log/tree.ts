/**
 * The tree of RFC 9162 over complete subtrees: which of them an append makes, and which of them a root or a proof is made of.
 * Each list has O(log n) entries, so a proof reads few rows however large the log is.
 */
import { EMPTY_ROOT, hashNode } from '../../../packages/evidence-check/index.ts'

/** A complete subtree: level 0 is a leaf, level n covers 2^n leaves from `index * 2^n` on. */
export interface NodePosition {
  level: number
  index: number
}

/** Leaves from `start` up to and without `end`. */
export interface Range {
  start: number
  end: number
}

export type FindNode = (position: NodePosition) => Buffer

/** Returns the left neighbours that the leaf at this index completes subtrees with, from the bottom up. */
export function completedWith(index: number): NodePosition[] {
  const left: NodePosition[] = []
  for (let [level, at] = [0, index]; at % 2 === 1; level += 1, at = (at - 1) / 2) left.push({ level, index: at - 1 })
  return left
}

/** Returns the complete subtrees of a range, from left to right. The range must be one that a tree or proof splits into. */
export function coveredBy({ start, end }: Range): NodePosition[] {
  const nodes: NodePosition[] = []
  for (let at = start; at < end; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1
    nodes.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return nodes
}

/** Returns the hash of a range: that of the tree of its leaves. */
export function hashRange(range: Range, find: FindNode): Buffer {
  const [last, ...rest] = coveredBy(range).map(find).reverse()
  if (!last) return EMPTY_ROOT
  return rest.reduce((right, left) => hashNode(left, right), last)
}

/** Returns the ranges whose hashes lead from a leaf to the root, from the bottom up. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = []
  let { start, end }: Range = { start: 0, end: size }
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  return ranges.reverse()
}

/** Returns the ranges whose hashes show that the tree of `second` leaves begins with that of `first`. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first === 0 || first === second) return []
  const ranges: Range[] = []
  let { start, end }: Range = { start: 0, end: second }
  while (first !== end) {
    const middle = start + splitOf(end - start)
    if (first <= middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  // The earlier tree itself is known to those who ask, unless it is only a part of the left side.
  if (start > 0) ranges.push({ start, end })
  return ranges.reverse()
}

/** The largest power of two below a count. */
function splitOf(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}
