/** Texts by name. Together they have a bounded length; the oldest are dropped first. */
export class KeptTexts<Kept extends { text: string }> {
  readonly #charactersMax: number
  readonly #texts = new Map<string, Kept>()
  #characters = 0

  constructor({ charactersMax }: { charactersMax: number }) {
    this.#charactersMax = charactersMax
  }

  find(name: string): Kept | undefined {
    return this.#texts.get(name)
  }

  keep(name: string, kept: Kept): void {
    this.drop(name)
    if (kept.text.length > this.#charactersMax) return
    this.#texts.set(name, kept)
    this.#characters += kept.text.length
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= this.#charactersMax) break
      this.drop(oldest)
    }
  }

  drop(name: string): void {
    const kept = this.#texts.get(name)
    if (!kept) return
    this.#characters -= kept.text.length
    this.#texts.delete(name)
  }
}
