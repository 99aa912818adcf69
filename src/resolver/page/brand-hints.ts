import { cleanLine } from './clean-text.ts'
import type { Attributes } from './read-tags.ts'

/** How the site names itself, by its logo and its way home. */
export class BrandHints {
  readonly texts: string[] = []
  readonly #seen = new Set<string>()

  get isFull(): boolean {
    return this.texts.length >= HINTS_MAX
  }

  add(text: string): void {
    if (this.isFull) return
    const line = cleanLine(text, HINT_MAX + 1)
    if (line.length > HINT_MAX) return
    const name = line.replace(/^(?:logo (?:of|for) |back to |return to |go to )/i, '').replace(ENDING, '')
    const key = name.toLowerCase()
    if (name.length < 2 || GENERIC.test(name) || this.#seen.has(key)) return
    this.#seen.add(key)
    this.texts.push(name)
  }
}

/** An image that says it is a logo. */
export function isLogo({ src, class: classes, id, alt }: Attributes): boolean {
  return [src, classes, id, alt].some((text) => text !== undefined && /logo(?!s|ut)/i.test(text.slice(-300)))
}

const HINTS_MAX = 10
const HINT_MAX = 120
const ENDING = /[\s\-–—|:,(]*\b(?:logo|home ?page)\)?$/i
const GENERIC =
  /^(?:home|home ?page|welcome|hafan|start|index|main|logo|(?:site|company|header|footer|main|our|the) ?(?:logo|home)?|website|menu|here|click here|image|img|banner|brand|back|top)$/i
