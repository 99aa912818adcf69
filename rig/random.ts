/** Chances that a seed decides, so that what was found can be found again. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** Returns a number from 0 up to 1: Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a whole number from 0 up to `limit`, which is left out. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('there is nothing to pick from')
    return items[this.below(items.length)] as Item
  }

  isTrue(share: number): boolean {
    return this.next() < share
  }

  /** Returns a rank below `limit`; rank r comes up in proportion to 1/(r + head): Zipf's law with Mandelbrot's flatter head. */
  rank(limit: number, head: number): number {
    return Math.min(limit - 1, Math.floor(head * ((limit + head) / head) ** this.next() - head))
  }

  pickByWeight<Item extends string>(weights: Record<Item, number>): Item {
    const entries = Object.entries(weights) as Array<[Item, number]>
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of entries) if ((left -= weight) <= 0) return item
    return (entries[0] as [Item, number])[0]
  }
}

/** Returns a sequence of its own for one piece of a run, so that each can be made alone. */
export function randomOf(seed: number, index: number, salt = 0): Random {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) | 0
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  return new Random(Math.imul(state ^ (state >>> 15), 0x735a2d97))
}
