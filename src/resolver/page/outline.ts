/** The headings above a place: a heading puts away those of its own level and below. */
export class Outline {
  readonly #levels: string[]
  #above: string[] | null = null

  constructor(above?: Outline) {
    this.#levels = above === undefined ? [] : [...above.#levels]
  }

  /** Outermost first. The same array until the next heading. */
  get above(): string[] {
    this.#above ??= this.#levels.filter((heading) => heading !== undefined && heading !== '').slice(-SHOWN_MAX)
    return this.#above
  }

  /** Called before the heading's own block is made, which stands below its elders only. */
  enter(level: number): void {
    this.#levels.length = Math.min(this.#levels.length, level - 1)
    this.#above = null
  }

  add(level: number, heading: string): void {
    while (this.#levels.length < level - 1) this.#levels.push('')
    this.#levels[level - 1] = heading.slice(0, HEADING_MAX)
    this.#above = null
  }
}

const SHOWN_MAX = 3
const HEADING_MAX = 200
