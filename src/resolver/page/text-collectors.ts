/** Gathers the text of elements that want theirs as one string: links, properties, names of the site. */
export class TextCollectors {
  readonly #open: Array<{ text: string }> = []

  /** Gathers from here on; the function returned ends it and gives the text. */
  open(): () => string {
    const collector = { text: '' }
    // Deeper ones stay empty: a page that nests so many wants to cost us time.
    if (this.#open.length < OPEN_MAX) this.#open.push(collector)
    return () => {
      const place = this.#open.lastIndexOf(collector)
      if (place >= 0) this.#open.splice(place, 1)
      return collector.text
    }
  }

  add(text: string): void {
    for (const collector of this.#open) if (collector.text.length < TEXT_MAX) collector.text += text
  }
}

const OPEN_MAX = 16
const TEXT_MAX = 4_000
