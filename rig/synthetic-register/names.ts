/** Synthetic company names with the statistics that make name search hard: Zipf words, shared endings, near-duplicates. */
import {
  coinedWord,
  FORENAMES,
  PLACES,
  STREET_KINDS,
  STREETS,
  SURNAME_COUNT,
  surname,
  TRADES,
  VOCABULARY_SIZE,
} from './words.ts'

/** A stream of numbers in [0, 1) that is the same for the same start; one per row, so any row can be made alone. */
export class Dice {
  #state: number

  constructor(seed: number, index: number, salt = 0) {
    let state = (seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) | 0
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    this.#state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item
  }

  /** A rank below `limit`; rank r comes up in proportion to 1/(r + head): Zipf's law with Mandelbrot's flatter head. */
  rank(limit: number, head: number): number {
    return Math.min(limit - 1, Math.floor(head * ((limit + head) / head) ** this.next() - head))
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NEAR_DUPLICATE_SHARE = 0.05
// Below this many rows there is nothing earlier to resemble.
const NEAR_DUPLICATE_FROM = 100

/** The name of a row without its legal ending. */
export function syntheticStem(seed: number, index: number): string {
  const dice = new Dice(seed, index, 1)
  if (index >= NEAR_DUPLICATE_FROM && dice.next() < NEAR_DUPLICATE_SHARE) {
    return resemble(dice, originalStem(new Dice(seed, dice.below(index), 2)))
  }
  return originalStem(new Dice(seed, index, 2))
}

function resemble(dice: Dice, stem: string): string {
  const kind = dice.below(6)
  if (kind === 0) return `${stem} GROUP`
  if (kind === 1) return `${stem} HOLDINGS`
  if (kind === 2) return `${stem} (UK)`
  if (kind === 3) return `${stem} (${townName(dice)})`
  if (kind === 4) return `${stem} ${2 + dice.below(9)}`
  return `${stem} ${trade(dice)}`
}

function originalStem(dice: Dice): string {
  const kind = dice.next()
  if (kind < 0.2) return `${word(dice)} ${trade(dice)}`
  if (kind < 0.36) return `${word(dice)} ${word(dice)} ${trade(dice)}`
  if (kind < 0.44) return `${word(dice)} ${word(dice)}`
  if (kind < 0.54) return `${family(dice)} ${word(dice)} ${trade(dice)}`
  if (kind < 0.62) return `${dice.pick(FORENAMES)} ${family(dice)} ${trade(dice)}`
  if (kind < 0.7) return `${family(dice)} & ${family(dice)} ${trade(dice)}`
  if (kind < 0.74) return `${family(dice)} AND SONS ${trade(dice)} ${townName(dice)}`
  if (kind < 0.79) return `${initials(dice)} ${family(dice)} ${trade(dice)}`
  if (kind < 0.84) return `${townName(dice)} ${word(dice)} ${trade(dice)}`
  if (kind < 0.89) return `THE ${word(dice)} ${trade(dice)} COMPANY`
  if (kind < 0.93) return `${word(dice)} ${trade(dice)} & ${trade(dice)}`
  if (kind < 0.96) return `${1 + dice.below(240)} ${streetName(dice)} ${townName(dice)} MANAGEMENT COMPANY`
  if (kind < 0.98) return `${dice.pick(FORENAMES)}'S ${word(dice)} ${trade(dice)}`
  return `${word(dice)}-${word(dice)} ${trade(dice)}`
}

function word(dice: Dice): string {
  return coinedWord(dice.rank(VOCABULARY_SIZE, 25))
}

function trade(dice: Dice): string {
  return TRADES[dice.rank(TRADES.length, 4)] ?? ''
}

function family(dice: Dice): string {
  return surname(dice.rank(SURNAME_COUNT, 10))
}

function townName(dice: Dice): string {
  return dice.pick(PLACES)[0]
}

function streetName(dice: Dice): string {
  return `${dice.pick(STREETS)} ${dice.pick(STREET_KINDS)}`
}

function initials(dice: Dice): string {
  const first = LETTERS[dice.below(26)] ?? ''
  const second = LETTERS[dice.below(26)] ?? ''
  const form = dice.below(4)
  if (form === 0) return first + second
  if (form === 1) return `${first} ${second}`
  if (form === 2) return `${first}.${second}.`
  return `${first} & ${second}`
}
