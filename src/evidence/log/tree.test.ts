import { describe, expect, test } from 'vitest'
import { EMPTY_ROOT, hashLeaf, hashNode, isConsistent, rootFromPath } from '../../../packages/evidence-check/index.ts'
import {
  completedWith,
  consistencyRanges,
  coveredBy,
  type FindNode,
  hashRange,
  inclusionRanges,
  type NodePosition,
} from './tree.ts'

const SIZE_MAX = 70
const leaves = Array.from({ length: SIZE_MAX }, (_, index) => hashLeaf(Buffer.from(`entry ${index}`)))

/** The definition of RFC 9162 as it is written there, over all leaves. */
function rootOf(list: readonly Buffer[]): Buffer {
  const [only] = list
  if (!only) return EMPTY_ROOT
  if (list.length === 1) return only
  let half = 1
  while (half * 2 < list.length) half *= 2
  return hashNode(rootOf(list.slice(0, half)), rootOf(list.slice(half)))
}

/** The subtrees as appends write them, one leaf after another. */
function grow(size: number): FindNode {
  const nodes = new Map<string, Buffer>()
  const nameOf = ({ level, index }: NodePosition) => `${level}:${index}`
  const find: FindNode = (position) => nodes.get(nameOf(position)) ?? expect.fail(`no node ${nameOf(position)}`)
  for (const [index, leaf] of leaves.slice(0, size).entries()) {
    nodes.set(`0:${index}`, leaf)
    let hash = leaf
    for (const left of completedWith(index)) {
      hash = hashNode(find(left), hash)
      nodes.set(`${left.level + 1}:${left.index / 2}`, hash)
    }
  }
  return find
}

const sizes = Array.from({ length: SIZE_MAX + 1 }, (_, size) => size)

describe('the tree over complete subtrees', () => {
  test.each([
    [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [1, hashLeaf(Buffer.from('entry 0')).toString('hex')],
  ])('of %d leaves has the root of the standard', (size, root) => {
    expect(hashRange({ start: 0, end: size }, grow(size)).toString('hex')).toBe(root)
  })

  test('has the root that the definition gives, at every size', () => {
    for (const size of sizes) {
      expect(hashRange({ start: 0, end: size }, grow(size)), String(size)).toEqual(rootOf(leaves.slice(0, size)))
    }
  })

  test('proves every leaf of every size, and no other leaf, index or size', () => {
    for (const size of sizes) {
      const find = grow(size)
      const root = rootOf(leaves.slice(0, size))
      for (let index = 0; index < size; index += 1) {
        const path = inclusionRanges(index, size).map((range) => hashRange(range, find))
        const leaf = leaves[index] ?? EMPTY_ROOT
        expect(rootFromPath({ index, size, leaf, path })).toEqual(root)
        expect(rootFromPath({ index, size, leaf: hashLeaf(Buffer.from('other')), path })).not.toEqual(root)
        if (size > 1) expect(rootFromPath({ index: (index + 1) % size, size, leaf, path })).not.toEqual(root)
        expect(rootFromPath({ index, size, leaf, path: [...path, leaf] })).toBeNull()
        if (path.length > 0) expect(rootFromPath({ index, size, leaf, path: path.slice(1) })).not.toEqual(root)
      }
    }
  })

  test('proves that every earlier size is the beginning of every later one, and refuses another root', () => {
    const find = grow(SIZE_MAX)
    for (const second of sizes) {
      for (let first = 0; first <= second; first += 1) {
        const proof = consistencyRanges(first, second).map((range) => hashRange(range, find))
        const one = { size: first, root: rootOf(leaves.slice(0, first)) }
        const other = { size: second, root: rootOf(leaves.slice(0, second)) }
        expect(isConsistent({ first: one, second: other, proof }), `${first} in ${second}`).toBe(true)
        const wrong = hashLeaf(Buffer.from('other'))
        expect(isConsistent({ first: { ...one, root: wrong }, second: other, proof })).toBe(false)
        if (first > 0) expect(isConsistent({ first: one, second: { ...other, root: wrong }, proof })).toBe(false)
        expect(isConsistent({ first: one, second: other, proof: [...proof, wrong] })).toBe(false)
      }
    }
  })

  test('a proof reads few subtrees, also of a log with more entries than 32 bits count', () => {
    const size = 2 ** 40 + 12_345
    for (const index of [0, 1, 2 ** 33 + 7, size - 1]) {
      expect(inclusionRanges(index, size).flatMap(coveredBy).length).toBeLessThan(100)
    }
    expect(consistencyRanges(2 ** 35 + 1, size).flatMap(coveredBy).length).toBeLessThan(200)
  })
})
