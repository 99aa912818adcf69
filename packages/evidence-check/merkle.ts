/** Hashes and proofs of the log's tree, as RFC 9162 defines them (section 2.1). */
import { createHash } from 'node:crypto'

const LEAF = Buffer.from([0x00])
const NODE = Buffer.from([0x01])

export const hashLeaf = (data: Uint8Array): Buffer => createHash('sha256').update(LEAF).update(data).digest()

export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest()

/** The root of the tree without leaves. */
export const EMPTY_ROOT = createHash('sha256').digest()

/** Returns the root to which the path leads from a leaf; null where the path has another length than it must have. */
export function rootFromPath(of: {
  index: number
  size: number
  leaf: Buffer
  path: readonly Buffer[]
}): Buffer | null {
  const { index, size, leaf, path } = of
  if (!isCount(index) || !isCount(size) || index >= size) return null
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = hashNode(sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = hashNode(hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? hash : null
}

/** True where the tree of `second` leaves begins with the tree of `first` leaves. */
export function isConsistent(of: {
  first: { size: number; root: Buffer }
  second: { size: number; root: Buffer }
  proof: readonly Buffer[]
}): boolean {
  const { first, second, proof } = of
  if (!isCount(first.size) || !isCount(second.size) || first.size > second.size) return false
  if (first.size === 0) return proof.length === 0 && first.root.equals(EMPTY_ROOT)
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root)
  const path = isPowerOfTwo(first.size) ? [first.root, ...proof] : [...proof]
  let [at, last] = [first.size - 1, second.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  const start = path.shift()
  if (!start) return false
  let [one, other] = [start, start]
  for (const sibling of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      ;[one, other] = [hashNode(sibling, one), hashNode(sibling, other)]
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else other = hashNode(other, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && one.equals(first.root) && other.equals(second.root)
}

const half = (count: number) => Math.floor(count / 2)
const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0

/** Without the operators on bits, which know only 32 of them. */
function isPowerOfTwo(count: number): boolean {
  let rest = count
  while (rest > 1 && rest % 2 === 0) rest /= 2
  return rest === 1
}
