/** Synthetic company names with the statistics that make name search hard: Zipf words, shared endings, near-duplicates. */
import { type Random, randomOf } from '../random.ts'
import {
  coinedWord,
  FORENAMES,
  STREET_KINDS,
  STREETS,
  SURNAME_COUNT,
  surname,
  TOWNS,
  TRADES,
  VOCABULARY_SIZE,
} from './words.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NEAR_DUPLICATE_SHARE = 0.05
// Below this many rows there is nothing earlier to resemble.
const NEAR_DUPLICATE_FROM = 100

/** The name of a row without its legal ending. */
export function syntheticStem(seed: number, index: number): string {
  const random = randomOf(seed, index, 1)
  if (index >= NEAR_DUPLICATE_FROM && random.next() < NEAR_DUPLICATE_SHARE) {
    return resemble(random, originalStem(randomOf(seed, random.below(index), 2)))
  }
  return originalStem(randomOf(seed, index, 2))
}

function resemble(random: Random, stem: string): string {
  const kind = random.below(6)
  if (kind === 0) return `${stem} GROUP`
  if (kind === 1) return `${stem} HOLDINGS`
  if (kind === 2) return `${stem} (UK)`
  if (kind === 3) return `${stem} (${townName(random)})`
  if (kind === 4) return `${stem} ${2 + random.below(9)}`
  return `${stem} ${trade(random)}`
}

function originalStem(random: Random): string {
  const kind = random.next()
  if (kind < 0.2) return `${word(random)} ${trade(random)}`
  if (kind < 0.36) return `${word(random)} ${word(random)} ${trade(random)}`
  if (kind < 0.44) return `${word(random)} ${word(random)}`
  if (kind < 0.54) return `${family(random)} ${word(random)} ${trade(random)}`
  if (kind < 0.62) return `${random.pick(FORENAMES)} ${family(random)} ${trade(random)}`
  if (kind < 0.7) return `${family(random)} & ${family(random)} ${trade(random)}`
  if (kind < 0.74) return `${family(random)} AND SONS ${trade(random)} ${townName(random)}`
  if (kind < 0.79) return `${initials(random)} ${family(random)} ${trade(random)}`
  if (kind < 0.84) return `${townName(random)} ${word(random)} ${trade(random)}`
  if (kind < 0.89) return `THE ${word(random)} ${trade(random)} COMPANY`
  if (kind < 0.93) return `${word(random)} ${trade(random)} & ${trade(random)}`
  if (kind < 0.96) return `${1 + random.below(240)} ${streetName(random)} ${townName(random)} MANAGEMENT COMPANY`
  if (kind < 0.98) return `${random.pick(FORENAMES)}'S ${word(random)} ${trade(random)}`
  return `${word(random)}-${word(random)} ${trade(random)}`
}

function word(random: Random): string {
  return coinedWord(random.rank(VOCABULARY_SIZE, 25))
}

function trade(random: Random): string {
  return TRADES[random.rank(TRADES.length, 4)] ?? ''
}

function family(random: Random): string {
  return surname(random.rank(SURNAME_COUNT, 10))
}

function townName(random: Random): string {
  return random.pick(TOWNS)[0]
}

function streetName(random: Random): string {
  return `${random.pick(STREETS)} ${random.pick(STREET_KINDS)}`
}

function initials(random: Random): string {
  const first = LETTERS[random.below(26)] ?? ''
  const second = LETTERS[random.below(26)] ?? ''
  const form = random.below(4)
  if (form === 0) return first + second
  if (form === 1) return `${first} ${second}`
  if (form === 2) return `${first}.${second}.`
  return `${first} & ${second}`
}
