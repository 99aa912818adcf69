import { EMPTY_ROOT, hashNode } from '../../../packages/evidence-check/index.ts'
import type { NodePosition } from '../log/tree.ts'

/** The tree as it grows by one leaf after another. It holds one subtree for each level and no leaf. */
export class GrowingTree {
  /** Complete subtrees from the largest, on the left, to the smallest. */
  readonly #peaks: Array<NodePosition & { hash: Buffer }> = []
  #completed: Array<NodePosition & { hash: Buffer }> = []
  #size = 0

  append(hash: Buffer): void {
    let node = { level: 0, index: this.#size, hash }
    this.#completed.push(node)
    for (let left = this.#peaks.at(-1); left?.level === node.level; left = this.#peaks.at(-1)) {
      this.#peaks.pop()
      node = { level: node.level + 1, index: left.index / 2, hash: hashNode(left.hash, node.hash) }
      this.#completed.push(node)
    }
    this.#peaks.push(node)
    this.#size += 1
  }

  root(): Buffer {
    const [last, ...rest] = this.#peaks.map(({ hash }) => hash).reverse()
    return last ? rest.reduce((right, left) => hashNode(left, right), last) : EMPTY_ROOT
  }

  /** Returns the subtrees that were completed since the last call. */
  takeCompleted(): Array<NodePosition & { hash: Buffer }> {
    const taken = this.#completed
    this.#completed = []
    return taken
  }
}
