/** Chances that a seed decides, so that whatever was found can be found again. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** From 0 up to `limit`, which is left out. */
  below(limit: number): number
  pick<Item>(list: readonly Item[]): Item
  isTrue(share: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (list) => {
      if (list.length === 0) throw new Error('there is nothing to pick from')
      return list[below(list.length)] as (typeof list)[number]
    },
    isTrue: (share) => next() < share,
  }
}

/** A sequence of its own for each piece of a run, whichever comes first. */
export function randomOf(seed: number, place: number): Random {
  return createRandom(Math.imul(seed ^ 0x9e3779b9, 2_654_435_761) + Math.imul(place + 1, 0x85ebca6b))
}
