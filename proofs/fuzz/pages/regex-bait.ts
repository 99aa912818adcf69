/**
 * Text that nearly matches: for every pattern in the reader's own sources, samples of what it matches, so that repeated
 * and cut short they make a careless pattern go back and forth.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../../rig/random.ts'

const SOURCES = join(import.meta.dirname, '../../../src/resolver')
const FOLDERS = ['extract', 'page', 'match', 'crawl']
const SAMPLES_OF_EACH = 6
const SAMPLE_CHARACTERS_MAX = 200

export function makeBait(seed: number): string[] {
  const random = new Random(seed)
  const samples = listPatterns().flatMap((pattern) =>
    Array.from({ length: SAMPLES_OF_EACH }, () => sampleRegex(random, pattern)),
  )
  return samples.map((text) => text.slice(0, SAMPLE_CHARACTERS_MAX))
}

const LITERAL =
  /(?<=[\s(,:[=!&|?])\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/[gimsuy]*/g

/** Returns every pattern in the reader that repeats something. */
export function listPatterns(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SOURCES, folder))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .map((name) => join(SOURCES, folder, name)),
  )
  const literals = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(LITERAL)])
  return [...new Set(literals.map(([, source = '']) => source))].filter((source) => /[*+{?]/.test(source))
}

/**
 * A text that a regular expression matches, or nearly: what looks around or back is left out, and classes of Unicode are
 * played by a few of their letters.
 */
function sampleRegex(random: Random, source: string): string {
  return new Sampler(random, source).alternatives()
}

const REPEATS_MAX = 3
const CLASSES: Record<string, string> = { d: '0123456789', w: 'abzAZ09_', s: ' \n\t', D: 'x.', W: ' .-', S: 'x9.' }
const UNICODE: Record<string, string> = { Lu: 'AÉZ', Ll: 'aéz', L: 'aÉZ', N: '019', M: '\u0301', P: '.,' }
const CONTROLS: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' }

/** One pass from left to right; every branch is read, and one of them is kept. */
class Sampler {
  readonly #random: Random
  readonly #source: string
  #at = 0

  constructor(random: Random, source: string) {
    this.#random = random
    this.#source = source
  }

  alternatives(): string {
    const options = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      options.push(this.#sequence())
    }
    return this.#random.pick(options)
  }

  #sequence(): string {
    let text = ''
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const atom = this.#atom()
      text += atom.repeat(this.#repeats())
    }
    return text
  }

  #atom(): string {
    const character = this.#source[this.#at] ?? ''
    this.#at += 1
    if (character === '(') return this.#group()
    if (character === '[') return this.#oneOf()
    if (character === '\\') return this.#pickOf(this.#escape())
    if (character === '^' || character === '$') return ''
    return character === '.' ? 'x' : character
  }

  #group(): string {
    const kind = /^\?(?:<?[=!]|:|<\w+>)/.exec(this.#source.slice(this.#at))?.[0] ?? ''
    this.#at += kind.length
    const inside = this.alternatives()
    this.#at += 1
    return /^\?<?[=!]$/.test(kind) ? '' : inside
  }

  #oneOf(): string {
    const isNegated = this.#source[this.#at] === '^'
    if (isNegated) this.#at += 1
    let members = ''
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']') {
      const character = this.#source[this.#at] ?? ''
      this.#at += 1
      members += character === '\\' ? this.#escape() : character
    }
    this.#at += 1
    if (!isNegated) return this.#pickOf(members)
    return this.#pickOf(
      'x7 .A'
        .split('')
        .filter((character) => !members.includes(character))
        .join(''),
    )
  }

  /** Returns the characters that an escape matches; none for the edge of a word. */
  #escape(): string {
    const character = this.#source[this.#at] ?? ''
    this.#at += 1
    if (character === 'p' || character === 'P') {
      const name = /^\{(\w+)\}/.exec(this.#source.slice(this.#at))?.[1] ?? ''
      this.#at += name.length + 2
      return UNICODE[name] ?? 'x'
    }
    if (character === 'b' || character === 'B') return ''
    if (character === 'u') {
      const digits = this.#source.slice(this.#at, this.#at + 4)
      this.#at += 4
      return String.fromCharCode(Number.parseInt(digits, 16) || 0)
    }
    return CLASSES[character] ?? CONTROLS[character] ?? character
  }

  #pickOf(characters: string): string {
    return characters === '' ? '' : this.#random.pick(characters.split(''))
  }

  #repeats(): number {
    const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at))
    if (!quantifier) return 1
    this.#at += quantifier[0].length
    const [, sign, least = '0', comma, most] = quantifier
    if (sign === '?') return this.#random.below(2)
    if (sign === '*') return this.#random.below(REPEATS_MAX + 1)
    if (sign === '+') return 1 + this.#random.below(REPEATS_MAX)
    if (comma === '') return Number(least)
    const range = most ? Number(most) - Number(least) : REPEATS_MAX
    return Number(least) + this.#random.below(range + 1)
  }
}
